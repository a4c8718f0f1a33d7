/** Cases of a long property: a sample, or as many as `PROPERTY_RUNS` says, which looks for more. */
export function propertyRuns(sample: number): number {
  return Number(process.env.PROPERTY_RUNS ?? sample);
}
