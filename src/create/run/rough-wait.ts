/** A wait as a person would say it. Takes ms. */
export function roughly(ms: number): string {
  const seconds = Math.ceil(ms / 10_000) * 10;
  return seconds <= 90 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
}
