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

interface StoredInput {
  id: string;
  fileType: string;
  user: string;
  organisation: string;
  bytes?: Uint8Array<ArrayBuffer>;
  isDeleted: boolean;
}

export interface UploadStore {
  create(fileType: string, user: string, organisation: string): StoredInput;
  find(id: string): StoredInput | undefined;
  /** Signature over the id, the type and the expiry in unix seconds. */
  sign(input: StoredInput, expires: number): string;
  all(): readonly StoredInput[];
  /** Ids of stored inputs whose public address stands within a text. */
  idsWithin(text: string): string[];
}

/** `run` makes ids and signatures of one run differ from those of another. */
export function createUploadStore(run: string): UploadStore {
  const inputs = new Map<string, StoredInput>();
  return {
    create(fileType, user, organisation) {
      const id = seededHex(32, "upload", run, inputs.size);
      const input: StoredInput = { id, fileType, user, organisation, isDeleted: false };
      inputs.set(id, input);
      return input;
    },
    find: (id) => inputs.get(id),
    sign: (input, expires) => seededHex(40, "signature", run, input.id, input.fileType, expires),
    all: () => [...inputs.values()],
    idsWithin: (text) =>
      [...text.matchAll(/\/sandbox\/storage\/inputs\/([0-9a-f]{32})\.\w+/g)].map((match) => match[1] ?? ""),
  };
}
