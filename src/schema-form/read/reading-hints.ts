import { useMemo } from "react";
import { create } from "zustand";
import { useConnection } from "#connection/connection-store.ts";
import { asRecord, asRecords, isRecord } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { type AnswerPath, ROLES, type Role } from "./field.ts";
import type { SchemaHints } from "./read-schema.ts";

/*
 * Corrections by the person of how a model's listing is read, stored on this device: the place where a service lists the
 * parameters (by service), and the roles of fields (by model).
 */

interface ServicePlace {
  /** The address of the service's queue. */
  service: string;
  path: AnswerPath;
}

const MAX_SERVICES = 50;
const MAX_STEPS = 64;

const usePlaceStore = create<{ places: readonly ServicePlace[] }>(() => ({ places: storedPlaces() }));

/** The person's corrections for one model of the connected service. The same object while they are the same. */
export function useReadingHints(modelId: string): SchemaHints {
  const service = useConnection()?.queueBaseUrl ?? "";
  const place = usePlaceStore((state) => state.places.find((known) => known.service === service)?.path);
  const { roles } = useRoleCorrections(modelId);
  return useMemo(() => ({ roles, place }), [roles, place]);
}

/** The place where the person said that a service lists the parameters; undefined for the guess. */
export function getSchemaPlace(service: string | undefined): AnswerPath | undefined {
  return usePlaceStore.getState().places.find((known) => known.service === service)?.path;
}

/**
 * Remembers where a service's responses list the parameters, for every model whose response has that place; undefined
 * returns to the guess.
 */
export function rememberPlace(service: string, path: AnswerPath | undefined): void {
  const others = storedPlaces().filter((known) => known.service !== service);
  const places = path === undefined ? others : [{ service, path }, ...others].slice(0, MAX_SERVICES);
  writeJson(KEYS.schemaPlaces, { places });
  usePlaceStore.setState({ places });
}

function storedPlaces(): ServicePlace[] {
  return asRecords(asRecord(readJson(KEYS.schemaPlaces)).places).flatMap(({ service, path }): ServicePlace[] => {
    const isStep = (step: unknown) => typeof step === "string" || (Number.isSafeInteger(step) && Number(step) >= 0);
    const isPath = Array.isArray(path) && path.length <= MAX_STEPS && path.every(isStep);
    return typeof service === "string" && isPath ? [{ service, path }] : [];
  });
}

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

/** The corrected roles of a model at this moment, for code outside of React. */
export const getCorrectedRoles = (modelId: string) => ownRoles(useCorrectionsStore.getState().corrections, modelId);

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
