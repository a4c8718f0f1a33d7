import { type FileSettings, settingsText } from "./settings-text.ts";

/** Kinds of files that settings cannot be written into: they get a JSON file beside them. */
const WITHOUT_ROOM = ["mp4", "mov", "webm", "mp3", "wav", "ogg", "flac", "m4a", "webp", "gif", "avif"];

/** The JSON to be put beside a file, under the file's own name; undefined where the settings are in the file itself. */
export function sidecarOf(name: string, settings: FileSettings): { name: string; text: string } | undefined {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (!WITHOUT_ROOM.includes(extension)) return undefined;
  // With the file's extension kept, two files that differ in it alone keep a JSON each.
  return { name: `${name}.json`, text: `${settingsText(settings)}\n` };
}
