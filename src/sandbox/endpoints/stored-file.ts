/** The bytes of a stored file, wherever they are. */
export interface StoredFile {
  size: number;
  /** The bytes from `first` up to and with `last`. */
  read(first: number, last: number): BodyInit;
  /** Gives up the space that it takes. Who reads it may read on. */
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

/** Pieces of that size are handed to the browser, which may put them on the disk. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** Files as Blobs, for a sandbox in a page. */
export const openBlobFile: OpenFile = async () => {
  let pieces: Blob[] = [];
  let fresh: Uint8Array<ArrayBuffer>[] = [];
  let freshBytes = 0;
  const settle = () => {
    pieces.push(new Blob(fresh));
    fresh = [];
    freshBytes = 0;
  };
  return {
    async append(bytes) {
      fresh.push(bytes as Uint8Array<ArrayBuffer>);
      freshBytes += bytes.length;
      if (freshBytes >= PIECE_BYTES) settle();
    },
    finish() {
      settle();
      const blob = new Blob(pieces);
      return { size: blob.size, read: (first, last) => blob.slice(first, last + 1), discard() {} };
    },
    discard() {
      pieces = [];
      fresh = [];
    },
  };
};

/** Bytes in memory as a file. */
export function fileOfBytes(bytes: Uint8Array<ArrayBuffer>): StoredFile {
  return { size: bytes.length, read: (first, last) => bytes.subarray(first, last + 1), discard() {} };
}
