import type { MediaKind } from "#api/types.ts";
import type { MediaControlProps } from "#schema-form/controls/control-props.ts";
import { mediaAddresses, mediaValue } from "#schema-form/controls/media-addresses.ts";
import { useFormContext } from "#schema-form/form/form-context.ts";
import type { FieldMedia } from "#schema-form/read/field.ts";
import { FileList } from "./file-list.tsx";

/** The kind of files that a field takes; undefined for any. Never throws. */
export const mediaKindOf = (media: FieldMedia): MediaKind | undefined => (media === "file" ? undefined : media);

/** The files of a parameter, in a form of the batch: uploaded, or by their addresses. */
export function FormMedia({ field, value, onChange }: MediaControlProps) {
  const { form } = useFormContext();
  return (
    <FileList
      label={field.label}
      kind={mediaKindOf(field.media)}
      modelId={form.modelId}
      start={mediaAddresses(value).filter((address) => address !== "")}
      most={field.shape === "one" ? 1 : (field.maxItems ?? Number.POSITIVE_INFINITY)}
      onChange={(addresses) => onChange(mediaValue(field, addresses))}
    />
  );
}
