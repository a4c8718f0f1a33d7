import { useMemo } from "react";
import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import { isRecord } from "#lib/json.ts";
import { safeLocalStorage } from "#lib/safe-storage.ts";
import { ROLES, type Role } from "./field.ts";
import type { SchemaHints } from "./read-schema.ts";

interface Correction {
  modelId: string;
  key: string;
  role: Role | "none";
}

const MOST = 500;

const useCorrectionsStore = create<{ corrections: readonly Correction[] }>()(
  persist((): { corrections: readonly Correction[] } => ({ corrections: [] }), {
    name: "safelight.roles",
    version: 1,
    storage: createJSONStorage(() => safeLocalStorage),
    merge: (stored) => ({ corrections: readCorrections(stored) }),
  }),
);

/** The roles that the person set for a model's fields: hand them to `readSchema`. Kept on this device. */
export function useRoleCorrections(modelId: string): SchemaHints {
  const corrections = useCorrectionsStore((state) => state.corrections);
  return useMemo(() => {
    const own = corrections.filter((correction) => correction.modelId === modelId);
    return { roles: Object.fromEntries(own.map(({ key, role }) => [key, role])) };
  }, [corrections, modelId]);
}

/** Sets what a field is for; undefined goes back to the guess. */
export function correctRole(modelId: string, key: string, role: Role | "none" | undefined): void {
  useCorrectionsStore.setState(({ corrections }) => {
    const others = corrections.filter((known) => known.modelId !== modelId || known.key !== key);
    return { corrections: role === undefined ? others : [{ modelId, key, role }, ...others].slice(0, MOST) };
  });
}

function readCorrections(stored: unknown): Correction[] {
  const list = isRecord(stored) && Array.isArray(stored.corrections) ? stored.corrections : [];
  return list.flatMap((item): Correction[] => {
    if (!isRecord(item) || typeof item.modelId !== "string" || typeof item.key !== "string") return [];
    const role = [...ROLES, "none" as const].find((known) => known === item.role);
    return role === undefined ? [] : [{ modelId: item.modelId, key: item.key, role }];
  });
}
