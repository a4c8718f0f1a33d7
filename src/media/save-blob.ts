// A browser reads the blob after the click; a minute is enough for any of them to have begun.
const REVOKE_AFTER_MS = 60_000;

/** Saves a blob under a name, as the browser's own download. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
