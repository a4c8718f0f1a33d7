import type { Field, Role } from "./field.ts";

/** Roles that people set often enough to see at once. */
const MAIN: readonly (Role | undefined)[] = [
  "prompt",
  "negative-prompt",
  "image",
  "video",
  "audio",
  "file",
  "mask",
  "count",
  "aspect-ratio",
  "size",
  "resolution",
  "duration",
  "seed",
];

/** Keys that switch plumbing, not the picture. */
const PLUMBING =
  /safety|moderation|sync_?mode|webhook|callback|watermark|response_format|output_format|bitrate|sample_rate|acceleration|scheduler|sampler|tolerance|enable_|disable_|^debug|quality|upsampling|prompt_extend|person_?generation/i;

/** How many other fields stay in sight. */
const IN_SIGHT = 6;

/** Folds the long tail: what is not required, has no main role, and is plumbing or comes late. */
export function markAdvanced(fields: readonly Field[]): Field[] {
  let shown = 0;
  const marked = fields.map((field) => {
    if (field.required || MAIN.includes(field.role)) return field;
    const advanced = shown >= IN_SIGHT || PLUMBING.test(field.key);
    if (!advanced) shown += 1;
    return { ...field, advanced };
  });
  // A fold that hides one or two fields of a short form costs more than it saves.
  const folded = marked.filter((field) => field.advanced).length;
  return folded <= 2 && fields.length <= 8 ? marked.map((field) => ({ ...field, advanced: false })) : marked;
}
