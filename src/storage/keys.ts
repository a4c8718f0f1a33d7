import { parseSafely } from "#lib/read.ts";

/** The database, its version and its object stores. The README says which may be dropped when space runs out. */
export const DATABASE_NAME = "safelight";
export const DATABASE_VERSION = 4;
export const STORE_NAMES = [
  "outbox",
  "ledger",
  "jobs",
  "drafts",
  "chats",
  "thumbnails",
  "settings",
  "batches",
  "marks",
  "seen",
  "requests",
  "quarantine",
] as const;
export type StoreName = (typeof STORE_NAMES)[number];

/**
 * The version of the rows of each store, or the newest of its kinds. Rows of a newer one are deleted by the person alone,
 * with a wipe.
 */
export const ROW_VERSIONS: Record<StoreName, number> = {
  outbox: 3,
  ledger: 1,
  jobs: 1,
  drafts: 1,
  chats: 1,
  thumbnails: 1,
  settings: 1,
  batches: 2,
  marks: 1,
  seen: 1,
  requests: 1,
  quarantine: 1,
};

/**
 * What "Delete for this key" does with a stored item:
 * `stays`: nothing in it belongs to one account, or the account is connected and still needs it.
 * `removed`: it is deleted.
 * `tab`: it is deleted in the tabs that are connected to the account.
 * A function takes the stored text and returns what stays of it.
 */
type WipeRule = "stays" | "removed" | "tab" | ((text: string, wiped: Wiped) => string);

/** The account that is being deleted. */
export interface Wiped {
  accountId: string;
  /** Whether a text, such as a job's id, was named in one of the account's rows. */
  isNamed: (text: string) => boolean;
}

export interface StorageKey {
  /** The name as it is written in the browser. It never changes: older stores are still read. */
  name: string;
  /** `local` outlives the tab, `session` ends with it. */
  area: "local" | "session";
  /** To whom it belongs. The name of an account's key ends in the account's id: see `keyOfAccount`. */
  owner: "account" | "browser" | "tab";
  wipe: WipeRule;
}

const browser = (name: string, wipe: WipeRule = "stays"): StorageKey => ({
  name,
  area: "local",
  owner: "browser",
  wipe,
});
const tab = (name: string, wipe: WipeRule): StorageKey => ({ name, area: "session", owner: "tab", wipe });

/** Every key of localStorage and sessionStorage that Safelight writes. No other module names one. */
export const KEYS = {
  /** The random part of every account's id on this device. Without it no stored row finds its account again. */
  salt: browser("safelight.salt"),
  /** The two URLs that were used last, for the form on Connect. */
  addresses: browser("safelight.addresses"),
  /** Also read by `public/start.js`, which runs before the first paint. */
  theme: browser("safelight:theme"),
  /** Notification and sound when a job finishes. */
  alerts: browser("safelight:alerts"),
  /** The keys that the person gave to commands, and whether single keys act: a JSON object. */
  shortcuts: browser("safelight.shortcuts"),
  /** Whether finished jobs are archived. The folder's handle is a row of `settings`. */
  archive: browser("safelight.archive"),
  nameTemplate: browser("safelight.name-template"),
  /**
   * Whether the rail is folded: "folded" or "wide"; absent while the window's width decides. Also read by the shell that
   * is painted before any script.
   */
  rail: browser("safelight:rail"),
  starred: browser("safelight.favourites"),
  /** What a model's field is for, as the person corrected it. */
  roleCorrections: browser("safelight.roles"),
  /** Where a service lists the parameters of its models, as the person showed it: a JSON list, by the queue's URL. */
  schemaPlaces: browser("safelight.schema-places"),
  lastModel: browser("safelight:last-model"),
  lastTextModel: browser("safelight:last-asked"),
  textPresets: browser("safelight:text-presets"),
  /** Playground: which of its docks are folded, a JSON object. */
  playgroundDocks: browser("safelight.playground-docks"),
  /** Playground: how often each model won a comparison without names, a JSON object. */
  blindVotes: browser("safelight.blind-votes"),
  /** Prompts that were run. They are not stored by account, so they are deleted with any account. */
  prompts: browser("safelight.prompts", "removed"),
  /** Ids of jobs whose media was deleted: a JSON list, by version 0.1. Read, and no longer written. */
  deletedMedia: browser("safelight.deleted-media", (text, { isNamed }) => {
    const ids: unknown = parseSafely(text);
    return JSON.stringify(Array.isArray(ids) ? ids.filter((id) => typeof id === "string" && !isNamed(id)) : []);
  }),
  /** Ids of jobs whose possible second charge was reported, with spaces between. */
  reportedDuplicates: browser("safelight:told-duplicates", (text, { isNamed }) =>
    text
      .split(" ")
      .filter((id) => !isNamed(id))
      .join(" "),
  ),
  /** What the text endpoints of each account can do: a JSON object, by `accountId|endpoint|model`. */
  textCapabilities: browser("safelight:text-habits", (text, { accountId }) => {
    const entries = Object.entries(parseSafely(text) as object);
    return JSON.stringify(Object.fromEntries(entries.filter(([name]) => !name.startsWith(`${accountId}|`))));
  }),
  /** Whose media was deleted, when, and the files that went: a JSON list. Read before the first image is shown. */
  deletedFiles: { name: "safelight.deleted-files|", area: "local", owner: "account", wipe: "removed" },
  /** Hosts whose media load without a click, because the account's service named them: a JSON list. */
  mediaHosts: { name: "safelight.media-hosts|", area: "local", owner: "account", wipe: "removed" },
  /** When the newest job was made whose expiring files a person does not want to be reminded of. Unix seconds. */
  dismissedExpiry: { name: "safelight.dismissed-expiry|", area: "local", owner: "account", wipe: "removed" },
  /** Models that the account's service called inactive, and when: a JSON object by model id. */
  inactiveModels: { name: "safelight.inactive-models|", area: "local", owner: "account", wipe: "removed" },
  /** The chat that was open last. */
  lastConversation: { name: "safelight:last-chat|", area: "local", owner: "account", wipe: "removed" },
  /** Messages that wait for a response before them. */
  messageQueue: { name: "safelight:chat-queue|", area: "session", owner: "account", wipe: "removed" },
  /** What this tab is connected to, for a reload. Never the key. Who deletes rows stays connected. */
  connection: tab("safelight.connection", "stays"),
  /** Keys that the person stores on this device, each sealed under a passphrase: a JSON list, by `accountId`. */
  sealedKeys: browser("safelight.sealed-keys", (text, { accountId }) => {
    const entries = parseSafely(text) as { accountId?: unknown }[];
    return JSON.stringify(entries.filter((entry) => entry.accountId !== accountId));
  }),
  /** Connections that are open in every tab, as the person chose. Never a key. */
  sharedConnections: browser("safelight.connections"),
  /** Messages that are written and not sent. */
  messageDrafts: tab("safelight:chat-drafts", "tab"),
  /**
   * What forms contained that was not stored when the page was unloaded, and which uploads ended with it: a JSON list.
   * `scope` is the account.
   */
  unloadDraft: tab("safelight.late-draft", "tab"),
  /** Uploads that ended with the page before, by version 0.1: names of files. Listed so that a wipe deletes it. */
  unfinishedUploads: tab("safelight.unfinished-uploads", "tab"),
  /** When a tab last reloaded itself for a new version. */
  reloadedAt: tab("safelight:reloaded-at", "stays"),
} satisfies Record<string, StorageKey>;

/** A key whose name ends in the account's id. */
export function keyOfAccount(key: StorageKey & { owner: "account" }, accountId: string): StorageKey {
  return { ...key, name: key.name + accountId };
}

/** Names of the channels between tabs. They store nothing. */
export const CHANNELS = {
  /** Which stores changed, and which account was deleted. */
  rows: "safelight-rows",
  /** An account whose key was forgotten. */
  forget: "safelight.forget",
  /** What the tab that polls learns of an account's jobs. */
  jobs: (accountId: string) => `safelight-jobs-${accountId}`,
};

/** Names of Web Locks, and of the leases in `settings` that replace them. */
export const LOCKS = {
  /** The one tab that polls for an account. */
  watch: (accountId: string) => `safelight:watch:${accountId}`,
  /** A submit, a batch, a recovery: see `runs/submit/`. */
  work: (name: string) => `safelight:${name}`,
  /** One of the connections that long transfers of all tabs share. */
  transfer: (slot: number) => `safelight:transfer:${slot}`,
};

/** The row of `settings` that identifies this database, since another one is made after it was deleted. */
export const IDENTITY_KEY = "database";

/** The row of `settings` with how far the import of a file came that was cut off. */
export const IMPORT_KEY = "import";

/** The row of `settings` that holds the lease of a lock, where the browser has no Web Locks. */
export const leaseKey = (lock: string) => `lease|${lock}`;
