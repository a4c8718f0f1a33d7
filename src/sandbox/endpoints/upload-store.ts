import { seededHex } from "../seeded-ids.ts";

/** Spec 8: the file types that uploads take, with their kind. */
export const UPLOAD_KINDS: Readonly<Record<string, string>> = {
  jpeg: "image",
  jpg: "image",
  png: "image",
  mp4: "video",
  mp3: "audio",
  wav: "audio",
};

/** How long a signed address lasts, in seconds of real time: storage signs by the wall clock. */
export const UPLOAD_SECONDS = 899;

/** The largest file whose bytes are kept, and the most bytes of all files together. */
const MOST_FILE_BYTES = 64 * 1024 * 1024;
const MOST_KEPT_BYTES = 256 * 1024 * 1024;

interface StoredInput {
  id: string;
  fileType: string;
  user: string;
  organisation: string;
  /** In bytes, once it is stored. Jobs ask for no more than that. */
  size?: number;
  /** Of a small file, until newer ones need the room. */
  bytes?: Uint8Array<ArrayBuffer>;
  isDeleted: boolean;
}

export interface UploadStore {
  create(fileType: string, user: string, organisation: string): StoredInput;
  find(id: string): StoredInput | undefined;
  /**
   * Stores a body as it comes, at the pace of a storage far away. A large file is counted and its bytes are dropped.
   * Rejects where the body breaks off.
   */
  write(input: StoredInput, body: ReadableStream<Uint8Array> | null): Promise<void>;
  remove(input: StoredInput): void;
  /** Signature over the id, the type and the expiry in unix seconds. */
  sign(input: StoredInput, expires: number): string;
  all(): readonly StoredInput[];
  /** Ids of stored inputs whose public address stands within a text. */
  idsWithin(text: string): string[];
}

/** `run` makes ids and signatures of one run differ from those of another. */
export function createUploadStore(
  run: string,
  { mostFileBytes = MOST_FILE_BYTES, mostKeptBytes = MOST_KEPT_BYTES, wait = sleep, nowMs = monotonicMs } = {},
): UploadStore {
  const inputs = new Map<string, StoredInput>();
  /** Ids of the inputs whose bytes are kept, oldest first. */
  const kept = new Set<string>();

  const keep = (input: StoredInput, bytes: Uint8Array<ArrayBuffer>) => {
    input.bytes = bytes;
    kept.delete(input.id);
    kept.add(input.id);
    let sum = [...kept].reduce((total, id) => total + (inputs.get(id)?.bytes?.length ?? 0), 0);
    for (const id of kept) {
      if (sum <= mostKeptBytes) return;
      const oldest = inputs.get(id);
      sum -= oldest?.bytes?.length ?? 0;
      delete oldest?.bytes;
      kept.delete(id);
    }
  };

  return {
    create(fileType, user, organisation) {
      const id = seededHex(32, "upload", run, inputs.size);
      const input: StoredInput = { id, fileType, user, organisation, isDeleted: false };
      inputs.set(id, input);
      return input;
    },
    find: (id) => inputs.get(id),
    async write(input, body) {
      const { size, bytes } = await readBody(body, mostFileBytes, createPace(wait, nowMs));
      input.size = size;
      input.isDeleted = false;
      delete input.bytes;
      if (bytes) keep(input, bytes);
    },
    remove(input) {
      delete input.size;
      delete input.bytes;
      kept.delete(input.id);
      input.isDeleted = true;
    },
    sign: (input, expires) => seededHex(40, "signature", run, input.id, input.fileType, expires),
    all: () => [...inputs.values()],
    idsWithin: (text) =>
      [...text.matchAll(/\/sandbox\/storage\/inputs\/([0-9a-f]{32})\.\w+/g)].map((match) => match[1] ?? ""),
  };
}

/** As fast as memory takes it, a large file would leave the processor to nothing else for many seconds. */
const BYTES_PER_SECOND = 32 * 1024 * 1024;
/** Small files are not held up. */
const BURST_BYTES = 16 * 1024 * 1024;

const monotonicMs = () => performance.now();
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits after so many bytes in all until as many may have come. */
function createPace(wait: typeof sleep, nowMs: () => number): (bytes: number) => Promise<void> | undefined {
  const startMs = nowMs();
  return (bytes) => {
    const dueMs = ((bytes - BURST_BYTES) / BYTES_PER_SECOND) * 1000;
    const aheadMs = dueMs - (nowMs() - startMs);
    return aheadMs > 10 ? wait(aheadMs) : undefined;
  };
}

/** Reads a body to its end. Its bytes are held only as long as there are no more than `mostBytes`. */
async function readBody(
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
  pace: (bytes: number) => Promise<void> | undefined,
): Promise<{ size: number; bytes: Uint8Array<ArrayBuffer> | undefined }> {
  let held: Uint8Array[] = [];
  let size = 0;
  for (const reader = body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size <= mostBytes) held.push(value);
    else held = [];
    await pace(size);
  }
  if (size > mostBytes) return { size, bytes: undefined };
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of held) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { size, bytes };
}
