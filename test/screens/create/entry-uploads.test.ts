import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import type { UploadPlace } from "#media/upload/upload-store.ts";
import { mediaAddresses, mediaValue } from "#schema-form/controls/media-addresses.ts";
import type { Field, GroupField, ListField, MediaField } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { createFieldRows } from "#screens/create/field-rows.ts";
import fc from "../../setup/fc.ts";

const properties = { face: { type: "string", contentMediaType: "image/*" }, weight: { type: "number" } };
const schema = readSchema([
  { name: "cast", type: "array", items: { type: "object", properties: { who: { type: "object", properties } } } },
]);
const top = schema.fields[0] as ListField;
const who = (top.item as GroupField).fields[0] as GroupField;
const face = who.fields.find((field: Field) => field.kind === "media") as MediaField;

type Change = (payload: JsonRecord) => JsonRecord;
/** An entry as the test knows it: by a name that is not in the payload. */
interface Entry {
  name: number;
  value: JsonRecord;
}

/** A form with one list of entries, its stored draft, and uploads that end when the test says so. */
function openPage() {
  let names = 0;
  let count = 0;
  let entries: Entry[] = [];
  /** `form`: all entries are on the screen. `json`: the form is open, and none is. */
  let view: "form" | "json" | "closed" = "form";
  let late: Change[] = [];
  let unwritten: Change[] = [];
  const begun = new Map<string, { place: UploadPlace; onStored: (address: string, note: undefined) => void }>();
  const meant = new Map<string, number>();
  const unplaced = new Set<string>();
  const shown = new Map<number, { held: ReturnType<typeof store.fieldOf>; leave: () => void }>();
  const removed = new Set<number>();

  const payload = (): JsonRecord => (entries.length > 0 ? { cast: entries.map(({ value }) => value) } : {});
  const take = (next: JsonRecord) => {
    const values = (next.cast ?? []) as JsonRecord[];
    entries = entries.map((entry, at) => ({ ...entry, value: values[at] ?? {} }));
  };
  const store = createFieldRows(
    "account",
    {
      start(order) {
        count += 1;
        const id = `upload-${count}`;
        begun.set(id, order);
        return id;
      },
      cancel: (id) => {
        begun.delete(id);
      },
      moveTo(id, place) {
        const order = begun.get(id);
        if (order) begun.set(id, { ...order, place });
      },
      keepAddress: (id) => {
        unplaced.add(id);
      },
    },
    (_account, _model, change) => {
      if (view === "closed") {
        late.push(change);
        unwritten.push(change);
        return undefined;
      }
      take(change(payload()));
      store.follow("lumen", payload());
      draw();
      return "a form";
    },
  );

  const orderOf = (at: number) => ({
    place: { modelId: "lumen", path: ["cast", String(at), "who", "face"], label: "Face" },
    top,
    field: face,
    most: 1,
    kind: "image" as const,
    addresses: mediaAddresses((entries[at]?.value.who as JsonRecord | undefined)?.face),
  });
  /** As React draws: entries that are gone leave, those that are new come, and all say where they are. */
  function draw(): void {
    const isShown = (name: number) => view === "form" && entries.some((entry) => entry.name === name);
    for (const [name, { leave }] of shown) {
      if (isShown(name)) continue;
      shown.delete(name);
      leave();
    }
    if (view !== "form") return;
    for (const [at, { name }] of entries.entries()) {
      const order = orderOf(at);
      const held = shown.get(name)?.held ?? store.fieldOf(order, payload());
      if (!shown.has(name)) shown.set(name, { held, leave: store.show(held, (given) => fill(name, given), payload) });
      store.see(held, order, payload());
      held.rows.follow(order.addresses);
    }
  }
  function fill(name: number, given: string[]): void {
    const file = mediaValue(face, given);
    change(
      entries.map((entry) => {
        if (entry.name !== name) return entry;
        const { face: _, ...rest } = (entry.value.who ?? {}) as JsonRecord;
        return { name, value: { ...entry.value, who: file === undefined ? rest : { ...rest, face: file } } };
      }),
    );
  }
  function change(next: Entry[]): void {
    for (const { name } of entries) if (!next.some((entry) => entry.name === name)) removed.add(name);
    entries = next;
    if (view !== "closed") store.follow("lumen", payload());
    draw();
  }
  const isDistinct = (all: readonly Entry[]) =>
    new Set(all.map(({ value }) => JSON.stringify(value))).size === all.length;

  return {
    meant,
    unplaced,
    removed,
    begun,
    entries: () => entries,
    add() {
      if (view === "closed" || entries.length > 4) return;
      names += 1;
      // What is written into JSON can be told apart; what a button adds is empty.
      change([...entries, { name: names, value: view === "json" ? { note: names } : { who: { face: "" } } }]);
    },
    remove(at: number) {
      const next = entries.filter((_, position) => position !== at % Math.max(1, entries.length));
      if (view === "form" || (view === "json" && isDistinct(entries))) change(next);
    },
    move(at: number) {
      const [first, ...rest] = entries;
      if (!first || (view === "json" && !isDistinct(entries)) || view === "closed") return;
      const place = 1 + (at % entries.length);
      change([...rest.slice(0, place), first, ...rest.slice(place)]);
    },
    weigh(at: number) {
      names += 1;
      const place = at % Math.max(1, entries.length);
      if (view === "closed") return;
      change(
        entries.map((entry, position) =>
          position === place ? { ...entry, value: { ...entry.value, weight: names } } : entry,
        ),
      );
    },
    drop(at: number) {
      const entry = entries[at % Math.max(1, entries.length)];
      if (!entry || view !== "form") return;
      shown.get(entry.name)?.held.rows.addFiles([new File(["x"], "x.png")]);
      for (const id of begun.keys()) if (!meant.has(id)) meant.set(id, entry.name);
    },
    /** Another tab writes the draft: an entry goes, or the first one comes last. */
    write(at: number) {
      if (view !== "closed" || !isDistinct(entries)) return;
      for (const one of unwritten) take(one(payload()));
      unwritten = [];
      if (!isDistinct(entries)) return;
      const [first, ...rest] = entries;
      change(at % 2 === 0 || !first ? rest : [...rest, first]);
    },
    look(next: "form" | "json" | "closed", at: number) {
      if (view === "closed" && next !== "closed") {
        // The form may have read its draft before the last changes of it were written.
        const written = unwritten.slice(0, at % (unwritten.length + 1));
        for (const one of [...written, ...late]) take(one(payload()));
        view = next;
        draw();
        store.follow("lumen", payload());
        const all = late;
        late = [];
        unwritten = [];
        for (const one of all) {
          take(one(payload()));
          store.follow("lumen", payload());
          draw();
        }
        return;
      }
      view = next;
      draw();
    },
    finish(at: number) {
      const [id, order] = [...begun][at % Math.max(1, begun.size)] ?? [];
      if (id === undefined || !order) return;
      order.onStored(id, undefined);
      begun.delete(id);
    },
  };
}

const ACTS = ["add", "remove", "move", "weigh", "drop", "drop", "form", "json", "closed", "finish", "write"] as const;
const step = fc.record({
  act: fc.constantFrom(...ACTS),
  at: fc.nat(6),
});

describe("uploads into entries of a list", () => {
  it("end in the entry that they were dropped into, or say that it is gone", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: "max" }), (steps) => {
        const page = openPage();
        const replaced = new Set<string>();
        for (const { act, at } of [{ act: "add", at: 0 } as const, { act: "add", at: 0 } as const, ...steps]) {
          const before = new Set(page.begun.keys());
          if (act === "form" || act === "json" || act === "closed") page.look(act, at);
          else page[act](at);
          if (act === "drop") for (const id of before) if (!page.begun.has(id)) replaced.add(id);
        }
        while (page.begun.size > 0) page.finish(0);
        page.look("form", 0);
        const holderOf = new Map(
          page.entries().flatMap(({ name, value }) => {
            const address = (value.who as JsonRecord | undefined)?.face;
            return typeof address === "string" && address !== "" ? [[address, name]] : [];
          }),
        );
        for (const [id, name] of page.meant) {
          const holder = holderOf.get(id);
          // Another file may have come after it.
          const isLater = [...holderOf].some(([other, at]) => at === name && other !== id);
          if (holder !== undefined) expect(holder).toBe(name);
          else if (!replaced.has(id) && !isLater) expect(page.unplaced.has(id) || page.removed.has(name)).toBe(true);
          if (page.unplaced.has(id)) expect(page.removed.has(name)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
