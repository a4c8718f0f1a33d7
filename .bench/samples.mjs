import { cpus, loadavg } from "node:os";

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

export const shuffled = (values) =>
  values
    .map((value) => [Math.random(), value])
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);

/** How busy the machine is: a starved browser draws less often, and then peers skip most of their work. */
export const loadText = () =>
  `load of this machine: ${loadavg()[0].toFixed(1)} on ${cpus().length} processors (trust ratios below ${cpus().length})`;
