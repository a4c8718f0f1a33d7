/** What is wrong with an API key, as a sentence, or undefined. Only what a header can carry is legal. Never repeats it. */
export function checkKey(key: string): string | undefined {
  const text = key.trim();
  if (text === "") return "Enter the API key.";
  if (/\s/.test(text)) return "A key has no spaces or line breaks.";
  if (!/^[\x21-\x7e]+$/.test(text)) return "The key has characters that no key has. Copy it again.";
  if (text.length > 1000) return "This is too long for a key.";
  return undefined;
}
