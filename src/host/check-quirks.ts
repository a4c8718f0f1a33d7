/**
 * Throws an Error with a sentence for a person when one of the names is no quirk of the sandbox. Without names the
 * sandbox is not loaded.
 */
export async function checkQuirks(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const [{ QUIRKS }, { TEXT_QUIRKS }] = await Promise.all([
    import("#sandbox/quirks/queue-quirks.ts"),
    import("#sandbox/quirks/text-quirks.ts"),
  ]);
  const known = [...QUIRKS, ...TEXT_QUIRKS].map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `SAFELIGHT_SANDBOX_QUIRKS contains “${unknown}”, which does not exist. Possible values: ${known.join(", ")}.`,
  );
}
