const ACRONYMS = new Map(
  ["url", "urls", "id", "fps", "cfg", "lora", "loras", "nsfw", "tts", "json", "api", "hd", "uri", "vae", "hdr"].map(
    (word) => [
      word,
      word === "urls" ? "URLs" : word === "loras" ? "LoRAs" : word === "lora" ? "LoRA" : word.toUpperCase(),
    ],
  ),
);

/** A parameter key in words: `num_inference_steps` is "Num inference steps". The key itself is never changed. */
export function humaniseName(key: string): string {
  if (key === "n") return "Number of results";
  const words = key
    .replace(/\.\d+$/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_.\-/]+/)
    .filter(Boolean)
    .map((word) => ACRONYMS.get(word.toLowerCase()) ?? (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(" ");
  if (!text) return key.trim() || "Unnamed";
  return text[0]?.toUpperCase() + text.slice(1);
}
