import { CAPACITY, type Capacity, tooLarge } from "../capacity.ts";
import { seededHex } from "../seeded-ids.ts";
import { type FileWriter, type OpenFile, openBlobFile, type StoredFile } from "./stored-file.ts";

/** Spec 8: the file types that uploads take, with their kind. */
export const UPLOAD_KINDS: Readonly<Record<string, string>> = {
  jpeg: "image",
  jpg: "image",
  png: "image",
  mp4: "video",
  mp3: "audio",
  wav: "audio",
};

/** How long a signed address lasts, in seconds. */
export const UPLOAD_SECONDS = 899;

/** The most inputs that are known at a time. */
const MAX_INPUTS = 10_000;

interface StoredInput {
  id: string;
  fileType: string;
  user: string;
  organisation: string;
  /** Its size in bytes, once it is stored. Jobs ask for no more than that. */
  size?: number;
  /** The bytes of a small file, until newer ones need the room. */
  file?: StoredFile;
  isDeleted: boolean;
}

export interface UploadStore {
  create(fileType: string, user: string, organisation: string): StoredInput;
  find(id: string): StoredInput | undefined;
  /**
   * Stores a body as it comes, at the pace of a storage far away. A large file is counted and its bytes are dropped.
   * Throws 413 for one that is too large even for that. Rejects where the body breaks off.
   */
  write(input: StoredInput, body: ReadableStream<Uint8Array> | null): Promise<void>;
  remove(input: StoredInput): void;
  /** Gives up the bytes of all files: the sandbox ends. */
  close(): void;
  /** Signature over the id, the type and the expiry in unix seconds. */
  sign(input: StoredInput, expires: number): string;
  all(): readonly StoredInput[];
  /** Ids of stored inputs whose public address stands within a text. */
  idsWithin(text: string): string[];
}

interface StoreOptions {
  capacity?: Partial<Pick<Capacity, "uploadBytes" | "storedFileBytes" | "storedBytes">>;
  openFile?: OpenFile;
  wait?: (ms: number) => Promise<void>;
  nowMs?: () => number;
}

/** Makes a store. `run` names this run of the sandbox: ids and signatures differ from those of other runs. */
export function createUploadStore(
  run: string,
  { capacity, openFile = openBlobFile, wait = sleep, nowMs = monotonicMs }: StoreOptions = {},
): UploadStore {
  const { uploadBytes, storedFileBytes, storedBytes } = { ...CAPACITY, ...capacity };
  const inputs = new Map<string, StoredInput>();
  /** Inputs whose bytes are stored, oldest first. */
  const withBytes = new Set<StoredInput>();
  const sharedPace = createPace(ALL_BYTES_PER_SECOND, ALL_BURST_BYTES, nowMs);
  let created = 0;
  /** Bytes of stored inputs and of those that are still being uploaded. */
  let usedBytes = 0;

  const drop = (input: StoredInput) => {
    usedBytes -= input.file?.size ?? 0;
    input.file?.discard();
    delete input.file;
    withBytes.delete(input);
  };
  /** Whether there is room for more bytes, after the oldest files have gone for it. */
  const makeRoom = (bytes: number): boolean => {
    for (const oldest of withBytes) {
      if (usedBytes + bytes <= storedBytes) break;
      drop(oldest);
    }
    return usedBytes + bytes <= storedBytes;
  };

  /** Stores a file as it comes, as long as there is room for it. */
  async function openReceiver() {
    let writer: FileWriter | undefined = await openFile().catch(() => undefined);
    let size = 0;
    const giveUp = () => {
      usedBytes -= size;
      size = 0;
      writer?.discard();
      writer = undefined;
    };
    return {
      async append(bytes: Uint8Array) {
        if (!writer) return;
        if (size + bytes.length > storedFileBytes || !makeRoom(bytes.length)) return giveUp();
        size += bytes.length;
        usedBytes += bytes.length;
        await writer.append(bytes).catch(giveUp);
      },
      /** Its bytes count as those of the file from here on. */
      finish: () => writer?.finish(),
      giveUp,
    };
  }

  return {
    create(fileType, user, organisation) {
      const id = seededHex(32, "upload", run, created);
      created += 1;
      const input: StoredInput = { id, fileType, user, organisation, isDeleted: false };
      inputs.set(id, input);
      const [oldest] = inputs.values();
      if (inputs.size > MAX_INPUTS && oldest) {
        drop(oldest);
        inputs.delete(oldest.id);
      }
      return input;
    },
    find: (id) => inputs.get(id),
    async write(input, body) {
      const receiver = await openReceiver();
      const pace = createPace(BYTES_PER_SECOND, BURST_BYTES, nowMs);
      let size = 0;
      try {
        for (const reader = body?.getReader(); reader; ) {
          const { done, value } = await reader.read();
          if (done) break;
          size += value.length;
          if (size > uploadBytes) throw tooLarge("The file", uploadBytes);
          await receiver.append(value);
          const aheadMs = Math.max(pace(value.length), sharedPace(value.length));
          if (aheadMs > 10) await wait(aheadMs);
        }
      } catch (error) {
        receiver.giveUp();
        throw error;
      }
      const file = receiver.finish();
      drop(input);
      input.size = size;
      input.isDeleted = false;
      // An input that was forgotten meanwhile has nobody to drop it later.
      if (file && inputs.has(input.id)) {
        input.file = file;
        withBytes.add(input);
      } else receiver.giveUp();
    },
    remove(input) {
      drop(input);
      delete input.size;
      input.isDeleted = true;
    },
    close() {
      for (const input of withBytes) drop(input);
    },
    sign: (input, expires) => seededHex(40, "signature", run, input.id, input.fileType, expires),
    all: () => [...inputs.values()],
    idsWithin: (text) =>
      [...text.matchAll(/\/sandbox\/storage\/inputs\/([0-9a-f]{32})\.\w+/g)].map((match) => match[1] ?? ""),
  };
}

/** The pace of an upload: as fast as memory takes it, a large file would keep the processor busy for many seconds. */
const BYTES_PER_SECOND = 32 * 1024 * 1024;
/** A file of this size does not wait. */
const BURST_BYTES = 16 * 1024 * 1024;
/** The pace and the burst of all uploads together. */
const ALL_BYTES_PER_SECOND = 2 * BYTES_PER_SECOND;
const ALL_BURST_BYTES = 2 * BURST_BYTES;

const monotonicMs = () => performance.now();
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Counts bytes, and says by how many milliseconds they are ahead of a pace. */
type Pace = (bytes: number) => number;

/** A pace that starts at its creation. Time in which no bytes come is not saved up, except for one burst. */
function createPace(bytesPerSecond: number, burstBytes: number, nowMs: () => number): Pace {
  const burstMs = (burstBytes / bytesPerSecond) * 1000;
  let dueMs = nowMs() - burstMs;
  return (bytes) => {
    dueMs = Math.max(dueMs, nowMs() - burstMs) + (bytes / bytesPerSecond) * 1000;
    return dueMs - nowMs();
  };
}
