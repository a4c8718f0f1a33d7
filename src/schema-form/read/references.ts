import { isRecord } from "#lib/read.ts";

function decodePart(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // Not percent-encoded after all: the part is taken as it stands.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** What a JSON pointer such as `/components/schemas/Input` points at in `root`; undefined where there is nothing. */
export function atPointer(root: unknown, pointer: string): unknown {
  let at = root;
  for (const part of pointer.split("/").slice(1).map(decodePart)) {
    if (Array.isArray(at)) at = /^\d+$/.test(part) ? at[Number(part)] : undefined;
    else if (isRecord(at) && Object.hasOwn(at, part)) at = at[part];
    else return undefined;
  }
  return at;
}

/** Keywords whose values are data, not schemas: an `$id` inside them names nothing. */
const DATA_KEYWORDS = new Set(["const", "enum", "default", "examples", "example"]);
const MAX_DEPTH = 64;
/** Characters of a `$ref`. A longer one is not followed. */
const LONGEST_REF = 2000;

interface Addresses {
  /** Schemas by their full address (`$id`), and by address and anchor. */
  byAddress: Map<string, unknown>;
  /** The base address of each schema object that has one, its own or its parent's. */
  baseOf: Map<object, string>;
}

export interface SchemaIndex {
  root: unknown;
  /** Everything in the document that a `$ref` can name. Found with the first `$ref`: most listings have none. */
  addresses?: Addresses;
  /** How many more schemas may be flattened: one that doubles at every step would never end. */
  budget: { left: number };
}

/** Schemas that may be flattened for one document. */
const MAX_FLATTENED = 20_000;

/** The base address of a document that declares none. */
const NO_BASE = "about:schema";

function resolveAddress(reference: string, base: string): string {
  try {
    return new URL(reference, base === NO_BASE ? "schema://root/" : base).href;
  } catch {
    return reference;
  }
}

/** Collects the addresses of `node` and of all schemas inside it. `base`: the base address around it. */
function collectAddresses(root: unknown, found: Addresses, node: unknown, base: string, depth: number): void {
  if (depth > MAX_DEPTH || typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) collectAddresses(root, found, item, base, depth + 1);
    return;
  }
  if (!isRecord(node)) return;
  let ownBase = base;
  const id = Object.hasOwn(node, "$id") ? node.$id : undefined;
  // Before 2019-09 a `$ref` overrides its siblings, and `$id: "#x"` was an anchor.
  if (typeof id === "string" && !(typeof node.$ref === "string" && isOldDraft(root))) {
    if (id.startsWith("#")) found.byAddress.set(`${base.split("#")[0]}${id}`, node);
    else {
      ownBase = resolveAddress(id, base);
      found.byAddress.set(ownBase.replace(/#$/, ""), node);
    }
  }
  if (ownBase !== NO_BASE) found.baseOf.set(node, ownBase);
  for (const anchor of [node.$anchor, node.$dynamicAnchor]) {
    if (typeof anchor === "string") found.byAddress.set(`${ownBase.split("#")[0]}#${anchor}`, node);
  }
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (typeof value === "object" && value !== null && !DATA_KEYWORDS.has(key))
      collectAddresses(root, found, value, ownBase, depth + 1);
  }
}

/** Whether the document declares draft 7 or older, where `$ref` hides the keys beside it. */
export function isOldDraft(root: unknown): boolean {
  const declared = isRecord(root) && Object.hasOwn(root, "$schema") ? root.$schema : undefined;
  return typeof declared === "string" && /draft-0[3-7]/.test(declared);
}

/** Prepares a document whose schemas a `$ref` can name. */
export function indexSchema(root: unknown): SchemaIndex {
  return { root, budget: { left: MAX_FLATTENED } };
}

function addressesOf(index: SchemaIndex): Addresses {
  if (index.addresses) return index.addresses;
  index.addresses = { byAddress: new Map(), baseOf: new Map() };
  collectAddresses(index.root, index.addresses, index.root, NO_BASE, 0);
  return index.addresses;
}

/**
 * The schema that `$ref` names, seen from `from`; undefined where it is not in the document (never fetched).
 */
export function findRef(index: SchemaIndex, ref: string, from: object | undefined): unknown {
  if (ref.length > LONGEST_REF) return undefined;
  const { byAddress, baseOf } = addressesOf(index);
  const base = (from && baseOf.get(from)) ?? NO_BASE;
  const hash = ref.indexOf("#");
  const address = hash < 0 ? ref : ref.slice(0, hash);
  const fragment = hash < 0 ? "" : ref.slice(hash + 1);
  const home = address ? resolveAddress(address, base) : base.split("#")[0] || base;
  const document = home === NO_BASE ? index.root : (byAddress.get(home) ?? (address ? undefined : index.root));
  if (document === undefined) return undefined;
  if (!fragment) return document;
  if (fragment.startsWith("/")) {
    const found = atPointer(document, fragment);
    return found === undefined && !address ? atPointer(index.root, fragment) : found;
  }
  return byAddress.get(`${home}#${fragment}`);
}
