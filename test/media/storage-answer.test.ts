import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fetchMedia, readMedia } from "#media/fetch-media.ts";
import { askFacts } from "#media/file-facts.ts";
import { FAILURE_WORDS, MediaError } from "#media/media-failure.ts";
import { addressEndsAt } from "#media/storage-answer.ts";

const FILE = "https://store.example/lamp";
let answer: () => Response;
let asked: RequestInit[];
beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    asked.push(init);
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

const xml = (code: string, message = "") =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
async function failureOf(url = FILE) {
  const error = await fetchMedia(url).catch((thrown: unknown) => thrown);
  if (!(error instanceof MediaError)) throw error;
  return error;
}

describe("what a storage answers in place of a file", () => {
  it.each([
    [403, xml("AccessDenied"), "refused", "The file host says: 403 AccessDenied."],
    [403, xml("AccessDenied", "Request has expired"), "lapsed", "The file host says: 403 AccessDenied."],
    [400, xml("ExpiredToken"), "lapsed", "The file host says: 400 ExpiredToken."],
    [
      403,
      xml("AuthenticationFailed", "Signature not valid in the specified time frame"),
      "lapsed",
      "The file host says: 403 AuthenticationFailed.",
    ],
    [401, '{"code":"unauthorized"}', "refused", "The file host says: 401 unauthorized."],
    [404, xml("NoSuchKey"), "gone", "The file host says: 404 NoSuchKey."],
    [410, "", "gone", "The file host says: 410."],
    [416, xml("InvalidRange"), "failed", "The file host says: 416 InvalidRange."],
    [429, "slow", "busy", "The file host says: 429."],
    [503, xml("SlowDown"), "busy", "The file host says: 503 SlowDown."],
    [500, xml("InternalError"), "failed", "The file host says: 500 InternalError."],
    [502, "<html><h1>Bad Gateway</h1>", "failed", "The file host says: 502."],
    [403, xml("<script>"), "refused", "The file host says: 403."],
  ])("%i with %j is told as %s", async (status, body, failure, said) => {
    answer = () => new Response(body, { status });
    expect(await failureOf()).toMatchObject({ failure, status, said });
  });

  it.each([
    "X-Amz-Date=20200101T000000Z&X-Amz-Expires=900&X-Amz-Signature=a",
    "X-Goog-Date=20200101T000000Z&X-Goog-Expires=900",
    "Expires=1577836800&Signature=a",
    "se=2020-01-01T00%3A00%3A00Z&sig=a",
  ])("403 for an address that says when it ended (%s) is told as that", async (query) => {
    answer = () => new Response("", { status: 403 });
    expect(addressEndsAt(`${FILE}?${query}`)).toBeLessThan(Date.parse("2020-01-02"));
    expect((await failureOf(`${FILE}?${query}`)).failure).toBe("lapsed");
    expect(addressEndsAt(`${FILE}?Expires=soon`)).toBeUndefined();
  });

  it.each([
    ["redirect", "redirected"],
    ["not_allowed", "unlisted"],
    ["private_address", "unlisted"],
    ["unreachable", "unreadable"],
  ])("a refusal of the studio's own host (%s) keeps the host's sentence", async (kind, failure) => {
    const message = "https://elsewhere.example is not among the addresses in SAFELIGHT_UPSTREAMS.";
    answer = () =>
      new Response(JSON.stringify({ error: { message } }), { status: 502, headers: { "X-Safelight-Relay": kind } });
    const error = await failureOf();
    expect(error.failure).toBe(failure);
    expect(error.said).toContain("SAFELIGHT_UPSTREAMS");
  });

  it("a file of no bytes, or of fewer than were said, is told as that", async () => {
    answer = () => new Response("");
    await expect(readMedia(FILE)).rejects.toMatchObject({ failure: "empty" });
    answer = () => new Response("abc", { headers: { "Content-Length": "3000" } });
    await expect(readMedia(FILE)).rejects.toMatchObject({ failure: "failed", said: "3 bytes of 3 kB arrived." });
    answer = () => new Response("abc", { headers: { "Content-Length": "5000000000" } });
    await expect(readMedia(FILE)).rejects.toMatchObject({ failure: "large" });
  });

  it("each has words that say what to do", () => {
    for (const { title, body } of Object.values(FAILURE_WORDS)) expect(`${title}. ${body}`).toMatch(/^[A-Z].*\.$/);
  });
});

describe("looking at a file", () => {
  it("asks for a kilobyte, once for all who ask, and remembers the answer", async () => {
    answer = () => new Response("%PDF-1.7", { status: 206, headers: { "Content-Range": "bytes 0-7/4200" } });
    const [first, second] = await Promise.all([askFacts(`${FILE}-1`), askFacts(`${FILE}-1`)]);
    expect(first).toMatchObject({ extension: "pdf", bytes: 4200 });
    expect(second).toBe(first);
    await askFacts(`${FILE}-1?X-Amz-Signature=other`);
    expect(asked).toHaveLength(1);
    expect(new Headers(asked[0]?.headers).get("range")).toBe("bytes=0-1023");
  });

  it("reads no more where the storage gives the whole file", async () => {
    let sent = 0;
    let isCancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 4096;
        controller.enqueue(new Uint8Array(4096));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    answer = () => new Response(endless);
    expect(await askFacts(`${FILE}-2`)).toMatchObject({ kind: "other", extension: "bin" });
    expect([sent < 20_000, isCancelled]).toEqual([true, true]);
  });

  it("asks without a range where the storage knows none, and tells an empty file", async () => {
    answer = () => (asked.length === 1 ? new Response("", { status: 416 }) : new Response("fLaC\0"));
    expect(await askFacts(`${FILE}-3`)).toMatchObject({ extension: "flac" });
    expect(asked).toHaveLength(2);
    answer = () => new Response("", { status: 416, headers: { "Content-Range": "bytes */0" } });
    await expect(askFacts(`${FILE}-4`)).rejects.toMatchObject({ failure: "empty" });
    answer = () => new Response("");
    await expect(askFacts(`${FILE}-4`)).rejects.toMatchObject({ failure: "empty" });
  });

  it("fetches nothing for an address inside a storage", async () => {
    await expect(askFacts("s3://bucket/a.png")).rejects.toMatchObject({ failure: "internal" });
    expect(asked).toEqual([]);
  });
});
