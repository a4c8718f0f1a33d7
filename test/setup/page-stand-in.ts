/**
 * What a page gives to rules, for a test in Node: both storages, address and history, `window` with its events, and as
 * much of a document as rules read (whether it is seen, the root's data, the marks in its head).
 *
 *     import "../setup/page-stand-in.ts"; // the first import, and without names, which would be sorted further down
 *
 * The page begins as jsdom's does, at `http://localhost:4173/` and empty, with modules of its own, and goes with the end
 * of the file, since files share a worker. `resetPage` empties it in between. What a single test needs besides (`fetch`,
 * `Worker`, `matchMedia`) it stubs itself.
 */
import { setMaxListeners } from "node:events";
import { environmentManager } from "@tanstack/react-query";
import { afterAll, vi } from "vitest";

const START = "http://localhost:4173/";
/** What browsers give one origin, in characters. */
const STORAGE_ROOM = 5_000_000;

const contents = new WeakMap<object, Map<string, string>>();
const valuesOf = (storage: object) => contents.get(storage) as Map<string, string>;

/** A spy on `Storage.prototype` hears both. */
class PageStorage {
  get length(): number {
    return valuesOf(this).size;
  }
  key(index: number): string | null {
    return [...valuesOf(this).keys()][index] ?? null;
  }
  getItem(name: string): string | null {
    return valuesOf(this).get(String(name)) ?? null;
  }
  setItem(name: string, text: string): void {
    const after = new Map(valuesOf(this)).set(String(name), String(text));
    if ([...after].flat().join("").length > STORAGE_ROOM)
      throw new DOMException("The storage is full.", "QuotaExceededError");
    contents.set(this, after);
  }
  removeItem(name: string): void {
    valuesOf(this).delete(String(name));
  }
  clear(): void {
    valuesOf(this).clear();
  }
}

/** As in a browser, `localStorage.name`, `"name" in localStorage` and `Object.entries(localStorage)` work, too. */
function makeStorage(): Storage {
  const isOwn = (name: string | symbol): name is string => typeof name === "string" && !(name in PageStorage.prototype);
  const storage: Storage = new Proxy(Object.create(PageStorage.prototype), {
    get: (target, name) => (isOwn(name) ? valuesOf(storage).get(name) : Reflect.get(target, name, storage)),
    set(target, name, value) {
      if (!isOwn(name)) return Reflect.set(target, name, value);
      storage.setItem(name, value);
      return true;
    },
    has: (target, name) => (isOwn(name) ? valuesOf(storage).has(name) : name in target),
    deleteProperty(target, name) {
      if (!isOwn(name)) return Reflect.deleteProperty(target, name);
      valuesOf(storage).delete(name);
      return true;
    },
    ownKeys: (target) => [...valuesOf(storage).keys(), ...Reflect.ownKeys(target)],
    getOwnPropertyDescriptor(target, name) {
      const value = isOwn(name) ? valuesOf(storage).get(name) : undefined;
      if (value === undefined) return Reflect.getOwnPropertyDescriptor(target, name);
      return { value, writable: true, enumerable: true, configurable: true };
    },
  });
  contents.set(storage, new Map());
  return storage;
}

/** An element that holds attributes and children, and shows nothing. */
class PageElement {
  readonly dataset: Record<string, string> = {};
  readonly children: PageElement[] = [];
  readonly #attributes = new Map<string, string>();
  #parent: PageElement | undefined;
  readonly localName: string;
  constructor(localName: string) {
    this.localName = localName;
  }
  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }
  setAttribute(name: string, value: string): void {
    this.#attributes.set(name, String(value));
  }
  hasAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }
  get name(): string {
    return this.getAttribute("name") ?? "";
  }
  set name(value: string) {
    this.setAttribute("name", value);
  }
  get content(): string {
    return this.getAttribute("content") ?? "";
  }
  set content(value: string) {
    this.setAttribute("content", value);
  }
  append(...elements: PageElement[]): void {
    for (const element of elements) {
      element.remove();
      element.#parent = this;
      this.children.push(element);
    }
  }
  remove(): void {
    const siblings = this.#parent?.children ?? [];
    if (siblings.includes(this)) siblings.splice(siblings.indexOf(this), 1);
    this.#parent = undefined;
  }
}

/** Finds by `tag` with any of `[name]` and `[name="value"]`, as far as rules look for something. */
class PageDocument extends EventTarget {
  title = "";
  readonly documentElement = new PageElement("html");
  readonly head = new PageElement("head");
  readonly body = new PageElement("body");
  #visibility: DocumentVisibilityState = "visible";
  constructor() {
    super();
    this.documentElement.append(this.head, this.body);
  }
  get visibilityState(): DocumentVisibilityState {
    return this.#visibility;
  }
  get hidden(): boolean {
    return this.visibilityState === "hidden";
  }
  reset(): void {
    this.title = "";
    this.#visibility = "visible";
    for (const { dataset, children } of [this.documentElement, this.head, this.body]) {
      for (const name of Object.keys(dataset)) delete dataset[name];
      if (children[0] !== this.head) children.length = 0;
    }
  }
  show(visibility: DocumentVisibilityState): void {
    this.#visibility = visibility;
    this.dispatchEvent(new Event("visibilitychange"));
  }
  hasFocus(): boolean {
    return this.visibilityState === "visible";
  }
  createElement(localName: string): PageElement {
    return new PageElement(localName);
  }
  querySelector(selector: string): PageElement | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }
  querySelectorAll(selector: string): PageElement[] {
    const [, tag, conditions = ""] = /^([a-z]+)((?:\[[\w-]+(?:="?[\w-]*"?)?\])*)$/.exec(selector) ?? [];
    if (tag === undefined) throw new SyntaxError(`The stand-in of the page cannot look for ${selector}.`);
    const wanted = [...conditions.matchAll(/\[([\w-]+)(?:="?([\w-]*)"?)?\]/g)];
    return all(this.documentElement).filter(
      (element) =>
        element.localName === tag &&
        wanted.every(([, name = "", value]) =>
          value === undefined ? element.hasAttribute(name) : element.getAttribute(name) === value,
        ),
    );
  }
}

const all = (element: PageElement): PageElement[] => element.children.flatMap((child) => [child, ...all(child)]);

/** `assign`, `replace` and `href =` change the address and load nothing, as does `reload`. */
class PageLocation extends URL {
  override get href(): string {
    return super.href;
  }
  override set href(address: string) {
    super.href = new URL(address, super.href).href;
  }
  assign(address: string): void {
    this.href = address;
  }
  replace(address: string): void {
    this.href = address;
  }
  reload(): void {}
}

class PageHistory {
  state: unknown = null;
  length = 1;
  readonly #location: PageLocation;
  constructor(location: PageLocation) {
    this.#location = location;
  }
  pushState(state: unknown, unused: string, address?: string | URL | null): void {
    this.replaceState(state, unused, address);
    this.length += 1;
  }
  replaceState(state: unknown, _unused: string, address?: string | URL | null): void {
    const next = new URL(address ?? "", this.#location.href);
    // No page can write the address of another site, or of a file.
    if (next.origin !== this.#location.origin) throw new DOMException("Not of this origin.", "SecurityError");
    if (address !== undefined && address !== null) this.#location.href = next.href;
    this.state = structuredClone(state);
  }
}

class PageStorageEvent extends Event {
  readonly key: string | null;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly storageArea: Storage | null;
  constructor(type: string, init: StorageEventInit = {}) {
    super(type, init);
    this.key = init.key ?? null;
    this.oldValue = init.oldValue ?? null;
    this.newValue = init.newValue ?? null;
    this.storageArea = init.storageArea ?? null;
  }
}

function makePage() {
  const location = new PageLocation(START);
  const events = new EventTarget();
  const document = new PageDocument();
  setMaxListeners(0, events, document);
  return {
    window: globalThis,
    self: globalThis,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    document,
    location,
    history: new PageHistory(location),
    navigator: { onLine: true, language: "en-US", languages: ["en-US"], userAgent: "Page/1.0" },
    innerWidth: 1024,
    innerHeight: 768,
    devicePixelRatio: 1,
    Storage: PageStorage,
    StorageEvent: PageStorageEvent,
    localStorage: makeStorage(),
    sessionStorage: makeStorage(),
  };
}

const page = () => globalThis as unknown as ReturnType<typeof makePage>;

/** The page is as at the beginning of the file; who listens to it goes on. */
export function resetPage(): void {
  const { localStorage, sessionStorage, history, location, document } = page();
  localStorage.clear();
  sessionStorage.clear();
  location.href = START;
  history.replaceState(null, "");
  document.reset();
}

/** The page was opened at this address, which may be of another origin. */
export function setAddress(address: string): void {
  page().location.href = address;
}

/** The page's tab is covered, or seen again; whoever listens hears of it. */
export function setVisibility(visibility: DocumentVisibilityState): void {
  page().document.show(visibility);
}

/** Who gave out this page, as the host writes it: `here` is the studio's own host, `none` a plain file host. */
export function markHost(content: string, { sandbox }: { sandbox?: "off" } = {}): void {
  const { document } = page();
  for (const mark of document.querySelectorAll('meta[name="safelight-host"]')) mark.remove();
  const mark = document.createElement("meta");
  mark.name = "safelight-host";
  mark.content = content;
  if (sandbox) mark.setAttribute("data-sandbox", sandbox);
  document.head.append(mark);
}

// Other helpers import this file, too: the page is put there once for a test file. To what was loaded before, for other
// files of this worker, it would come too late; and what reads it now must not reach the next file.
if (typeof window === "undefined") {
  const before = Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor>;
  const stood = makePage();
  for (const [name, value] of Object.entries(stood))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  // Asked at every turn: whichever file loads the library first, it takes this for a page, and no other file for one.
  environmentManager.setIsServer(() => typeof window === "undefined");
  vi.resetModules();
  afterAll(() => {
    for (const name of Object.keys(stood)) {
      const own = before[name];
      if (own) Object.defineProperty(globalThis, name, own);
      else Reflect.deleteProperty(globalThis, name);
    }
    vi.resetModules();
  });
}
