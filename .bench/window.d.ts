// What the pages of the benches offer to the scripts that measure them.
import type { measureIndex } from "./history/pages/measure-index.mjs";
import type { scrollThrough } from "./history/scroll-through.mjs";

interface FormPage {
  /** Draws a form of so many fields and waits until it is whole; rejects in a sentence where it does not come to that. */
  mount(fields: number, withAll?: boolean): Promise<{ firstPaint: number; controls: number; nodes: number }>;
  clear(): void;
  payload(): Record<string, unknown>;
}

interface ListPage {
  /** Draws a list of so many jobs; rejects in a sentence where it never gets its height. */
  mount(count: number): Promise<void>;
  scroll(options: { frames: number; step?: number }): ReturnType<typeof scrollThrough>;
}

interface StreamPage {
  /** Reads a stream to its end and waits until nothing moves any more. */
  stream(query: Record<string, string>): Promise<{ dropped: number; expected: number; longTasks: number[] }>;
  /** Whether the document is the one of the full parse; undefined where there is none to compare with. */
  check(): Promise<boolean | undefined>;
}

interface ZipAsked {
  files: number;
  /** Of each. */
  bytes: number;
  /** How many of them are gone. */
  lost: number;
  into: "sink" | "download";
}

declare global {
  interface Window {
    formPage: FormPage;
    listPage: ListPage;
    measureIndex(count: number): ReturnType<typeof measureIndex>;
    streamPage: StreamPage;
    makeZip(asked: ZipAsked): Promise<{ ms: number; bytes: number; failures: number }>;
    /** The longest event of each interaction since it was asked last, in ms. */
    takeEvents(): number[];
  }
}
