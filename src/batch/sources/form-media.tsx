import type { MediaControlProps } from "#schema-form/controls/control-props.ts";
import { useFormContext } from "#schema-form/form/form-context.ts";
import { maxFiles, mediaItems, mediaKindOf, mediaValue } from "#schema-form/media-value.ts";
import { FileList } from "./file-list.tsx";

/** The files of a parameter, in a form of the batch: uploaded, or by their addresses. */
export function FormMedia({ field, value, onChange }: MediaControlProps) {
  const { form } = useFormContext();
  return (
    <FileList
      label={field.label}
      kind={mediaKindOf(field.media)}
      modelId={form.modelId}
      items={mediaItems(value).filter((item) => item !== "")}
      max={maxFiles(field)}
      onChange={(items) => onChange(mediaValue(field, items))}
    />
  );
}
