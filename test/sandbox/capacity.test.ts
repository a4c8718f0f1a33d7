import { describe, expect, it } from "vitest";
import { createBodyReader } from "#sandbox/capacity.ts";
import type { OpenFile } from "#sandbox/endpoints/stored-file.ts";
import { createUploadStore } from "#sandbox/endpoints/upload-store.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { errorOf, openSandbox, type SandboxClient } from "./sandbox-client.ts";

const opened = (capacity: SandboxOptions["capacity"]) => openSandbox({ capacity: capacity ?? {} });
const full = { message: expect.stringMatching(/^This sandbox holds .* Nothing was charged\.$/), type: "sandbox_full" };

async function uploadUrl({ queue }: SandboxClient): Promise<string> {
  return String((await queue("POST", "/apikey/upload-url", { body: { file_type: "png" } })).json.upload_url);
}

describe("a sandbox that holds as many runs and answers as it takes", () => {
  it("refuses another run in the service's error shape, and charges nothing", async () => {
    const client = opened({ charges: 2 });
    for (const prompt of ["one", "two"]) expect((await client.submit("lumen-2", { prompt })).status).toBe(200);
    const charged = client.sandbox.inspect().chargedMicroUsd;
    const refused = await client.submit("lumen-2", { prompt: "three" });
    expect([refused.status, errorOf(refused)]).toEqual([403, full]);
    expect(client.sandbox.inspect()).toMatchObject({ chargedMicroUsd: charged, jobs: { length: 2 } });
  });

  it("refuses another text answer", async () => {
    const client = opened({ charges: 0 });
    const models = await client.raw("GET", "http://sandbox.test/sandbox/v1/models", { key: "sandbox-key" });
    const [{ id } = { id: "" }] = models.json.data as { id: string }[];
    const body = { model: id, prompt: "Hello", max_tokens: 5 };
    const refused = await client.raw("POST", "http://sandbox.test/sandbox/v1/completions", {
      key: "sandbox-key",
      body,
    });
    expect([refused.status, errorOf(refused)]).toEqual([403, full]);
  });

  it("still estimates, lists and shows what it has", async () => {
    const client = opened({ charges: 1 });
    const { json } = await client.submit("lumen-2", { prompt: "one" });
    expect((await client.estimate("lumen-2", { prompt: "two" })).status).toBe(200);
    expect((await client.job(json.request_id)).status).toBe(200);
    expect((await client.queue("GET", "/apikey/requests")).json.total).toBe(1);
  });
});

it("payloads have room up to a sum of all runs", async () => {
  const client = opened({ payloadCharacters: 1000 });
  expect((await client.submit("lumen-2", { prompt: "a".repeat(700) })).status).toBe(200);
  expect(errorOf(await client.submit("lumen-2", { prompt: "a".repeat(700) }))).toEqual(full);
  expect((await client.submit("lumen-2", { prompt: "a".repeat(200) })).status).toBe(200);
});

describe("a body that is too large", () => {
  const tooLarge = { message: expect.stringContaining("is larger than"), type: "too_large" };

  it("of JSON is refused with 413", async () => {
    const refused = await opened({ bodyBytes: 100 }).submit("lumen-2", { prompt: "a".repeat(100) });
    expect([refused.status, errorOf(refused)]).toEqual([413, tooLarge]);
  });

  it("of an upload is refused with 413, announced or not, and nothing is stored", async () => {
    const client = opened({ uploadBytes: 100 });
    const url = await uploadUrl(client);
    const announced = { "content-type": "image/png", "content-length": "101" };
    for (const headers of [announced, { "content-type": "image/png" }]) {
      const refused = await client.raw("PUT", url, { body: new Uint8Array(101), headers });
      expect([refused.status, errorOf(refused)]).toEqual([413, tooLarge]);
    }
    expect(client.sandbox.inspect().uploads).toMatchObject([{ isStored: false }]);
  });

  it("of very many parts is refused, and one long text is not", async () => {
    const parts = await openSandbox().submit("lumen-2", {
      prompt: "A lamp",
      list: Array.from({ length: 100_001 }, () => 0),
    });
    expect([parts.status, errorOf(parts).message]).toEqual([400, "The body has too many parts"]);
    const text = await openSandbox().submit("lumen-2", { prompt: "A lamp. ".repeat(100_000) });
    expect(errorOf(text).message).not.toContain("parts");
  });

  it("of nested lists is refused, and the sandbox goes on", async () => {
    const client = openSandbox();
    const depth = 90_000;
    const body = `{"model":"lumen-2","payload":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;
    const refused = await client.queue("POST", "/apikey/requests", {
      body,
      headers: { "content-type": "application/json" },
    });
    expect(refused.status).toBe(400);
    expect((await client.submit("lumen-2", { prompt: "one" })).status).toBe(200);
  });
});

it("bodies that are read at a time share their room, and give it back", async () => {
  const readText = createBodyReader({ bodyBytes: 10, bodiesBytes: 12 } as never);
  let end: () => void = () => {};
  const held = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("12345678"));
      end = () => controller.close();
    },
  });
  const request = (body: BodyInit) =>
    new Request("http://sandbox.test", { method: "POST", body, duplex: "half" } as RequestInit);
  const first = readText(request(held));
  await expect.poll(() => readText(request("12345")).catch(({ status }) => status)).toBe(503);
  end();
  expect(await first).toBe("12345678");
  expect(await readText(request("12345"))).toBe("12345");
});

describe("the bytes of uploads", () => {
  /** Files that remember what became of them. */
  function countingFiles() {
    const open = new Set<number>();
    let made = 0;
    const openFile: OpenFile = async () => {
      made += 1;
      const id = made;
      open.add(id);
      let size = 0;
      return {
        async append(bytes) {
          size += bytes.length;
        },
        finish: () => ({ size, read: () => new Uint8Array(size), discard: () => void open.delete(id) }),
        discard: () => void open.delete(id),
      };
    };
    return { openFile, open };
  }
  const bodyOf = (size: number) => new Response(new Uint8Array(size)).body;

  it("give their room back when a file is dropped, replaced, removed or breaks off, and when the sandbox ends", async () => {
    const { openFile, open } = countingFiles();
    const store = createUploadStore("run", { capacity: { storedBytes: 10, storedFileBytes: 8 }, openFile });
    const [first, second] = [store.create("png", "user", "organisation"), store.create("png", "user", "organisation")];
    await store.write(first, bodyOf(6));
    await store.write(first, bodyOf(5));
    expect([...open]).toEqual([2]);
    await store.write(second, bodyOf(6));
    expect([[...open], first.file]).toEqual([[3], undefined]);
    await store.write(first, bodyOf(9));
    expect([[...open], first.size, first.file]).toEqual([[3], 9, undefined]);
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("The page left.")) });
    await expect(store.write(first, broken)).rejects.toThrow();
    store.remove(second);
    expect([...open]).toEqual([]);
    await store.write(second, bodyOf(8));
    expect(second.file?.size).toBe(8);
    store.close();
    expect([[...open], second.file]).toEqual([[], undefined]);
  });

  it("that are on their way at a time take no more room than that either", async () => {
    const { openFile, open } = countingFiles();
    const store = createUploadStore("run", { capacity: { storedBytes: 10 }, openFile });
    const inputs = Array.from({ length: 20 }, () => store.create("png", "user", "organisation"));
    await Promise.all(inputs.map((input) => store.write(input, bodyOf(6))));
    expect(inputs.map(({ size }) => size)).toEqual(inputs.map(() => 6));
    expect(inputs.filter(({ file }) => file)).toHaveLength(1);
    expect(open.size).toBe(1);
  });

  it("are only counted where no file can be opened", async () => {
    const store = createUploadStore("run", { openFile: () => Promise.reject(new Error("The disk is full.")) });
    const input = store.create("png", "user", "organisation");
    await store.write(input, bodyOf(6));
    expect([input.size, input.file]).toEqual([6, undefined]);
  });
});
