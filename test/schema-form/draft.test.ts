import { describe, expect, it } from "vitest";
import { createApi } from "#api/create-api.ts";
import { codeSample } from "#api/samples/code-samples.ts";
import { writeCsv } from "#batch/rows/csv-runs.ts";
import { writeTemplate } from "#batch/rows/read-recipe.ts";
import { readSharedPayload, writeSharedPayload } from "#create/create-search.ts";
import { batchOfForm } from "#create/run/batch-of-form.ts";
import type { JsonRecord } from "#lib/read.ts";
import { settingsText } from "#media/metadata/file-settings.ts";
import { estimateKey, priceKeys } from "#runs/prices/estimate-queries.ts";
import { placeIn, placeSteps } from "#schema-form/controls/control-props.ts";
import {
  type Draft,
  draftToPayload,
  payloadToDraft,
  uploadIds,
  valuesWithUploads,
  withDraftUploads,
} from "#schema-form/draft.ts";
import { followEntries } from "#schema-form/follow-entries.ts";
import { createFormHandle } from "#schema-form/form/form-handle.ts";
import { type MediaItem, mediaValue, UploadValue } from "#schema-form/media-value.ts";
import type { MediaField } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import fc from "../setup/fc.ts";

const image = { type: "string", contentMediaType: "image/*" };
const cast = { type: "object", properties: { "a/b": image, weight: { type: "number" }, note: { type: "string" } } };
const schema = readSchema({
  type: "object",
  properties: {
    prompt: { type: "string" },
    image,
    images: { type: "array", items: image },
    either: { anyOf: [image, { type: "array", items: image }] },
    scenes: { type: "array", items: { type: "object", properties: { cast: { type: "array", items: cast } } } },
    named: { type: "object", additionalProperties: image },
    frames: { type: "array", prefixItems: [image, image], items: false, minItems: 2, maxItems: 2 },
    style: { anyOf: [{ type: "string", enum: ["plain", "rough"] }, cast] },
    extra: {},
  },
});

type Shape = MediaField["shape"];

/** A value, what of it may leave, and what it becomes when every upload is stored, or ended. */
interface Sample {
  value: unknown;
  plain: unknown;
  stored: unknown;
  ended: unknown;
}

const address = fc.integer({ min: 1, max: 99 }).map((number) => `https://files.example/${number}.png`);
let uploads = 0;
const storedAt = (upload: string) => `https://stored.example/${upload}.png`;
/** An address, or an upload, alone or over an address. */
const item = fc.oneof(
  address,
  fc.constantFrom("", "https://files.example/over.png").map((replaces) => {
    uploads += 1;
    return { upload: `upload:${uploads}`, replaces };
  }),
);
const inShape = (shape: Shape, addresses: readonly string[]): unknown => {
  if (addresses.length === 0) return undefined;
  return shape === "many" || (shape === "either" && addresses.length > 1) ? [...addresses] : addresses[0];
};
const media = (shape: Shape): fc.Arbitrary<Sample> =>
  fc.array(item, { minLength: 1, maxLength: shape === "one" ? 1 : 4 }).map((items: MediaItem[]) => {
    const standing = items.map((one) => (typeof one === "string" ? one : one.replaces)).filter((one) => one !== "");
    const stored = items.map((one) => (typeof one === "string" ? one : storedAt(one.upload)));
    return {
      value: mediaValue({ shape }, items),
      plain: inShape(shape, standing),
      stored: inShape(shape, stored),
      ended: inShape(shape, standing),
    };
  });
/** Words that look like an upload, and objects that look like one in JSON. */
const lookalike = fc.oneof(
  fc.nat(40).map((number) => `upload:${number}`),
  fc.nat(40).map((number) => ({ upload: `upload:${number}`, replaces: "" })),
  fc.nat(40).map((number) => ({ shape: "one", items: [{ upload: `upload:${number}`, replaces: "" }], sent: null })),
  fc.jsonValue({ maxDepth: 2 }),
);
const plain = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Sample> =>
  value.map((one) => ({ value: one, plain: one, stored: one, ended: one }));

/** The samples of an object: a key whose value may not leave is left out; with the last of them it goes itself. */
const objectOf = (parts: Record<string, fc.Arbitrary<Sample>>): fc.Arbitrary<Sample> =>
  fc.record(parts, { requiredKeys: [] }).map((samples) => {
    const of = (side: keyof Sample) =>
      Object.fromEntries(
        Object.entries(samples).flatMap(([key, one]) => {
          const value = (one as Sample)[side];
          return value === undefined ? [] : [[key, value]];
        }),
      );
    const ended = of("ended");
    const isEmptied = Object.keys(ended).length === 0 && Object.keys(samples).length > 0;
    return { value: of("value"), plain: of("plain"), stored: of("stored"), ended: isEmptied ? undefined : ended };
  });
/** The samples of a list: an empty text keeps the place of a file, an empty object that of an entry. */
const listOf = (parts: fc.Arbitrary<Sample[]>, empty: unknown): fc.Arbitrary<Sample> =>
  parts.map((samples) => ({
    value: samples.map(({ value }) => value),
    plain: samples.map((one) => one.plain ?? ""),
    stored: samples.map(({ stored }) => stored),
    ended: samples.map(({ ended }) => ended ?? empty),
  }));

const castOf = objectOf({ "a/b": media("one"), weight: plain(fc.nat(9)), note: plain(fc.constant("upload:1")) });
const scene = objectOf({ cast: listOf(fc.array(castOf, { maxLength: 3 }), {}) });
const scenes = listOf(fc.array(scene, { maxLength: 3 }), {});
const sample = objectOf({
  prompt: plain(fc.oneof(fc.constant("upload:1"), fc.string())),
  image: media("one"),
  images: media("many"),
  either: media("either"),
  scenes,
  named: objectOf({ a: media("one"), b: media("one") }),
  frames: listOf(fc.tuple(media("one"), media("one")) as fc.Arbitrary<Sample[]>, ""),
  style: castOf,
  extra: plain(lookalike),
  unknown: plain(lookalike),
});

function formOf(value: unknown) {
  return createFormHandle("lumen", schema, payloadToDraft(value as JsonRecord));
}

/** What the service is sent for a price and for a run. */
async function requestsFor(payload: JsonRecord): Promise<unknown[]> {
  const bodies: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_to, how) => {
    bodies.push(JSON.parse(await new Response(how?.body).text()));
    return Response.json({}, { status: 422 });
  };
  const api = createApi({ queueBaseUrl: "https://q.example", inferenceBaseUrl: "https://i.example", fetch });
  await api.estimate({ model: "lumen", payload }).catch(() => undefined);
  await api.submit({ model: "lumen", payload }).catch(() => undefined);
  return bodies;
}

/** Everything that is made of a payload and given to somebody else, or written down. */
async function whatLeaves(payload: JsonRecord): Promise<unknown> {
  const request = { model: "lumen", payload };
  const batch = batchOfForm(request, "prompt");
  return {
    sent: await requestsFor(payload),
    priced: [priceKeys(request, schema), estimateKey(request)],
    samples: (["curl", "typescript", "python"] as const).map((language) =>
      codeSample(language, { queueBaseUrl: "https://q.example", ...request }),
    ),
    csv: writeCsv([{ request }], new Map([["lumen", { state: "ready", schema, type: "image" } as const]])),
    batch: batch.items.map((one) => one.request),
    axes: batch.groups?.map(({ axes }) => axes),
    recipe: writeTemplate({ name: "Lamps", groups: [{ name: "Runs", runs: [request] }] }),
    link: await readSharedPayload((await writeSharedPayload(payload)) ?? ""),
    file: settingsText({ ...request, requestId: "r" }),
    clipboard: JSON.stringify(payload, null, 2),
  };
}

describe("files on their way to a form", () => {
  it("are in nothing that leaves, and a text that looks like one is a text", async () => {
    await fc.assert(
      fc.asyncProperty(sample, async (made) => {
        const payload = formOf(made.value).getPayload();
        expect(payload).toStrictEqual(made.plain);
        const copy = JSON.parse(JSON.stringify(made.plain)) as JsonRecord;
        expect(await whatLeaves(payload)).toEqual(await whatLeaves(copy));
      }),
      { numRuns: 150 },
    );
  });

  it("cannot be given to anybody who takes a payload", () => {
    const take = (payload: JsonRecord) => payload;
    const draft: Draft = formOf({}).getDraft();
    // @ts-expect-error A draft is no payload.
    expect(take(draft)).toEqual({});
    expect(take(draftToPayload(draft))).toEqual({});
    // Written as JSON by whoever could not resist.
    const value = mediaValue({ shape: "many" }, ["https://a.example/1.png", { upload: "u", replaces: "" }]);
    expect(JSON.stringify({ value })).toBe('{"value":["https://a.example/1.png"]}');
    // Nor is an object in JSON taken for one.
    const form = formOf({ extra: value });
    const written = { ...(value as object), type: "upload value" };
    form.setField(form.names.at(-1) ?? "", written);
    expect(form.getPayload()).toStrictEqual({ extra: written });
  });

  it("become their addresses in their places, or what stood there before", () => {
    fc.assert(
      fc.property(sample, (made) => {
        const kept = formOf(made.value);
        const ids = uploadIds(kept.getDraft());
        kept.finishUploads(() => undefined);
        expect(uploadIds(kept.getDraft())).toEqual(ids);
        kept.finishUploads((id) => ({ address: storedAt(id) }));
        expect(kept.getPayload()).toStrictEqual(made.stored);
        const ended = formOf(made.value);
        ended.finishUploads(() => "ended");
        expect(uploadIds(ended.getDraft())).toEqual([]);
        expect(ended.getPayload()).toStrictEqual(made.ended ?? {});
      }),
    );
  });

  it("stay where they are while the JSON of the payload is written again, and change nothing of it", () => {
    fc.assert(
      fc.property(sample, sample, (made, other) => {
        const form = formOf(made.value);
        const before = form.getDraft();
        form.setPayload(JSON.parse(JSON.stringify(form.getPayload())) as JsonRecord);
        expect(form.getDraft()).toEqual(before);
        expect(uploadIds(form.getDraft())).toEqual(uploadIds(before));
        const written = JSON.parse(JSON.stringify(other.plain)) as JsonRecord;
        form.setPayload(written);
        expect(form.getPayload()).toEqual(written);
        for (const id of uploadIds(form.getDraft())) expect(uploadIds(before)).toContain(id);
      }),
    );
  });
});

const coming = (replaces = "") => new UploadValue({ shape: "one" }, [{ upload: "u", replaces }]);
const madeFrom = (before: unknown, payload: JsonRecord) =>
  valuesWithUploads(withDraftUploads(payloadToDraft(before as JsonRecord), payload, schema.fields));

describe("a payload that was made elsewhere of one with uploads", () => {
  it("follows entries of lists inside lists, where it can be told which is which", () => {
    const face = { weight: 2, "a/b": coming() };
    const before = { scenes: [{ cast: [{}] }, { cast: [{ weight: 1 }, face] }] };
    const [first, second] = [{ cast: [{}] }, { cast: [{ weight: 1 }, { weight: 2 }] }];
    expect(madeFrom(before, { scenes: [second, first] })).toEqual({ scenes: [before.scenes[1], first] });
    const moved = { cast: [{ weight: 2 }, { weight: 3 }, { weight: 1 }] };
    expect(madeFrom(before, { scenes: [first, moved] })).toEqual({
      scenes: [first, { cast: [face, { weight: 3 }, { weight: 1 }] }],
    });
    expect(madeFrom(before, { scenes: [first] })).toEqual({ scenes: [first] });
  });

  it("is written in the order that the person gave it", () => {
    const given = { image: "https://a.example/1.png", prompt: "A fox" };
    const form = formOf({ prompt: "A fox", image: coming(given.image) });
    form.setPayload(given);
    expect(JSON.stringify(form.getPayload())).toBe(JSON.stringify(given));
    expect(form.getUploads()).toEqual(["u"]);
    for (const unknown of [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]) {
      form.setPayload({ unknown });
      expect(JSON.stringify(form.getPayload())).toBe(JSON.stringify({ unknown }));
    }
  });

  it("follows a renamed key of a map, and of nothing else", () => {
    const over = "https://a.example/1.png";
    expect(madeFrom({ named: { a: coming(over) } }, { named: { ab: over } })).toEqual({ named: { ab: coming(over) } });
    const two = { a: coming(over), b: over };
    expect(madeFrom({ named: two }, { named: { b: over } })).toEqual({ named: { b: over } });
    expect(madeFrom({ named: two }, { named: { c: "https://a.example/2.png", b: over } })).toEqual({
      named: { c: "https://a.example/2.png", b: over },
    });
    expect(madeFrom({ image: coming(over) }, { images: over })).toEqual({ images: over });
    expect(
      madeFrom({ scenes: [{ cast: [{ "a/b": coming(over) }] }] }, { scenes: [{ cast: [{ note: over }] }] }),
    ).toEqual({
      scenes: [{ cast: [{ note: over }] }],
    });
  });

  it("has none where another shape or another file was chosen", () => {
    const before = { style: { "a/b": coming() } };
    expect(madeFrom(before, { style: { weight: 1 } })).toEqual({ style: { "a/b": coming(), weight: 1 } });
    expect(madeFrom(before, { style: "plain" })).toEqual({ style: "plain" });
    expect(madeFrom({ image: coming() }, { image: "https://a.example/1.png" })).toEqual({
      image: "https://a.example/1.png",
    });
    expect(madeFrom({ image: coming("https://a.example/1.png") }, {})).toEqual({});
  });

  it("still gets the files of a list, behind those that it was given", () => {
    const [one, two] = ["https://a.example/1.png", "https://a.example/2.png"];
    const before = {
      images: new UploadValue({ shape: "many" }, [one, { upload: "u", replaces: "" }, { upload: "v", replaces: two }]),
    };
    const next = madeFrom(before, { images: [two] }).images as UploadValue;
    expect(next.items).toEqual([
      { upload: "v", replaces: two },
      { upload: "u", replaces: "" },
    ]);
    expect(next.sent).toEqual([two]);
    // Each one once, and of equal addresses in their order.
    const twice = [{ upload: "u", replaces: one }, one, { upload: "v", replaces: two }, { upload: "w", replaces: two }];
    const more = { images: [one, one, two, two, two] };
    expect(madeFrom({ images: new UploadValue({ shape: "many" }, twice) }, more).images).toMatchObject({
      items: [...twice, two],
      sent: more.images,
    });
    // Without them it is what was given, to the letter.
    const either = new UploadValue({ shape: "either" }, [one, { upload: "u", replaces: "" }]);
    for (const given of [[one], ["", two], [], ""]) {
      expect(draftToPayload(withDraftUploads(payloadToDraft({ either }), { either: given }))).toEqual({
        either: given,
      });
    }
    // No more than it takes.
    const full = new UploadValue({ shape: "many", maxItems: 2 }, [{ upload: "u", replaces: "" }]);
    expect(madeFrom({ images: full }, { images: [one] }).images).toMatchObject({ items: [one, { upload: "u" }] });
    expect(madeFrom({ images: full }, { images: [one, two] })).toEqual({ images: [one, two] });
  });
});

describe("the entries of a list", () => {
  it("are told apart in any order, with any missing, where they are distinct", () => {
    const entries = fc.uniqueArray(fc.integer(), { maxLength: 8 });
    fc.assert(
      fc.property(entries, fc.infiniteStream(fc.nat()), (before, numbers) => {
        const after = before.filter(() => (numbers.next().value ?? 0) % 4 > 0);
        after.sort(() => ((numbers.next().value ?? 0) % 2) - 0.5);
        const found = followEntries(before, after);
        // One entry that is another one now is the same with another content.
        for (const [at, entry] of before.entries()) {
          const place = after.indexOf(entry);
          expect(found[at]).toBe(place < 0 ? undefined : place);
        }
      }),
    );
  });

  it("get no file where one of several equal ones is gone", () => {
    expect(followEntries([{}, {}, 1], [{}, 1])).toEqual([undefined, undefined, 1]);
    expect(followEntries([{}, {}], [{}, {}, {}])).toEqual([0, 1]);
    expect(followEntries([{}, 1], [2, 1])).toEqual([0, 1]);
  });

  it("are read back from a place, whatever the keys hold", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (keys) => {
        expect(placeSteps(keys.reduce(placeIn, "f3"))).toEqual(["f3", ...keys]);
      }),
    );
  });
});
