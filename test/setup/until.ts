import { vi } from "vitest";

/**
 * Resolves once `check` passes. For what tells nobody when it is done; where there is an event, wait for that. The limit
 * only ends what hangs: it is far above what the slowest machine needs.
 */
export function until<T>(check: () => T | Promise<T>, options: { interval?: number } = {}): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, ...options });
}
