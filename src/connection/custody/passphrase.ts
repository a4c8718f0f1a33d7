const SHORTEST = 12;
const FEWEST_DIFFERENT = 6;

/**
 * What is wrong with a passphrase for a key that is stored on this device, as a sentence, or undefined. Spaces count. Never
 * repeats it.
 */
export function checkPassphrase(passphrase: string): string | undefined {
  const characters = [...passphrase.normalize("NFKC")];
  const why = "someone who copies this browser’s data can try passphrases without any delay.";
  if (passphrase === "") return "Enter a passphrase.";
  if (characters.length < SHORTEST) return `Use at least ${SHORTEST} characters, such as four words: ${why}`;
  if (new Set(characters).size < FEWEST_DIFFERENT)
    return `Use at least ${FEWEST_DIFFERENT} different characters: ${why}`;
  return undefined;
}
