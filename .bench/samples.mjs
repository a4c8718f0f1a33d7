import { cpus, loadavg } from "node:os";

/**
 * @param {readonly number[]} values
 * @param {number} share
 */
export const percentile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** @param {readonly number[]} values */
export const median = (values) => percentile(values, 0.5);

/**
 * @template Value
 * @param {readonly Value[]} values
 */
export const shuffled = (values) =>
  values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);

/** How busy the machine is: a starved browser draws less often, and then peers skip most of their work. */
export const loadText = () =>
  `load of this machine: ${(loadavg()[0] ?? 0).toFixed(1)} on ${cpus().length} processors (trust ratios below ${cpus().length})`;
