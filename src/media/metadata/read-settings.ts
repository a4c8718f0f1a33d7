import { fileKind } from "../file-kind.ts";
import { jpegSettings } from "./jpeg-xmp.ts";
import { pngText } from "./png-text.ts";
import { type FileSettings, readSettingsText, SETTINGS_KEYWORD } from "./settings-text.ts";

const LARGEST = 64 * 1024 * 1024;

/**
 * The settings that a file was made with, where they were written into it: a PNG or JPEG downloaded here, or the JSON
 * beside a clip. Undefined for any other file. What comes back is untrusted.
 */
export async function readSettings(file: Blob): Promise<FileSettings | undefined> {
  if (file.size === 0 || file.size > LARGEST) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = fileKind(bytes);
  if (kind?.extension === "png") return fromText(pngText(bytes, SETTINGS_KEYWORD));
  if (kind?.extension === "jpg") return fromText(jpegSettings(bytes));
  return kind ? undefined : fromText(new TextDecoder().decode(bytes));
}

function fromText(text: string | undefined): FileSettings | undefined {
  return text === undefined ? undefined : readSettingsText(text);
}
