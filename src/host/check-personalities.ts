/**
 * Throws an Error with a sentence for a person when one of the names is no personality of the sandbox. Without names the
 * sandbox is not loaded: a host that only serves the studio never pays for it.
 */
export async function checkPersonalities(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const [{ PERSONALITIES }, { TEXT_PERSONALITIES }] = await Promise.all([
    import("#sandbox/personalities.ts"),
    import("#sandbox/text/text-personalities.ts"),
  ]);
  const known = [...PERSONALITIES, ...TEXT_PERSONALITIES].map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `SAFELIGHT_SANDBOX_PERSONALITIES holds "${unknown}", and there is none of that name. There are ${known.join(", ")}.`,
  );
}
