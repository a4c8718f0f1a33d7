import "../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
import type { Api } from "#api/create-api.ts";
import { connect, disconnect } from "#connection/connection-store.ts";
import { followForm, putIntoDraft, startingDraft } from "#create/drafts.ts";
import { putFiles } from "#create/media-inputs.ts";
import { type JsonRecord, ownRecord, withKey } from "#lib/read.ts";
import { seeUploads, useUploadStore } from "#media/upload/upload-store.ts";
import { createUploads } from "#media/upload/uploads.ts";
import { draftToPayload, uploadIds, valuesWithUploads } from "#schema-form/draft.ts";
import { createFormHandle, type FormHandle, PAYLOAD_TEXT } from "#schema-form/form/form-handle.ts";
import { followUploads } from "#schema-form/form/use-schema-form.ts";
import { isUpload, mediaAddresses, mediaItems, mediaValue } from "#schema-form/media-value.ts";
import type { MediaField } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { loadDraft, saveDraft } from "#storage/drafts.ts";
import { KEYS } from "#storage/keys.ts";
import fc from "../setup/fc.ts";
import { until } from "../setup/until.ts";

const face = { type: "string", contentMediaType: "image/*" };
const schema = readSchema([
  { name: "prompt", type: "string" },
  { name: "image", type: "image" },
  { name: "images", type: "array of strings (URLs)", max_items: 3 },
  {
    name: "cast",
    type: "array",
    items: {
      type: "object",
      properties: { who: { type: "object", properties: { face, weight: { type: "number" } } } },
    },
  },
]);
const fields = schema.fields.filter((field): field is MediaField => field.kind === "media");
const MODELS = ["lumen", "halide"];

let accounts = 0;

/** A tab: forms of models that open and close, their drafts in the database, and uploads that end when the test says so. */
function openTab(accountId = `account ${accounts + 1}`) {
  accounts += 1;
  // Of a test that failed.
  useUploadStore.setState({ uploads: [], wanted: undefined });
  const begun = new Map<string, (address: string) => void>();
  const idOf = new Map<string, string>();
  const uploads = createUploads({
    api: {} as Api,
    accountId,
    upload: ({ file, signal }) =>
      new Promise((resolve, reject) => {
        begun.set(file.name, (publicUrl) => resolve({ publicUrl, note: undefined }));
        signal?.addEventListener("abort", () => {
          begun.delete(file.name);
          reject(signal.reason);
        });
      }),
  });
  let names = 0;
  const forms = new Map<string, { form: FormHandle; leave: () => void }>();
  return {
    accountId,
    uploads,
    begun,
    idOf,
    form: (modelId: string) => forms.get(modelId)?.form,
    async enter(modelId: string): Promise<FormHandle> {
      const known = forms.get(modelId)?.form;
      if (known) return known;
      const draft = await startingDraft(accountId, modelId, uploads, () => true);
      const form = createFormHandle(modelId, schema, draft);
      // In the order of the hooks of the screen.
      const stops = [followUploads(form), followForm(accountId, modelId, form)];
      const leave = () => {
        for (const stop of stops) stop();
      };
      forms.set(modelId, { form, leave });
      return form;
    },
    leave(modelId: string): void {
      forms.get(modelId)?.leave();
      forms.delete(modelId);
    },
    /** A file of a name of its own. */
    file(): File {
      names += 1;
      return new File(["x"], `file-${names}`);
    },
    /** The id of each upload that has begun, by the name of its file. */
    note(): void {
      for (const { name, id } of useUploadStore.getState().uploads) idOf.set(name, id);
    },
    async finish(at: number): Promise<string | undefined> {
      const [name, resolve] = [...begun][at % Math.max(1, begun.size)] ?? [];
      if (name === undefined || !resolve) return undefined;
      begun.delete(name);
      resolve(name);
      // What the upload does once it is stored.
      for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
      return name;
    },
    hasField: (name: string) => useUploadStore.getState().uploads.find((one) => one.name === name)?.hasField,
    stop: () => {
      for (const { leave } of forms.values()) leave();
      uploads.stop();
    },
  };
}

const leavePage = () => globalThis.dispatchEvent(new Event("pagehide"));
const nameOf = (form: FormHandle, key: string) => form.names[schema.fields.findIndex((one) => one.key === key)] ?? "";
const stored = (accountId: string, modelId: string) =>
  loadDraft(accountId, modelId).then((draft) => draft?.payload ?? {});

const step = fc.record({
  act: fc.constantFrom("enter", "leave", "drop", "cancel", "finish"),
  model: fc.constantFrom(...MODELS),
  field: fc.constantFrom(...fields),
  at: fc.nat(5),
});

describe("uploads that outlive their form", () => {
  it("bring each address once, into the field it was meant for and into its stored draft", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const tab = openTab();
        const meant = new Map<string, string>();
        const arrived: string[] = [];
        for (const { act, model, field, at } of steps) {
          const form = tab.form(model);
          if (act === "enter") await tab.enter(model);
          if (act === "leave") tab.leave(model);
          if (act === "drop" && form) {
            putFiles(form, field, [tab.file()], tab.uploads);
            for (const name of tab.begun.keys()) if (!meant.has(name)) meant.set(name, `${model}/${field.key}`);
          }
          if (act === "cancel" && form) {
            const item = mediaItems(form.getValue(nameOf(form, field.key)).value).find(isUpload);
            if (item) tab.uploads.cancel(item.upload);
          }
          if (act === "finish") arrived.push(...[await tab.finish(at)].filter((name) => name !== undefined));
        }
        while (tab.begun.size > 0) arrived.push((await tab.finish(0)) ?? "");
        for (const model of MODELS) {
          const form = await tab.enter(model);
          const payload = form.getPayload();
          expect(uploadIds(form.getDraft())).toEqual([]);
          const found = fields.flatMap(({ key }) =>
            mediaAddresses(payload[key]).map((name) => ({ name, where: `${model}/${key}` })),
          );
          expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
          for (const { name, where } of found) expect(meant.get(name)).toBe(where);
          // A list keeps what came; a single field the last one.
          for (const name of arrived.filter((one) => meant.get(one) === `${model}/images`))
            expect(payload.images).toContain(name);
          expect(payload.image).toBe(arrived.findLast((one) => meant.get(one) === `${model}/image`));
          for (const name of arrived) expect(tab.hasField(name)).toBe(true);
          tab.leave(model);
          await until(async () => expect(await stored(tab.accountId, model)).toEqual(payload));
        }
        tab.stop();
      }),
    );
  });
});

/** An entry as the test knows it: by a name that is not in the payload. */
interface Entry {
  name: number;
  value: JsonRecord;
}

/** A form with one list of entries, in whichever view. */
function openEntries() {
  const tab = openTab();
  let names = 0;
  let entries: Entry[] = [];
  /** `form`: all entries are on the screen. `json`: the form is open, and none is. */
  let view: "form" | "json" | "closed" = "closed";
  const meant = new Map<string, number>();
  const removed = new Set<number>();
  const form = () => tab.form("lumen");
  const castOf = (payload: JsonRecord) => (payload.cast ?? []) as JsonRecord[];
  /** What the form holds now of the entries, uploads included. */
  const read = () => {
    const open = form();
    if (!open) return;
    const values = castOf(valuesWithUploads(open.getDraft()));
    entries = entries.map((entry, at) => ({ ...entry, value: values[at] ?? {} }));
    if (view === "form") seeUploads(entries.flatMap(({ value }) => mediaAddresses(ownRecord(value, "who")?.face)));
  };
  const plain = () => castOf(draftToPayload(form()?.getDraft() ?? ({} as never)));
  const isDistinct = (all: readonly unknown[]) => new Set(all.map((one) => JSON.stringify(one))).size === all.length;
  function change(next: Entry[]): void {
    for (const { name } of entries) if (!next.some((entry) => entry.name === name)) removed.add(name);
    entries = next;
    const open = form();
    const values = entries.map(({ value }) => value);
    if (view === "form") open?.setField(nameOf(open, "cast"), values);
    // As a text that is read again.
    if (view === "json") open?.setPayload(JSON.parse(JSON.stringify({ cast: values })) as JsonRecord);
    read();
  }
  return {
    tab,
    meant,
    removed,
    entries: () => entries,
    read,
    add() {
      if (view === "closed" || entries.length > 4) return;
      names += 1;
      // What is written into JSON can be told apart; what a button adds is empty.
      change([...entries, { name: names, value: view === "json" ? { note: names } : { who: { face: "" } } }]);
    },
    remove(at: number) {
      if (view === "closed" || (view === "json" && !isDistinct(plain()))) return;
      change(entries.filter((_, position) => position !== at % Math.max(1, entries.length)));
    },
    move(at: number) {
      const [first, ...rest] = entries;
      if (!first || view === "closed" || (view === "json" && !isDistinct(plain()))) return;
      const place = 1 + (at % entries.length);
      change([...rest.slice(0, place), first, ...rest.slice(place)]);
    },
    weigh(at: number) {
      names += 1;
      const place = at % Math.max(1, entries.length);
      const weigh = (value: JsonRecord) => ({ ...value, weight: names });
      if (view !== "closed")
        change(entries.map((one, position) => (position === place ? { ...one, value: weigh(one.value) } : one)));
    },
    drop(at: number) {
      const entry = entries[at % Math.max(1, entries.length)];
      const open = form();
      if (!entry || !open || view !== "form") return;
      const who = ownRecord(entry.value, "who") ?? {};
      const [before] = mediaItems(who.face);
      const file = tab.file();
      const over = before === undefined ? "" : isUpload(before) ? before.replaces : before;
      const upload = tab.uploads.start({ file, kind: "image", modelId: "lumen", label: "Face" });
      const value = mediaValue({ shape: "one" }, [{ upload, replaces: over }]);
      if (before !== undefined && isUpload(before)) tab.uploads.cancel(before.upload);
      meant.set(file.name, entry.name);
      read();
      const next = entries.map((one) =>
        one.name === entry.name ? { ...one, value: withKey(one.value, "who", withKey(who, "face", value)) } : one,
      );
      change(next);
    },
    /** Another tab writes the draft: an entry goes, or the first one comes last. */
    async write(at: number) {
      if (view !== "closed") return;
      const before = castOf(await stored(tab.accountId, "lumen"));
      if (before.length !== entries.length || !isDistinct(before)) return;
      const [first, ...rest] = before;
      const [firstEntry, ...others] = entries;
      if (!first || !firstEntry) return;
      await saveDraft(tab.accountId, "lumen", { cast: at % 2 === 0 ? rest : [...rest, first] });
      if (at % 2 === 0) removed.add(firstEntry.name);
      entries = at % 2 === 0 ? others : [...others, firstEntry];
    },
    async look(next: "form" | "json" | "closed") {
      if (view === next) return;
      if (next === "closed") {
        const payload = form()?.getPayload() ?? {};
        tab.leave("lumen");
        await until(async () => expect(await stored(tab.accountId, "lumen")).toEqual(payload));
      } else await tab.enter("lumen");
      view = next;
      read();
    },
    async finish(at: number) {
      await tab.finish(at);
      read();
    },
  };
}

const ACTS = ["add", "remove", "move", "weigh", "drop", "drop", "form", "json", "closed", "finish", "write"] as const;
const entryStep = fc.record({ act: fc.constantFrom(...ACTS), at: fc.nat(6) });

describe("uploads into entries of a list", () => {
  it("end in the entry that they were dropped into, or say that it is gone", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entryStep, { minLength: 10, maxLength: 60, size: "max" }), async (steps) => {
        const page = openEntries();
        const replaced = new Set<string>();
        await page.look("form");
        for (const { act, at } of [{ act: "add", at: 0 } as const, { act: "add", at: 0 } as const, ...steps]) {
          const before = new Set(page.tab.begun.keys());
          if (act === "form" || act === "json" || act === "closed") await page.look(act);
          else await page[act](at);
          if (act === "drop") for (const name of before) if (!page.tab.begun.has(name)) replaced.add(name);
        }
        while (page.tab.begun.size > 0) await page.finish(0);
        await page.look("form");
        page.read();
        const holderOf = new Map(
          page.entries().flatMap(({ name, value }) => {
            const [address] = mediaAddresses(ownRecord(value, "who")?.face);
            return address ? [[address, name]] : [];
          }),
        );
        for (const [file, name] of page.meant) {
          const holder = holderOf.get(file);
          const hasField = page.tab.hasField(file);
          // Another file may have come after it.
          const isLater = [...holderOf].some(([other, at]) => at === name && other !== file);
          if (holder !== undefined) expect(holder).toBe(name);
          else if (!replaced.has(file) && !isLater) expect(page.removed.has(name)).toBe(true);
          if (hasField === false) expect(page.removed.has(name)).toBe(true);
        }
        page.tab.stop();
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a file that arrives", () => {
  it("waits while the JSON text is broken, and is in what is made of it", async () => {
    const tab = openTab();
    const form = await tab.enter("lumen");
    putFiles(form, fields[0] as MediaField, [tab.file()], tab.uploads);
    form.setUnreadable(PAYLOAD_TEXT, "Invalid JSON");
    await tab.finish(0);
    expect(form.getPayload()).toEqual({});
    form.setPayload({ prompt: "A hare" });
    expect(form.getPayload()).toEqual({ prompt: "A hare", image: "file-1" });
    tab.stop();
  });

  it("is in the draft where the form was left with a broken text", async () => {
    const tab = openTab();
    await saveDraft(tab.accountId, "lumen", { prompt: "A fox" });
    const form = await tab.enter("lumen");
    putFiles(form, fields[0] as MediaField, [tab.file()], tab.uploads);
    form.setUnreadable(PAYLOAD_TEXT, "Invalid JSON");
    await tab.finish(0);
    tab.leave("lumen");
    await until(async () => expect(await stored(tab.accountId, "lumen")).toEqual({ prompt: "A fox", image: "file-1" }));
    tab.stop();
  });

  it("is in a form that opens before it is written", async () => {
    const tab = openTab();
    putFiles(await tab.enter("lumen"), fields[0] as MediaField, [tab.file()], tab.uploads);
    tab.leave("lumen");
    const opening = tab.enter("lumen");
    await tab.finish(0);
    expect((await opening).getPayload()).toEqual({ image: "file-1" });
    tab.stop();
  });

  it("leaves a broken text beside it as it is, in another field and in its own", async () => {
    const tab = openTab();
    const form = await tab.enter("lumen");
    putFiles(form, fields[0] as MediaField, [tab.file()], tab.uploads);
    const cast = nameOf(form, "cast");
    const upload = tab.uploads.start({ file: tab.file(), kind: "image", modelId: "lumen", label: "Face" });
    form.setField(cast, [{ who: { face: mediaValue({ shape: "one" }, [{ upload, replaces: "" }]) } }]);
    form.methods.setValue(cast, form.getValue(cast).withUnreadable(`${cast}/0/note`, "Invalid JSON"));
    await tab.finish(0);
    expect(form.getPayload()).toEqual({ image: "file-1", cast: [{ who: {} }] });
    expect(form.getValue(cast).unreadable.size).toBe(1);
    // What is made of its text takes the place of its value.
    await tab.finish(0);
    expect(form.getPayload()).toEqual({ image: "file-1", cast: [{ who: {} }] });
    expect(form.getValue(cast).unreadable.size).toBe(1);
    form.methods.setValue(cast, form.getValue(cast).withUnreadable(`${cast}/0/note`, undefined));
    expect(form.getPayload()).toEqual({ image: "file-1", cast: [{ who: { face: "file-2" } }] });
    tab.stop();
  });
});

describe("a file that is dropped into a list", () => {
  it("is counted where the list has no room for it", async () => {
    const tab = openTab();
    const form = await tab.enter("lumen");
    const images = fields[1] as MediaField;
    expect(putFiles(form, images, [tab.file(), tab.file()], tab.uploads)).toBe(0);
    expect(putFiles(form, images, [tab.file(), tab.file()], tab.uploads)).toBe(1);
    expect(putFiles(form, images, [tab.file()], tab.uploads)).toBe(1);
    expect(form.getUploads()).toHaveLength(3);
    expect(tab.begun.size).toBe(3);
    tab.stop();
  });

  it("writes nothing over what another tab has typed", async () => {
    const tab = openTab();
    await saveDraft(tab.accountId, "lumen", { images: ["https://a.example/1.png"] });
    const form = await tab.enter("lumen");
    const written = { prompt: "A fox", images: ["https://a.example/1.png"] };
    await saveDraft(tab.accountId, "lumen", written);
    const payload = form.getPayload();
    putFiles(form, fields[1] as MediaField, [tab.file()], tab.uploads);
    expect(form.getPayload()).toBe(payload);
    tab.leave("lumen");
    await tab.finish(0);
    const whole = { ...written, images: [...written.images, "file-1"] };
    await until(async () => expect(await stored(tab.accountId, "lumen")).toEqual(whole));
    tab.stop();
  });
});

describe("a file that is dropped while the key stands in the form", () => {
  it("comes to the draft, which never has the key, also where it arrives before the form is left", async () => {
    const key = "sandbox-key-9f8e7d6c5b4a39281706f5e4d3c2b1a0";
    await connect({ queueBaseUrl: "https://q.example", inferenceBaseUrl: "https://i.example", key });
    const tab = openTab();
    await saveDraft(tab.accountId, "lumen", { prompt: "A fox" });
    const form = await tab.enter("lumen");
    form.setField(nameOf(form, "prompt"), `A fox ${key}`);
    putFiles(form, fields[0] as MediaField, [tab.file()], tab.uploads);
    leavePage();
    expect(JSON.stringify(readJson(KEYS.unloadDraft))).toContain("file-1");
    expect(JSON.stringify(readJson(KEYS.unloadDraft))).not.toContain(key);
    tab.leave("lumen");
    await tab.finish(0);
    await until(async () => expect(await stored(tab.accountId, "lumen")).toEqual({ prompt: "A fox", image: "file-1" }));
    tab.stop();
    const open = openTab();
    await saveDraft(open.accountId, "lumen", { prompt: "A fox" });
    const again = await open.enter("lumen");
    again.setField(nameOf(again, "prompt"), `A fox ${key}`);
    putFiles(again, fields[0] as MediaField, [open.file()], open.uploads);
    await open.finish(0);
    expect(again.getPayload()).toEqual({ prompt: `A fox ${key}`, image: "file-1" });
    putFiles(again, fields[1] as MediaField, [open.file()], open.uploads);
    leavePage();
    expect(JSON.stringify(readJson(KEYS.unloadDraft))).toContain('"image":"file-1"');
    await open.finish(0);
    // The listing is read again.
    const next = createFormHandle("lumen", schema, again.getDraft());
    open.leave("lumen");
    putFiles(next, fields[1] as MediaField, [open.file()], open.uploads);
    const stops = [followUploads(next), followForm(open.accountId, "lumen", next)];
    leavePage();
    expect(JSON.stringify(readJson(KEYS.unloadDraft))).not.toContain(key);
    await open.finish(0);
    for (const stop of stops) stop();
    const whole = { prompt: "A fox", image: "file-1", images: ["file-2", "file-3"] };
    await until(async () => expect(await stored(open.accountId, "lumen")).toEqual(whole));
    open.stop();
    // Another connection becomes current, which ends the uploads of this one before its form is gone.
    const last = openTab();
    const left = await last.enter("halide");
    left.setField(nameOf(left, "prompt"), `A fox ${key}`);
    putFiles(left, fields[0] as MediaField, [last.file()], last.uploads);
    disconnect();
    last.uploads.stop();
    last.leave("halide");
    leavePage();
    expect(JSON.stringify(readJson(KEYS.unloadDraft) ?? "")).not.toContain(key);
    expect(await stored(last.accountId, "halide")).toEqual({});
    last.stop();
  });
});

describe("the line of a file in the queue", () => {
  it("says that its field is gone where the address was taken out before anybody saw it", async () => {
    const tab = openTab();
    const form = await tab.enter("lumen");
    putFiles(form, fields[0] as MediaField, [tab.file()], tab.uploads);
    await tab.finish(0);
    expect(tab.hasField("file-1")).toBe(true);
    form.setPayload({ prompt: "A fox" });
    expect(tab.hasField("file-1")).toBe(false);
    tab.stop();
  });

  it("says so where the listing has lost the field, and where another tab has taken its entry", async () => {
    const tab = openTab();
    putFiles(await tab.enter("lumen"), fields[0] as MediaField, [tab.file()], tab.uploads);
    tab.leave("lumen");
    expect(tab.hasField("file-1")).toBe(true);
    const draft = await startingDraft(tab.accountId, "lumen", tab.uploads, () => true);
    const form = createFormHandle("lumen", readSchema([{ name: "prompt", type: "string" }]), draft);
    const stops = [followUploads(form), followForm(tab.accountId, "lumen", form)];
    expect([form.getUploads(), tab.hasField("file-1")]).toEqual([[], false]);
    for (const stop of stops) stop();
    const other = await tab.enter("halide");
    putFiles(other, fields[0] as MediaField, [tab.file()], tab.uploads);
    tab.leave("halide");
    await saveDraft(tab.accountId, "halide", { image: "https://a.example/1.png" });
    await tab.enter("halide");
    expect(tab.hasField("file-2")).toBe(false);
    tab.stop();
  });

  it("says so where a form that keeps no draft was closed", () => {
    const tab = openTab();
    const form = createFormHandle("lumen", schema);
    const stop = followUploads(form);
    putFiles(form, fields[0] as MediaField, [tab.file()], tab.uploads);
    expect(tab.hasField("file-1")).toBe(true);
    stop();
    expect(tab.hasField("file-1")).toBe(false);
    tab.stop();
  });

  it("can be removed once the file is stored, and its address still comes", async () => {
    const tab = openTab();
    const form = await tab.enter("lumen");
    putFiles(form, fields[0] as MediaField, [tab.file()], tab.uploads);
    form.setUnreadable(PAYLOAD_TEXT, "Invalid JSON");
    await tab.finish(0);
    const [{ id } = { id: "" }] = useUploadStore.getState().uploads;
    tab.uploads.cancel(id);
    expect(useUploadStore.getState().uploads).toMatchObject([{ file: undefined, state: { isSeen: true } }]);
    form.setPayload({});
    expect(form.getPayload()).toEqual({ image: "file-1" });
    tab.stop();
  });
});

describe("a page that is left while a file is on its way", () => {
  it("says in the field that the file has to be chosen again, once", async () => {
    const tab = openTab("someone");
    await saveDraft("someone", "lumen", { prompt: "A fox", image: "https://a.example/1.png" });
    putFiles(await tab.enter("lumen"), fields[0] as MediaField, [tab.file()], tab.uploads);
    tab.leave("lumen");
    leavePage();
    const kept = readJson(KEYS.unloadDraft);
    expect(kept).toMatchObject([{ modelId: "lumen", payload: { image: "https://a.example/1.png" } }]);
    // The page after it knows nothing but what is stored.
    tab.stop();
    await until(() => expect(readJson(KEYS.unloadDraft)).toBeUndefined());
    writeJson(KEYS.unloadDraft, kept);
    const next = openTab("someone");
    const form = await next.enter("lumen");
    expect(form.getPayload()).toEqual({ prompt: "A fox", image: "https://a.example/1.png" });
    const [id = ""] = form.getUploads();
    const said = useUploadStore.getState().uploads.find((one) => one.id === id);
    expect(said).toMatchObject({ name: "file-1", label: "Image", file: undefined, state: { phase: "failed" } });
    await until(() => expect(readJson(KEYS.unloadDraft)).toBeUndefined());
    leavePage();
    expect(readJson(KEYS.unloadDraft)).toBeUndefined();
    next.stop();
  });

  it("has the address of one that was stored while the JSON text was broken", async () => {
    const tab = openTab("breaker");
    const form = await tab.enter("lumen");
    putFiles(form, fields[0] as MediaField, [tab.file()], tab.uploads);
    form.setUnreadable(PAYLOAD_TEXT, "Invalid JSON");
    await tab.finish(0);
    leavePage();
    expect(readJson(KEYS.unloadDraft)).toEqual([{ scope: "breaker", modelId: "lumen", payload: { image: "file-1" } }]);
    tab.stop();
    await until(() => expect(readJson(KEYS.unloadDraft)).toBeUndefined());
  });

  it("does not put what it had over what another tab wrote meanwhile", async () => {
    const tab = openTab("somebody");
    const form = await tab.enter("halide");
    putFiles(form, fields[1] as MediaField, [tab.file()], tab.uploads);
    form.setField(nameOf(form, "prompt"), "A fox");
    tab.leave("halide");
    await until(async () => expect(await stored("somebody", "halide")).toEqual({ prompt: "A fox" }));
    leavePage();
    const kept = readJson(KEYS.unloadDraft);
    tab.stop();
    writeJson(KEYS.unloadDraft, kept);
    await saveDraft("somebody", "halide", { prompt: "A hare" });
    const next = openTab("somebody");
    const again = await next.enter("halide");
    expect(again.getPayload()).toEqual({ prompt: "A hare" });
    expect(again.getUploads()).toHaveLength(1);
    next.stop();
  });
});

describe("a draft that is being written when the page is left", () => {
  it("is stored for the page after a reload, and no longer once it is in the database", async () => {
    const tab = openTab("typist");
    const form = await tab.enter("lumen");
    form.setField(nameOf(form, "prompt"), "A fox");
    tab.leave("lumen");
    leavePage();
    const row = { scope: "typist", modelId: "lumen", payload: { prompt: "A fox" } };
    expect(readJson(KEYS.unloadDraft)).toEqual([row]);
    await until(async () => expect(await stored("typist", "lumen")).toEqual({ prompt: "A fox" }));
    await until(() => expect(readJson(KEYS.unloadDraft)).toBeUndefined());
    tab.stop();
  });

  it("is read where a tab of an older version stored it, and leaves that of another model", async () => {
    const tab = openTab("reader");
    const other = { scope: "reader", modelId: "halide", payload: { prompt: "A hare" } };
    writeJson(KEYS.unloadDraft, [other, { scope: "reader", modelId: "lumen", payload: { prompt: "A wren" } }]);
    expect((await tab.enter("lumen")).getPayload()).toEqual({ prompt: "A wren" });
    await until(() => expect(readJson(KEYS.unloadDraft)).toEqual([other]));
    writeJson(KEYS.unloadDraft, other);
    expect((await tab.enter("halide")).getPayload()).toEqual({ prompt: "A hare" });
    await until(() => expect(readJson(KEYS.unloadDraft)).toBeUndefined());
    tab.stop();
  });

  it("has no uploads of the page before that cannot be read", async () => {
    const tab = openTab("stranger");
    const place = { path: ["image"], shape: "one", items: [{ replaces: "", name: "a.png", label: "Image" }] };
    const broken = [
      null,
      7,
      {},
      { ...place, shape: "two" },
      { ...place, path: [null] },
      { ...place, path: ["a", "b"] },
    ];
    const row = { scope: "stranger", modelId: "lumen", payload: { prompt: "A wren" }, uploads: broken };
    writeJson(KEYS.unloadDraft, [row]);
    const form = await tab.enter("lumen");
    expect(form.getPayload()).toEqual({ prompt: "A wren" });
    expect(form.getUploads()).toEqual([]);
    await until(() => expect(readJson(KEYS.unloadDraft)).toBeUndefined());
    tab.stop();
  });
});

describe("a beginning that is put into a draft", () => {
  const begin = (payload: JsonRecord) => ({ ...payload, prompt: "A lamp" });

  it("is in the form that is open, in a draft that is being written, and in one that is stored", async () => {
    const tab = openTab("beginner");
    const form = await tab.enter("lumen");
    expect(await putIntoDraft("beginner", "lumen", tab.uploads, begin)).toBe(form);
    expect(form.getPayload()).toEqual({ prompt: "A lamp" });
    const other = await tab.enter("halide");
    other.setField(nameOf(other, "image"), "https://a.example/1.png");
    tab.leave("halide");
    expect(await putIntoDraft("beginner", "halide", tab.uploads, begin)).toBeUndefined();
    expect((await tab.enter("halide")).getPayload()).toEqual({ prompt: "A lamp", image: "https://a.example/1.png" });
    await putIntoDraft("beginner", "aurora", tab.uploads, begin);
    await until(async () => expect(await stored("beginner", "aurora")).toEqual({ prompt: "A lamp" }));
    tab.stop();
  });
});
