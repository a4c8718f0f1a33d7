import type { Connection } from "#connection/connection-store.ts";
import { aboutHost, isServedByHost } from "#connection/relay.ts";
import { recentRequests, type StoredRequest } from "#connection/request-history.ts";
import { redactValue } from "#lib/redact-secret.ts";
import { DEFAULT_NAME_TEMPLATE, nameTemplate } from "#media/download/file-name.ts";
import { useAlertChoice } from "#results/alerts/alert-store.ts";
import { isArchiving } from "#results/archive/archive-store.ts";
import { openRows } from "#storage/database.ts";
import { STORE_NAMES } from "#storage/keys.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { getThemeChoice } from "./theme-store.ts";

const ABOUT =
  "Safelight diagnostics. Contains no key, prompt, settings, file name, job ID or signed URL. Sizes are in characters.";

/**
 * The diagnostics file, as JSON that a person can read: versions, settings, hosts of the URLs, the state of the
 * storage, and the last requests, each in one line. It consists of Safelight's own words, numbers, and the few texts
 * that are listed here. A part that cannot be read says so or is left out.
 */
export async function diagnosticsText(connection: Connection | null): Promise<string> {
  const requests = await recentRequests(connection?.accountId ?? "");
  const parts = {
    about: ABOUT,
    madeAt: new Date().toISOString(),
    studio: {
      version: studioVersion(),
      build: buildName(),
      servedBy: isServedByHost() ? "the Safelight server" : "a plain file host",
    },
    host: isServedByHost() ? await hostFacts() : null,
    browser: browserFacts(),
    connection: connection && connectionFacts(connection),
    settings: settingFacts(),
    storage: await storageFacts(),
  };
  const head = JSON.stringify(redactValue(parts, connection?.keyShape), null, 2).slice(0, -2);
  const lines = requests.map((request) => `    ${JSON.stringify(requestLine(request))}`).join(",\n");
  return `${head},\n  "requests": [${lines === "" ? "" : `\n${lines}\n  `}]\n}\n`;
}

/** A request without the job's id, which stays in this browser. */
function requestLine({ atMs, jobId: _, ...facts }: StoredRequest) {
  return { at: new Date(atMs).toISOString(), ...facts };
}

/** The version in package.json, which vite.config.ts puts into the build. */
function studioVersion(): string {
  return String(import.meta.env.STUDIO_VERSION ?? "unknown");
}

/** The name of the page's first script, which differs between builds. */
function buildName(): string | undefined {
  const source = document.querySelector("script[type=module][src]")?.getAttribute("src");
  return source?.split("/").at(-1);
}

async function hostFacts() {
  try {
    const { mode, memory, origins, storage } = await aboutHost();
    return { mode, remembersAttempts: memory !== null, addresses: origins.length, storages: storage.length };
  } catch {
    return "gave no response";
  }
}

function browserFacts() {
  const { userAgent, language, onLine } = navigator;
  return {
    userAgent,
    language,
    online: onLine,
    window: `${innerWidth} × ${innerHeight}`,
    pixelRatio: devicePixelRatio,
    secureContext: globalThis.isSecureContext,
    locks: "locks" in navigator,
    channels: typeof BroadcastChannel !== "undefined",
  };
}

/** The facts of a connection, with only the hosts of its URLs: a path may contain something private. */
function connectionFacts({ queueBaseUrl, inferenceBaseUrl, isSandbox, custody, isShared }: Connection) {
  const host = (address: string) => new URL(address, location.href).host;
  return {
    to: isSandbox ? "the sandbox" : "a service",
    queue: host(queueBaseUrl),
    inference: host(inferenceBaseUrl),
    keyHeldBy: KEY_HOLDERS[custody],
    openIn: isShared ? "every tab" : "this tab",
  };
}

const KEY_HOLDERS: Record<Connection["custody"], string> = {
  host: "the Safelight server",
  worker: "a worker of the page",
  page: "the page",
};

function settingFacts() {
  const { notify, sound } = useAlertChoice.getState();
  return {
    theme: getThemeChoice(),
    notifications: notify,
    sound,
    archiving: isArchiving(),
    fileNames: nameTemplate() === DEFAULT_NAME_TEMPLATE ? "default" : "own",
  };
}

async function storageFacts() {
  const { kind, quarantined, newerRows, losses } = useStorageState.getState();
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined);
  const persisted = await navigator.storage?.persisted?.().catch(() => undefined);
  const megabytes = (bytes: number | undefined) => (bytes === undefined ? undefined : Math.round(bytes / 1e5) / 10);
  return {
    kind,
    quarantined,
    newerRows,
    losses,
    rows: await rowCounts(),
    usedMegabytes: megabytes(estimate?.usage),
    quotaMegabytes: megabytes(estimate?.quota),
    persisted,
  };
}

async function rowCounts() {
  try {
    const rows = await openRows();
    const counts = STORE_NAMES.map(async (store) => [store, (await rows.all(store)).length] as const);
    return Object.fromEntries(await Promise.all(counts));
  } catch {
    return "can’t be read";
  }
}
