import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { QUIRKS } from "#sandbox/quirks/queue-quirks.ts";
import { type Answer, mediaOf, ORIGIN, openSandbox, requestsOf } from "./sandbox-client.ts";
import { FOX, shown } from "./shown.ts";

const outcome = (answer: Answer) => answer.json.outcome as JsonRecord;

describe("quirks", () => {
  it("each have a unique name and a one-sentence explanation in the settings", async () => {
    const names = QUIRKS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const { json } = await openSandbox().raw("GET", `${ORIGIN}/sandbox/settings`);
    const listed = json.available as { name: string; explanation: string }[];
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    for (const { explanation } of listed) expect(explanation).toMatch(/^[A-Z[].*\.$/);
  });

  it("can be switched on and off by PUT /sandbox/settings while a job runs", async () => {
    const { raw, submit, job } = openSandbox();
    const { json } = await submit("halide-video", FOX);
    const set = (quirks: string[]) => raw("PUT", `${ORIGIN}/sandbox/settings`, { body: { quirks } });
    await set(["extra-statuses"]);
    expect((await job(json.request_id)).json.status).toBe("created");
    await set([]);
    expect((await job(json.request_id)).json.status).toBe("queued");
  });

  it("change no charge and no refund", async () => {
    for (const { name } of QUIRKS) {
      const { submit, sandbox } = openSandbox({ quirks: [name], wait: () => Promise.resolve() });
      await submit("lumen-2", FOX);
      const made = name === "busy-submit" ? 0 : 1;
      expect([name, sandbox.inspect().jobs.length, sandbox.inspect().chargedMicroUsd]).toEqual([
        name,
        made,
        made * 35_000,
      ]);
    }
  });
});

describe("quirks of job records", () => {
  it("extra-statuses: created, dispatched, processing, then an unknown word, until it is final", async () => {
    const { submit, job, pass } = openSandbox({ quirks: ["extra-statuses"] });
    const { json } = await submit("halide-video", FOX);
    const seen = [json.status];
    for (const seconds of [3, 7, 40, 300]) {
      pass(seconds);
      seen.push((await job(json.request_id)).json.status);
    }
    expect(seen).toEqual(["created", "dispatched", "processing", "warming_up", "success"]);
  });

  it("submit-without-outcome: success without outcome, which the next read has", async () => {
    const { submitted, image } = await shown("submit-without-outcome");
    expect(submitted.json.status).toBe("success");
    expect(submitted.json).not.toHaveProperty("outcome");
    expect(mediaOf(image)).toHaveLength(1);
  });

  it("outcome-null: null while there is none", async () => {
    const { running, done } = await shown("outcome-null");
    expect(running.json.outcome).toBeNull();
    expect(mediaOf(done)).toHaveLength(1);
  });

  it("outcome-null-for-good: a success whose outcome is null, in the list too", async () => {
    const { submitted, done, list } = await shown("outcome-null-for-good");
    for (const { json } of [submitted, done]) expect(json).toMatchObject({ status: "success", outcome: null });
    const successes = requestsOf(list).filter(({ status }) => status === "success");
    expect(successes.map(({ outcome }) => outcome)).toEqual([null, null]);
  });

  it("outcome-without-type: files have an id and a url only", async () => {
    const { image } = await shown("outcome-without-type");
    expect(mediaOf(image)).toEqual([{ id: "0", url: expect.any(String), width: 512, height: 512 }]);
  });

  it("outcome-bare-urls: media_urls is a list of addresses", async () => {
    const { done } = await shown("outcome-bare-urls");
    expect(outcome(done)).toEqual({ media_urls: [expect.stringMatching(/\.mp4$/)] });
  });

  it("outcome-flat: files are in video_url, thumbnail_image_url and image_url, in the list too", async () => {
    const { done, image, list } = await shown("outcome-flat");
    expect(outcome(done).video_url).toMatch(/\.mp4$/);
    expect(outcome(done).thumbnail_image_url).toBe(outcome(done).video_url);
    expect(outcome(image).image_url).toMatch(/\.png$/);
    expect(requestsOf(list).map((record) => record.outcome)).toContainEqual(outcome(done));
  });

  it("outcome-inline: the file itself as base64", async () => {
    const { image } = await shown("outcome-inline");
    const [candidate] = outcome(image).candidates as {
      content: { parts: { inlineData: { mimeType: string; data: string } }[] };
    }[];
    const inline = candidate?.content.parts[0]?.inlineData;
    expect(inline?.mimeType).toBe("image/png");
    expect(JSON.parse(atob(inline?.data ?? ""))).toMatchObject({ kind: "image", prompt: "A fox" });
  });

  it.each([
    ["outcome-without-extension", /^\{"media_urls":\[\{"id":"0","type":"file","url":"[^"]+\/[0-9a-f]{24}-0"/],
    ["outcome-with-thumbnails", /"thumbnail_url":"[^"]+\.mp4\.still\.png"/],
    ["outcome-several-files", /"files":\[\{"url":"[^"]+\.mp4","type":"video"\},\{"url":"[^"]+\.still\.png"/],
    ["outcome-nested-files", /^\{"result":\{"generations":\[\{"index":0,"asset":\{"file":\{"downloadUrl":"[^"]+\.mp4"/],
    ["outcome-as-output", /^\{"output":"[^"]+\.mp4"\}$/],
    ["outcome-as-data", /"data":\[\{"b64_json":"[\w+/=]+"/],
  ] as const)("%s: the files stand elsewhere, and can be read there", async (name, shape) => {
    const { done, raw } = await shown(name);
    const text = JSON.stringify(outcome(done));
    expect(text).toMatch(shape);
    for (const [, url = ""] of text.matchAll(/"(http[^"]+)"/g))
      expect([url, (await raw("GET", url)).status]).toEqual([url, 200]);
  });

  it("outcome-in-result: the outcome is called result", async () => {
    const { done } = await shown("outcome-in-result");
    expect(done.json).not.toHaveProperty("outcome");
    expect(done.json.result).toMatchObject({ media_urls: [{ type: "video" }] });
  });

  it("outcome-without-media: a success without any file", async () => {
    const { done } = await shown("outcome-without-media");
    expect(done.json).toMatchObject({ status: "success", outcome: { voice_id: expect.any(String) } });
    expect(JSON.stringify(done.json.outcome)).not.toContain("http");
  });

  it.each([
    ["failure-in-outcome", (record: JsonRecord) => (record.outcome as JsonRecord).error],
    ["failure-as-reason", (record: JsonRecord) => record.reason],
  ] as const)("%s: the reason of the failure is in another field", async (name, reason) => {
    const { failed } = await shown(name);
    expect(failed.json).not.toHaveProperty("error");
    expect(reason(failed.json)).toContain("provider");
  });

  it("milliseconds: all times of all records are in milliseconds", async () => {
    const { image, list } = await shown("milliseconds");
    expect(image.json).toMatchObject({ created_at: Date.UTC(2026, 4, 1, 12), updated_at: Date.UTC(2026, 4, 1, 12) });
    for (const record of requestsOf(list)) expect(record.created_at).toBeGreaterThan(1e12);
  });
});

describe("quirks of the storage", () => {
  it.each([
    ["media-gone", 404, /NoSuchKey/],
    ["media-as-page", 200, /^<!doctype html>/],
    ["media-octet-stream", 200, /./],
  ] as const)("%s: answers %i in place of each file", async (name, status, body) => {
    const { image, raw } = await shown(name);
    const answer = await raw("GET", String(mediaOf(image)[0]?.url));
    expect([answer.status, body.test(answer.text)]).toEqual([status, true]);
    expect(answer.headers.get("content-type")).not.toMatch(/image/);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("media-redirects: each file is at another address of the storage", async () => {
    const { image, raw } = await shown("media-redirects");
    const url = String(mediaOf(image)[0]?.url);
    const moved = await raw("GET", url);
    expect(moved.status).toBe(302);
    const next = new URL(moved.headers.get("location") ?? "", url).href;
    expect((await raw("GET", next)).headers.get("content-type")).toBe("image/png");
  });

  it("media-expired: an address is good for some minutes, and the record gives another", async () => {
    const { submit, job, raw, pass } = openSandbox({ quirks: ["media-expired"] });
    const { json } = await submit("lumen-2", FOX);
    const url = async () => String(mediaOf(await job(json.request_id))[0]?.url);
    const first = await url();
    expect((await raw("GET", first)).status).toBe(200);
    pass(1300);
    const late = await raw("GET", first);
    expect([late.status, late.text]).toEqual([403, expect.stringContaining("Request has expired")]);
    expect((await raw("GET", await url())).status).toBe(200);
  });
});

describe("quirks of errors", () => {
  it.each([
    ["error-string", "application/json", /^\{"error":"No endpoints for model none"\}$/],
    ["error-detail", "application/json", /^\{"detail":"No endpoints for model none"\}$/],
    ["error-text", "text/plain; charset=utf-8", /^No endpoints for model none$/],
    ["error-html", "text/html", /^<html>/],
  ] as const)("%s, with the status unchanged", async (name, contentType, body) => {
    const { submit, raw } = openSandbox({ quirks: [name] });
    const answer = await submit("none", FOX);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, contentType]);
    expect(answer.text).toMatch(body);
    const storage = await raw("GET", `${ORIGIN}/sandbox/storage/media/0/0.png`);
    expect(storage.text).toContain("NoSuchKey");
  });

  it("page-for-unknown: a path that does not exist is a web page with status 200", async () => {
    const { raw, queue } = openSandbox({ quirks: ["page-for-unknown"] });
    const answer = await raw("GET", `${ORIGIN}/sandbox/docs/v1/models`);
    expect([answer.status, answer.text.slice(0, 9)]).toEqual([200, "<!doctype"]);
    expect((await queue("GET", "/apikey/models")).json.model_ids).toContain("lumen-2");
  });

  it("unknown-405: a path that does not exist is answered with 405", async () => {
    const { raw } = openSandbox({ quirks: ["unknown-405"] });
    for (const path of ["/sandbox/apikey/models", "/sandbox/api/v1/queue/v1/models"]) {
      expect((await raw("GET", `${ORIGIN}${path}`)).status).toBe(405);
    }
  });

  it("models-enveloped: the list stands inside result.models", async () => {
    const { queue } = openSandbox({ quirks: ["models-enveloped", "duplicate-model-ids"] });
    const { json } = await queue("GET", "/apikey/models");
    expect(json).toMatchObject({ result: { models: expect.arrayContaining([{ id: "lumen-2" }]) } });
  });

  it("busy-submit: submits answer 503 in plain text, estimates and reads work", async () => {
    const { submit, estimate, queue } = openSandbox({ quirks: ["busy-submit"] });
    const answer = await submit("lumen-2", FOX);
    expect([answer.status, answer.text]).toEqual([503, "Upstream capacity temporarily exhausted"]);
    expect((await estimate("lumen-2", FOX)).status).toBe(200);
    expect((await queue("GET", "/apikey/requests")).status).toBe(200);
  });

  it("empty-delete: 204 without a body, and the media is deleted", async () => {
    const { submit, queue, raw } = openSandbox({ quirks: ["empty-delete"] });
    const submitted = await submit("lumen-2", FOX);
    const answer = await queue("DELETE", `/apikey/requests/${String(submitted.json.request_id)}/media`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await raw("GET", mediaOf(submitted)[0]?.url ?? "")).status).toBe(404);
  });

  it("mp3-as-mpeg: audio/mp3 is refused, audio/mpeg accepted, other types as specified", async () => {
    const { queue, raw } = openSandbox({ quirks: ["mp3-as-mpeg"] });
    const put = async (fileType: string, contentType: string) => {
      const { json } = await queue("POST", "/apikey/upload-url", { body: { file_type: fileType } });
      const headers = { "content-type": contentType };
      return (await raw("PUT", String(json.upload_url), { body: new Uint8Array(2), headers })).status;
    };
    expect(await put("mp3", "audio/mp3")).toBe(403);
    expect(await put("mp3", "audio/mpeg")).toBe(200);
    expect(await put("wav", "audio/wav")).toBe(200);
  });
});
