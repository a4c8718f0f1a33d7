import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import type { UploadPlace } from "#media/upload/upload-store.ts";
import { mediaAddresses, mediaValue } from "#schema-form/controls/media-addresses.ts";
import type { MediaField } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { createFieldRows } from "#screens/create/field-rows.ts";
import fc from "../../setup/fc.ts";

const schema = readSchema([
  { name: "image", type: "image", required: true },
  { name: "images", type: "array of strings (URLs)", max_items: 3, required: false },
]);
const fields = schema.fields.filter((field): field is MediaField => field.kind === "media");
const MODELS = ["lumen", "halide"];

/** A page with two models, whose drafts are one text each, and uploads that end when the test says so. */
function openPage() {
  const drafts = new Map<string, JsonRecord>(MODELS.map((id) => [id, {}]));
  const draftOf = (modelId: string) => drafts.get(modelId) ?? {};
  const begun = new Map<string, { place: UploadPlace; onStored: (address: string, note: undefined) => void }>();
  const arrived: string[] = [];
  const unplaced: string[] = [];
  let count = 0;
  const uploads = {
    start(order: { place: UploadPlace; onStored: (address: string, note: undefined) => void }) {
      count += 1;
      const id = `upload-${count}`;
      begun.set(id, order);
      return id;
    },
    cancel: (id: string) => void begun.delete(id),
    moveTo: () => undefined,
    keepAddress: (id: string) => void unplaced.push(id),
    retry: () => undefined,
    stop: () => undefined,
  };
  const store = createFieldRows("account", uploads, (_account, modelId, change) => {
    // Twice is the same as once.
    drafts.set(modelId, change(change(draftOf(modelId))));
  });
  const held = new Map<string, { rows: ReturnType<typeof store.fieldOf>["rows"]; leave: () => void }>();
  const keyOf = (modelId: string, field: MediaField) => `${modelId}/${field.key}`;
  return {
    drafts,
    begun,
    arrived,
    unplaced,
    enter(modelId: string, field: MediaField) {
      const key = keyOf(modelId, field);
      if (held.has(key)) return;
      const addresses = mediaAddresses(draftOf(modelId)[field.key]);
      const place = { modelId, path: [field.key], label: field.label };
      const most = field.shape === "one" ? 1 : (field.maxItems ?? 9);
      const order = { place, top: field, field, most, kind: "image", addresses } as const;
      const one = store.fieldOf(order, draftOf(modelId));
      const take = (next: string[]) => {
        drafts.set(modelId, { ...draftOf(modelId), [field.key]: mediaValue(field, next) });
        store.see(one, order, draftOf(modelId));
      };
      const leave = store.show(one, take, () => draftOf(modelId));
      one.rows.follow(addresses);
      held.set(key, { rows: one.rows, leave });
    },
    leave(modelId: string, field: MediaField) {
      held.get(keyOf(modelId, field))?.leave();
      held.delete(keyOf(modelId, field));
    },
    drop: (modelId: string, field: MediaField) =>
      held.get(keyOf(modelId, field))?.rows.addFiles([new File(["x"], "x.png")]),
    cancel(modelId: string, field: MediaField) {
      const rows = held.get(keyOf(modelId, field))?.rows;
      const upload = rows?.get().find((row) => row.upload !== undefined)?.upload;
      if (upload !== undefined) rows?.dropUpload(upload);
    },
    finish(at: number) {
      const [id, order] = [...begun][at % Math.max(1, begun.size)] ?? [];
      if (id === undefined || !order) return;
      arrived.push(id);
      order.onStored(id, undefined);
      begun.delete(id);
    },
  };
}

const step = fc.record({
  act: fc.constantFrom("enter", "leave", "drop", "cancel", "finish"),
  model: fc.constantFrom(...MODELS),
  field: fc.constantFrom(...fields),
  at: fc.nat(5),
});

describe("uploads that outlive their field", () => {
  it("bring each address once, and into the field it was meant for", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const page = openPage();
        const meant = new Map<string, string>();
        for (const { act, model, field, at } of steps) {
          if (act === "enter") page.enter(model, field);
          if (act === "leave") page.leave(model, field);
          if (act === "drop") page.drop(model, field);
          if (act === "cancel") page.cancel(model, field);
          for (const [id, { place }] of page.begun) meant.set(id, `${place.modelId}/${place.path?.[0]}`);
          if (act === "finish") page.finish(at);
        }
        while (page.begun.size > 0) page.finish(0);
        const found = MODELS.flatMap((model) =>
          fields.flatMap((field) =>
            mediaAddresses(page.drafts.get(model)?.[field.key]).map((id) => ({ id, where: `${model}/${field.key}` })),
          ),
        );
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
        for (const { id, where } of found) expect(meant.get(id)).toBe(where);
        expect(page.unplaced).toEqual([]);
        // A list keeps what came; a single field the last one.
        for (const id of page.arrived.filter((one) => meant.get(one)?.endsWith("/images"))) {
          expect(found.map((one) => one.id)).toContain(id);
        }
        for (const model of MODELS) {
          const last = page.arrived.findLast((one) => meant.get(one) === `${model}/image`);
          expect(page.drafts.get(model)?.image).toBe(last);
        }
      }),
    );
  });
});
