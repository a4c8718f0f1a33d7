/** A file's size in words, in decimal units as the platforms' own file lists use: "512 bytes", "48 kB", "1.2 MB". */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  const [amount, unit] = bytes < 999_500_000 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`;
}
