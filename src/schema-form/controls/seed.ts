import { create } from "zustand";
import type { NumberField } from "../read/field.ts";

/** The largest seed that every service takes: 2^31 − 1. */
const LARGEST = 2_147_483_647;

/** A random whole seed above zero (0 and -1 often mean "random") inside the field's bounds. */
export function randomSeed(field: NumberField, random: () => number = Math.random): number {
  const low = Math.max(1, Math.ceil(field.min ?? 1));
  const high = Math.max(low, Math.min(LARGEST, Math.floor(field.max ?? LARGEST)));
  return low + Math.floor(random() * (high - low + 1));
}

const lockName = (modelId: string, key: string) => JSON.stringify([modelId, key]);

/**
 * Seeds that the person locked. They outlive the form: in one that is left and opened again the seed is still locked.
 */
const useLockedSeeds = create<ReadonlySet<string>>(() => new Set());

/** Whether a seed stays the same for the next run, and a function that changes it. */
export function useSeedLock(modelId: string, key: string): [isLocked: boolean, setLocked: (isLocked: boolean) => void] {
  const name = lockName(modelId, key);
  const isLocked = useLockedSeeds((locked) => locked.has(name));
  return [
    isLocked,
    (isLocked) => {
      const others = [...useLockedSeeds.getState()].filter((other) => other !== name);
      useLockedSeeds.setState(new Set(isLocked ? [...others, name] : others), true);
    },
  ];
}

/** Whether a top-level seed stays the same for the next run. */
export function isSeedLocked(modelId: string, key: string): boolean {
  return useLockedSeeds.getState().has(lockName(modelId, key));
}
