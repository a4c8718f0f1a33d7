import { useDeferredValue, useMemo } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { ExpandedAxes } from "#batch/rows/expand-axes.ts";
import { newGroup, roomProblem, withGroup } from "#batch/rows/group-runs.ts";
import { imageField, imageRuns } from "#batch/rows/image-runs.ts";
import { counted } from "#lib/numbers.ts";
import { pendingAmong, useUploadStore } from "#media/upload/upload-store.ts";
import { addressesIn, type MediaItem, uploadsIn } from "#schema-form/media-value.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Segmented } from "#ui/segmented.tsx";
import type { SourceProps } from "../batch-document.ts";
import { nameFrom, roleField } from "./axis-edits.ts";
import { addWord } from "./combine-form.tsx";
import { FileList, useDetachUploads } from "./file-list.tsx";
import { ModelField } from "./models-editor.tsx";
import { PromptLines } from "./prompt-lines.tsx";

const WAYS = [
  { value: "each", label: "Every combination" },
  { value: "paired", label: "Pair by position" },
] as const;

interface ImagesForm {
  model: string | undefined;
  items: readonly MediaItem[];
  text: string;
  way: "each" | "paired";
}

/** Adds runs for several images: each with every prompt, or in pairs with the prompts. */
export function ImagesDialog({ target, models, settings, onClose }: SourceProps & { onClose: () => void }) {
  const { control, setValue, handleSubmit, formState } = useForm<ImagesForm>({
    defaultValues: { model: models[0], items: [], text: "", way: "each" },
  });
  const [model, text, way] = useWatch({ control, name: ["model", "text", "way"] });
  // Watched separately: together with the others it would be a new array at each change, and all runs would be made again.
  const items = useWatch({ control, name: "items" });
  useDetachUploads(items);
  const addresses = useMemo(() => addressesIn(items), [items]);
  const schemas = useModelSchemas(model === undefined ? [] : [model]);
  const known = schemas.get(model ?? "");
  const uploading = useUploadStore(({ uploads }) => pendingAmong(uploads, uploadsIn(items)));
  const deferredText = useDeferredValue(text);
  const made = useMemo((): ExpandedAxes => {
    if (model === undefined || known?.state !== "ready" || addresses.length === 0) return { runs: [] };
    const prompts = deferredText.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
    const ownSettings = settings && Object.hasOwn(settings, model) ? (settings[model] ?? {}) : {};
    return imageRuns(addresses, { model, schema: known.schema, settings: ownSettings, prompts, way });
  }, [model, known, addresses, deferredText, settings, way]);
  const acceptsNoImage = known?.state === "ready" && imageField(known.schema) === undefined;
  const problem =
    model === undefined
      ? "Choose a model that accepts images."
      : acceptsNoImage
        ? "This model doesn’t accept images. Choose another one."
        : known?.state === "failed"
          ? "Couldn’t load the parameters of this model."
          : (made.problem ?? roomProblem(target.batch, undefined, made.runs.length));
  const canAdd = problem === undefined && made.runs.length > 0 && uploading === 0 && !formState.isSubmitting;
  const add = handleSubmit(() => {
    const name = nameFrom(
      text.split("\n").find((line) => line.trim() !== ""),
      "Images",
    );
    if (target.put((batch) => withGroup(batch, newGroup("Images", "images"), made.runs), name)) onClose();
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="From images"
      description="One run for each image. Uploads are free, and nothing runs yet."
      footer={
        <>
          <p role="status" className="m-0 me-auto self-center text-ink-2 tabular-nums">
            {uploading > 0
              ? `Uploading ${counted(uploading, "image")}…`
              : (problem ?? counted(made.runs.length, "run"))}
          </p>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" aria-disabled={!canAdd} onClick={add}>
            {addWord(made.runs.length)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ModelField label="Model" model={model} onChange={(next) => setValue("model", next)} />
        <FileList
          label="Images"
          kind="image"
          modelId={model ?? ""}
          items={items}
          onChange={(next) => setValue("items", next)}
        />
        {!(known?.state === "ready" && !roleField(known.schema, "prompt")) && (
          <PromptLines label="Prompts" text={text} rows={3} onChange={(next) => setValue("text", next)} />
        )}
        <Segmented label="Images and prompts" options={WAYS} value={way} onChange={(next) => setValue("way", next)} />
      </div>
    </Dialog>
  );
}
