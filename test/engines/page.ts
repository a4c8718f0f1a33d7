import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type ActionSource, type Tab, until } from "./engine.ts";
import type { Step, Wanted } from "./page-queries.ts";

type Text = string | RegExp;

/** What the keys of the keyboard are called in WebDriver. */
const KEYS: Record<string, string> = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Alt: "\uE00A",
  Escape: "\uE00C",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Delete: "\uE017",
};

const wanted = (text: Text): Wanted => (typeof text === "string" ? text : { source: text.source, flags: text.flags });

/** What leads to elements of a page; nothing is looked for until something is done with it. */
export class Locator {
  private readonly page: Page;
  private readonly steps: readonly Step[];

  constructor(page: Page, steps: readonly Step[]) {
    this.page = page;
    this.steps = steps;
  }

  /** What has a role and an accessible name: all of a string, or a part that an expression matches. */
  role(role: string, name?: Text): Locator {
    return this.step(name === undefined ? { by: "role", role } : { by: "role", role, name: wanted(name) });
  }

  /** The field of a label. */
  label(text: Text): Locator {
    return this.step({ by: "label", text: wanted(text) });
  }

  /** What has this text and no element inside that has it. */
  text(text: Text): Locator {
    return this.step({ by: "text", text: wanted(text) });
  }

  css(selector: string): Locator {
    return this.step({ by: "css", selector });
  }

  /** Counted from 0, or from the end: -1. */
  at(index: number): Locator {
    return this.step({ by: "index", index });
  }

  private step(step: Step): Locator {
    return new Locator(this.page, [...this.steps, step]);
  }

  count(): Promise<number> {
    return this.all((elements) => elements.filter((element) => element.checkVisibility()).length);
  }

  /** Resolves when it is there to be seen. */
  async seen(limit?: number): Promise<void> {
    await until(async () => (await this.count()) > 0 || undefined, `to see ${this}`, limit);
  }

  /** Resolves when there is none to be seen. */
  async gone(): Promise<void> {
    await until(async () => (await this.count()) === 0 || undefined, `for the end of ${this}`);
  }

  /** What a function of the page gives for the first one, which is waited for. */
  evaluate<T, A = undefined>(run: (element: HTMLElement, argument: A) => T | Promise<T>, argument?: A): Promise<T> {
    const argumentText = JSON.stringify(argument) ?? "undefined";
    const script = `(async () => {
      const [element] = queries.findAll(${JSON.stringify(this.steps)});
      return element ? [await (${run})(element, ${argumentText})] : undefined;
    })()`;
    const read = async () => (await this.page.inPage(script)) as [T] | undefined;
    return until(read, `for ${this}`).then(([value]) => value);
  }

  private all<T>(run: (elements: HTMLElement[]) => T): Promise<T> {
    return this.page.inPage(`(${run})(queries.findAll(${JSON.stringify(this.steps)}))`) as Promise<T>;
  }

  /** Its text as it is laid out; of a field, its value. */
  content(): Promise<string> {
    return this.evaluate((element) =>
      element.matches("input, textarea, select") ? (element as HTMLInputElement).value : element.innerText,
    );
  }

  attribute(name: string): Promise<string | null> {
    return this.evaluate((element, name) => element.getAttribute(name), name);
  }

  /** Resolves when its text, or its value, is what is wanted. */
  async says(text: RegExp, limit?: number): Promise<void> {
    let last = "";
    const matches = async () => {
      last = await this.content();
      return text.test(last) || undefined;
    };
    await until(matches, `for ${text} in ${this}`, limit).catch((error: Error) => {
      throw new Error(`${error.message}, which says ${JSON.stringify(last)}`, { cause: error.cause });
    });
  }

  async click(): Promise<void> {
    let last = "";
    const point = await until(async () => {
      const found = await this.evaluate((element) => queries.clickPoint(element));
      const isSteady = JSON.stringify(found) === last;
      last = JSON.stringify(found);
      return typeof found === "object" && isSteady ? found : undefined;
    }, `to click ${this}`).catch((error: Error) => {
      throw new Error(`${error.message}: ${last}`, { cause: error.cause });
    });
    await this.page.clickAt(point.x, point.y);
  }

  /** Types over what stands in a field. */
  async fill(text: string): Promise<void> {
    await this.click();
    await this.evaluate((field) => (field as HTMLInputElement).select());
    await this.page.type(text === "" ? (KEYS.Delete ?? "") : text);
  }

  /** Gives a field its value at once, as a picker of the engine does: a day, or an option of a `select`. */
  async set(value: string): Promise<void> {
    await this.evaluate((field, value) => {
      const own = Object.getPrototypeOf(field) as HTMLInputElement;
      Object.getOwnPropertyDescriptor(own, "value")?.set?.call(field, value);
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }, value);
  }

  /** Chooses files of this machine in a file field. */
  async chooseFiles(...paths: string[]): Promise<void> {
    await this.evaluate(() => true);
    await this.page.tab.chooseFiles(`queries.findAll(${JSON.stringify(this.steps)})[0]`, paths);
  }

  toString(): string {
    const show = (text: Wanted) => (typeof text === "string" ? `"${text}"` : `/${text.source}/${text.flags}`);
    const words = this.steps.map((step) => {
      if (step.by === "role") return step.name === undefined ? step.role : `${step.role} ${show(step.name)}`;
      if (step.by === "css") return step.selector;
      return step.by === "index" ? `number ${step.index}` : `${step.by} ${show(step.text)}`;
    });
    return words.join(" > ");
  }
}

declare const queries: typeof import("./page-queries.ts");

/** A tab with what stories do in it. */
export class Page {
  private readonly root = new Locator(this, []);
  readonly role = this.root.role.bind(this.root);
  readonly label = this.root.label.bind(this.root);
  readonly text = this.root.text.bind(this.root);
  readonly css = this.root.css.bind(this.root);

  readonly tab: Tab;
  private readonly origin: string;
  private readonly queriesScript: string;
  private readonly faults: string[];

  /** `queriesScript` is `page-queries.ts` as one script; `faults` gets what goes wrong in the page. */
  constructor(tab: Tab, origin: string, queriesScript: string, faults: string[]) {
    this.tab = tab;
    this.origin = origin;
    this.queriesScript = queriesScript;
    this.faults = faults;
  }

  /** Opens a path of the studio, or an address. */
  async open(path: string): Promise<void> {
    await this.takeFaults();
    await this.tab.open(new URL(path, this.origin).href);
  }

  async reload(): Promise<void> {
    await this.takeFaults();
    await this.tab.reload();
  }

  /** What a function gives in the page, by way of JSON. */
  evaluate<T, A = undefined>(run: (argument: A) => T | Promise<T>, argument?: A): Promise<T> {
    return this.tab.evaluate(`(${run})(${JSON.stringify(argument) ?? "undefined"})`) as Promise<T>;
  }

  /** The value of an expression that uses `page-queries.ts`. A page that was just loaded gets them first. */
  async inPage(expression: string): Promise<unknown> {
    const ask = () => this.tab.evaluate(`globalThis.queries && (async () => [await (${expression})])()`);
    let answer = await ask();
    if (answer === undefined) {
      await this.tab.evaluate(`(() => { ${this.queriesScript} })()`);
      answer = await ask();
    }
    return (answer as [unknown])[0] ?? undefined;
  }

  /** Resolves when the address is a wanted one. */
  async isAt(address: RegExp): Promise<void> {
    const isThere = async () => address.test(await this.evaluate(() => location.href)) || undefined;
    await until(isThere, `to be at ${address}`);
  }

  /** Types a text into what has the focus, key by key. */
  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: "keyDown" as const, value },
      { type: "keyUp" as const, value },
    ]);
    await this.tab.act([{ type: "key", id: "keyboard", actions }]);
  }

  /** Presses keys together: "Enter", "Control+k". */
  async press(keys: string): Promise<void> {
    const values = keys.split("+").map((key) => KEYS[key] ?? key);
    const down = values.map((value) => ({ type: "keyDown" as const, value }));
    const up = values.toReversed().map((value) => ({ type: "keyUp" as const, value }));
    await this.tab.act([{ type: "key", id: "keyboard", actions: [...down, ...up] }]);
  }

  async clickAt(x: number, y: number): Promise<void> {
    const actions: ActionSource = {
      type: "pointer",
      id: "mouse",
      parameters: { pointerType: "mouse" },
      actions: [
        { type: "pointerMove", x, y },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    };
    await this.tab.act([actions]);
  }

  /** Writes a PNG of what is in view. */
  async shoot(path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await this.tab.screenshot());
  }

  /** Notes what went wrong in the page that is open, before it is left. */
  async takeFaults(): Promise<void> {
    const taken = await this.evaluate(() => (globalThis as { faults?: string[] }).faults?.splice(0) ?? []);
    this.faults.push(...taken);
  }
}
