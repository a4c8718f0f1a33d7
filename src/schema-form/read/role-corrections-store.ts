import { useMemo } from "react";
import { create } from "zustand";
import { isRecord } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { ROLES, type Role } from "./field.ts";
import type { SchemaHints } from "./read-schema.ts";

interface Correction {
  modelId: string;
  key: string;
  role: Role | "none";
}

const MAX_CORRECTIONS = 500;

const useCorrectionsStore = create<{ corrections: readonly Correction[] }>(() => ({
  corrections: storedCorrections(),
}));

/** The roles that the person set for a model's fields: hand them to `readSchema`. Stored on this device. */
export function useRoleCorrections(modelId: string): SchemaHints {
  const corrections = useCorrectionsStore((state) => state.corrections);
  return useMemo(() => ({ roles: ownRoles(corrections, modelId) }), [corrections, modelId]);
}

/** The same outside of React, as they are now. */
export const rolesOf = (modelId: string) => ownRoles(useCorrectionsStore.getState().corrections, modelId);

function ownRoles(corrections: readonly Correction[], modelId: string): Record<string, Role | "none"> {
  const own = corrections.filter((correction) => correction.modelId === modelId);
  return Object.fromEntries(own.map(({ key, role }) => [key, role]));
}

/** Sets what a field is for and stores it on this device; undefined returns to the guess. */
export function correctRole(modelId: string, key: string, role: Role | "none" | undefined): void {
  const others = storedCorrections().filter((known) => known.modelId !== modelId || known.key !== key);
  const corrections = role === undefined ? others : [{ modelId, key, role }, ...others].slice(0, MAX_CORRECTIONS);
  writeJson(KEYS.roleCorrections, { corrections });
  useCorrectionsStore.setState({ corrections });
}

function storedCorrections(): Correction[] {
  const stored = readJson(KEYS.roleCorrections);
  const list = isRecord(stored) && Array.isArray(stored.corrections) ? stored.corrections : [];
  return list.flatMap((item): Correction[] => {
    if (!isRecord(item) || typeof item.modelId !== "string" || typeof item.key !== "string") return [];
    const role = [...ROLES, "none" as const].find((known) => known === item.role);
    return role === undefined ? [] : [{ modelId: item.modelId, key: item.key, role }];
  });
}
