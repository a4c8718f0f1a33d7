import { knownFacts } from "#media/file-facts.ts";
import { mediaAspect } from "#media/show/media-aspect.ts";
import { expectedResult } from "#results/waiting/expected-result.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { schemaOf } from "./sheet-axes.ts";
import type { SheetResult } from "./sheet-results.ts";

/** So many earlier results of a model are looked at for their shape. */
const MAX_EARLIER = 20;

/** The newest jobs of each model whose files have a size: the next ones are expected in their shape. */
function earlierByModel(tracked: readonly TrackedJob[]): Map<string | undefined, TrackedJob[]> {
  const byModel = new Map<string | undefined, TrackedJob[]>();
  for (const job of tracked) {
    const shown = [...(job.files ?? []), ...job.media];
    if (!shown.some(({ width, height }) => width && height)) continue;
    const known = byModel.get(job.model) ?? [];
    if (known.length < MAX_EARLIER) known.push(job);
    byModel.set(job.model, known);
  }
  return byModel;
}

export type CellShapes = (result: SheetResult) => number;

/**
 * Width over height of the box of each result, live. Once a box has a shape it keeps it, so that nothing moves when a result
 * comes, however it turns out: one that has come already is in its own shape.
 */
export function createCellShapes(): (schemas: ModelSchemas, tracked: readonly TrackedJob[]) => CellShapes {
  const shapes = new Map<string, { request: object; aspect: number }>();
  return (schemas, tracked) => {
    let earlier: Map<string | undefined, TrackedJob[]> | undefined;
    return ({ id, view: { item }, files: [file], job }) => {
      const known = shapes.get(id);
      if (known?.request === item.request) return known.aspect;
      const { model, payload } = item.request;
      const read = schemas.get(model);
      const type = read?.state === "ready" ? read.type : undefined;
      earlier ??= earlierByModel(tracked);
      const shown = file && { ...file, ...job?.files?.[0], ...knownFacts(file.url) };
      const schema = schemaOf(schemas, model);
      const expected = expectedResult({ payload, schema, type, model, tracked: earlier.get(model) ?? [] });
      const aspect =
        shown?.width && shown.height
          ? mediaAspect(shown)
          : (expected.aspect ?? mediaAspect({ kind: file?.kind ?? expected.kind }, payload));
      // What a model makes is known once its parameters were read.
      if (read !== undefined && read.state !== "loading") shapes.set(id, { request: item.request, aspect });
      return aspect;
    };
  };
}
