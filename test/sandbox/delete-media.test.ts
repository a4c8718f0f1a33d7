import { describe, expect, it } from "vitest";
import { mediaOf, openSandbox } from "./sandbox-client.ts";

async function finishedEdit() {
  const client = openSandbox();
  const { json } = await client.queue("POST", "/apikey/upload-url", { body: { file_type: "png" } });
  const inputUrl = String(json.public_url);
  await client.raw("PUT", String(json.upload_url), {
    body: new Uint8Array(3),
    headers: { "content-type": "image/png" },
  });
  const submitted = await client.submit("grainfield-edit", {
    instruction: "Blue",
    image_url: inputUrl,
    mask: "https://elsewhere.example/mask.png",
  });
  const requestId = String(submitted.json.request_id);
  client.pass(60);
  const before = await client.job(requestId);
  return {
    ...client,
    requestId,
    inputUrl,
    before,
    mediaUrl: mediaOf(before)[0]?.url ?? "",
    remove: (key = "sandbox-key") => client.queue("DELETE", `/apikey/requests/${requestId}/media`, { key }),
  };
}

// Spec 4.1.
describe("DELETE /apikey/requests/{request_id}/media", () => {
  it("permanently deletes the generated media", async () => {
    const { remove, raw, mediaUrl } = await finishedEdit();
    expect((await remove()).status).toBe(200);
    expect((await raw("GET", mediaUrl)).status).toBe(404);
  });

  it("deletes input files uploaded to the service's storage", async () => {
    const { remove, raw, inputUrl, sandbox } = await finishedEdit();
    expect((await raw("GET", inputUrl)).status).toBe(200);
    await remove();
    expect((await raw("GET", inputUrl)).status).toBe(404);
    expect(sandbox.inspect().uploads).toMatchObject([{ isStored: false, isDeleted: true }]);
  });

  // Spec 4.1 rule 3.
  it("never touches externally hosted inputs: the record still names them", async () => {
    const { remove, job, requestId } = await finishedEdit();
    await remove();
    expect((await job(requestId)).json.payload).toMatchObject({ mask: "https://elsewhere.example/mask.png" });
  });

  it("is idempotent", async () => {
    const { remove, sandbox } = await finishedEdit();
    const first = await remove();
    const again = await remove();
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(sandbox.inspect().jobs).toMatchObject([{ isMediaDeleted: true }]);
  });

  // Spec 3.
  it("leaves the job's state, record, usage and billing unchanged", async () => {
    const { remove, job, requestId, before, sandbox } = await finishedEdit();
    const ledger = sandbox.inspect().ledger;
    await remove();
    expect((await job(requestId)).json).toEqual(before.json);
    expect(sandbox.inspect().ledger).toEqual(ledger);
  });

  // Spec 8.
  it("the CDN may serve a fetched file for up to 5 minutes more", async () => {
    const { remove, raw, mediaUrl, pass } = await finishedEdit();
    await raw("GET", mediaUrl);
    await remove();
    pass(299);
    expect((await raw("GET", mediaUrl)).status).toBe(200);
    pass(1);
    expect((await raw("GET", mediaUrl)).status).toBe(404);
  });

  // Spec 3.
  it("answers 409 for a queued job and deletes nothing", async () => {
    const { submit, queue, sandbox } = openSandbox();
    const { json } = await submit("halide-video", { prompt: "A fox" });
    const answer = await queue("DELETE", `/apikey/requests/${String(json.request_id)}/media`);
    expect(answer.status).toBe(409);
    expect(sandbox.inspect().jobs).toMatchObject([{ isMediaDeleted: false }]);
  });

  it("answers 404 for an unknown job and for another user's job", async () => {
    const { remove, queue } = await finishedEdit();
    expect((await remove("sandbox-key-2")).status).toBe(404);
    expect((await queue("DELETE", "/apikey/requests/none/media")).status).toBe(404);
  });
});
