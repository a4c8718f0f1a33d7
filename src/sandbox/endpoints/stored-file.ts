/** The bytes of a stored file, wherever they are. */
export interface StoredFile {
  size: number;
  /** The bytes from `first` up to and with `last`. */
  read(first: number, last: number): BodyInit;
  /** Gives up the space that it takes. A reader may or may not get the rest. */
  discard(): void;
}

/** Takes one file as it comes. */
export interface FileWriter {
  append(bytes: Uint8Array): Promise<void>;
  /** The file, now that all of it has come. */
  finish(): StoredFile;
  /** Gives up what has come. */
  discard(): void;
}

/** Opens a new file. Rejects where there is no room for one. */
export type OpenFile = () => Promise<FileWriter>;

/** A piece of this size is made a Blob, which the browser may put on the disk. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** Files as Blobs, for a sandbox in a page. */
export const openBlobFile: OpenFile = async () => {
  let pieces: Blob[] = [];
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let pendingBytes = 0;
  const flush = () => {
    pieces.push(new Blob(pending));
    pending = [];
    pendingBytes = 0;
  };
  return {
    async append(bytes) {
      pending.push(bytes as Uint8Array<ArrayBuffer>);
      pendingBytes += bytes.length;
      if (pendingBytes >= PIECE_BYTES) flush();
    },
    finish() {
      flush();
      const blob = new Blob(pieces);
      return { size: blob.size, read: (first, last) => blob.slice(first, last + 1), discard() {} };
    },
    discard() {
      pieces = [];
      pending = [];
    },
  };
};

/** Bytes in memory as a file. */
export function fileOfBytes(bytes: Uint8Array<ArrayBuffer>): StoredFile {
  return { size: bytes.length, read: (first, last) => bytes.subarray(first, last + 1), discard() {} };
}
