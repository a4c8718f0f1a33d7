import type { MediaKind } from "#api/types.ts";
import type { FormSchema, MediaField } from "#schema-form/read/field.ts";
import type { ModelSchema } from "#schema-form/use-model-schemas.ts";
import type { ItemSource } from "#storage/stored-batches.ts";
import type { ChainResult } from "./chain-results.ts";

/** A kind of step: what it starts from, what its models take and make. */
export interface StepKind {
  id: "animate" | "edit" | "continue" | "edit-clip" | "sound";
  /** On the screen, and in the name of the group: "Step 2: Animate". */
  label: string;
  from: MediaKind;
  takes: "image" | "video" | "audio";
  /** What its models make; undefined: anything. */
  makes: string | undefined;
  use: ItemSource["use"];
}

const KINDS: readonly StepKind[] = [
  { id: "animate", label: "Animate", from: "image", takes: "image", makes: "video", use: "file" },
  { id: "edit", label: "Edit or upscale", from: "image", takes: "image", makes: "image", use: "file" },
  {
    id: "continue",
    label: "Continue from last frame",
    from: "video",
    takes: "image",
    makes: "video",
    use: "last-frame",
  },
  { id: "edit-clip", label: "Edit or extend", from: "video", takes: "video", makes: undefined, use: "file" },
  { id: "sound", label: "Use as sound", from: "audio", takes: "audio", makes: undefined, use: "file" },
];

/** The steps that some results allow, those of their most frequent kind first. */
export function stepKinds(results: readonly ChainResult[]): StepKind[] {
  const count = (kind: MediaKind) => results.filter(({ file }) => file.kind === kind).length;
  return KINDS.filter(({ from }) => count(from) > 0).sort((a, b) => count(b.from) - count(a.from));
}

/** The fields of a model that a step can fill, the likeliest first. */
export function stepFields(schema: FormSchema, { takes }: StepKind): MediaField[] {
  const fields = schema.fields.filter((field) => field.kind === "media");
  const fitting = fields.filter(({ media, role }) => role !== "mask" && (media === takes || media === "file"));
  return fitting.sort((a, b) => Number(b.media === takes) - Number(a.media === takes));
}

/** Whether a model can do a step: it takes such a file, and makes what the step makes. */
export function takesStep(known: ModelSchema | undefined, kind: StepKind): boolean {
  if (known?.state !== "ready") return false;
  const makes = kind.makes === undefined || known.type === kind.makes;
  return makes && stepFields(known.schema, kind).length > 0;
}
