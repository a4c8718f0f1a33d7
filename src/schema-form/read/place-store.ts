import { useMemo } from "react";
import { create } from "zustand";
import { useConnection } from "#connection/connection-store.ts";
import { asRecord, asRecords } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import type { AnswerPath } from "./field.ts";
import type { SchemaHints } from "./read-schema.ts";
import { useRoleCorrections } from "./role-corrections-store.ts";

interface ServicePlace {
  /** The address of the service's queue. */
  service: string;
  path: AnswerPath;
}

const MAX_SERVICES = 50;
const MAX_STEPS = 64;

const usePlaceStore = create<{ places: readonly ServicePlace[] }>(() => ({ places: storedPlaces() }));

/** What the person said of how this model is read, on this device: the place of the listing, the roles of fields. */
export function useReadingHints(modelId: string): SchemaHints {
  const service = useConnection()?.queueBaseUrl ?? "";
  const place = usePlaceStore((state) => state.places.find((known) => known.service === service)?.path);
  const { roles } = useRoleCorrections(modelId);
  return useMemo(() => ({ roles, place }), [roles, place]);
}

/** Where the person said that a service lists the parameters; undefined for the guess. */
export function placeOf(service: string | undefined): AnswerPath | undefined {
  return usePlaceStore.getState().places.find((known) => known.service === service)?.path;
}

/**
 * Remembers where a service's answers list the parameters, for every model whose answer has that place; undefined
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
