/** A tab of a browser. Each engine speaks its own protocol; what both can do is here. */
export interface Tab {
  /** Resolves when the page is loaded. */
  open(url: string): Promise<void>;
  /** Resolves when the page is loaded again. */
  reload(): Promise<void>;
  /** The value of an expression in the page, by way of JSON. A promise is waited for. Rejects where it throws. */
  evaluate(expression: string): Promise<unknown>;
  /** Keys and pointer as a person uses them: the `actions` of WebDriver. */
  act(actions: readonly ActionSource[]): Promise<void>;
  /** Chooses files of this machine in the `input` that an expression gives. */
  chooseFiles(expression: string, paths: readonly string[]): Promise<void>;
  /** Sets the size of the page, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** A PNG of what is in view. */
  screenshot(): Promise<Buffer>;
}

/** Somebody with a browser of their own: nothing is stored yet, and further tabs share what is. */
export interface Visitor {
  newTab(): Promise<Tab>;
  /** Ends all tabs, and forgets what they stored. */
  leave(): Promise<void>;
}

export interface Engine {
  newVisitor(): Promise<Visitor>;
  stop(): Promise<void>;
}

export type ActionSource =
  | { type: "key"; id: string; actions: { type: "keyDown" | "keyUp"; value: string }[] }
  | {
      type: "pointer";
      id: string;
      parameters?: { pointerType: "mouse" };
      actions: (
        | { type: "pointerMove"; x: number; y: number }
        | { type: "pointerDown" | "pointerUp"; button: number }
      )[];
    };

/** Ends what hangs, and decides nothing else. */
export const LONGEST_WAIT_MS = 180_000;

/** Asks until something is there, and not longer than the time limit in ms. Rejects with the last reason. */
export async function until<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  what: string,
  limit = LONGEST_WAIT_MS,
): Promise<T> {
  const end = performance.now() + limit;
  let reason: unknown;
  do {
    try {
      const value = await ask();
      if (value !== undefined) return value;
      reason = undefined;
    } catch (error) {
      reason = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 40));
  } while (performance.now() < end);
  throw new Error(`Waited ${limit / 1000} s: ${what}`, { cause: reason });
}
