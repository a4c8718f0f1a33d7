import { withJpegXmp } from "./jpeg-xmp.ts";
import { withPngTexts } from "./png-text.ts";
import { type FileSettings, SETTINGS_KEYWORD, settingsText } from "./settings-text.ts";

/** Above this a picture is saved as it is: it would have to be held in memory twice. */
const LARGEST = 64 * 1024 * 1024;

/**
 * A picture with its prompt and settings written into it: PNG (iTXt) or JPEG (XMP). Any other file, and one that cannot
 * be read, comes back as it is.
 */
export async function embedSettings(blob: Blob, extension: string, settings: FileSettings): Promise<Blob> {
  if ((extension !== "png" && extension !== "jpg") || blob.size > LARGEST) return blob;
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const description = promptIn(settings);
  const text = settingsText(settings);
  const embedded =
    extension === "png"
      ? withPngTexts(bytes, { ...(description ? { Description: description } : {}), [SETTINGS_KEYWORD]: text })
      : withJpegXmp(bytes, { description, settings: text });
  return embedded ?? blob;
}

function promptIn({ payload }: FileSettings): string {
  for (const name of ["prompt", "text"]) {
    const value = payload[name];
    if (typeof value === "string") return value;
  }
  return "";
}
