import { readdirSync, readFileSync } from "node:fs";

/** @typedef {{ pid: string, parent: string, command: string, kind: string, megabytes: number }} BrowserProcess */

/**
 * Watches what the processes of a browser hold of their own, in megabytes. Only Linux tells (`/proc`).
 * @param {string} profileFolder
 */
export function watchMemory(profileFolder) {
  /** @type {Map<string, { kind: string, peak: number }>} */
  const seen = new Map();
  let together = 0;
  /** @type {number | undefined} */
  let atFirst;
  const look = () => {
    const now = processesOf(profileFolder);
    for (const { pid, kind, megabytes } of now) {
      seen.set(pid, { kind, peak: Math.max(megabytes, seen.get(pid)?.peak ?? 0) });
    }
    const sum = now.reduce((all, { megabytes }) => all + megabytes, 0);
    atFirst ??= sum;
    together = Math.max(together, sum);
  };
  look();
  const timer = setInterval(look, 50);
  return () => {
    clearInterval(timer);
    const pages = [...seen.values()].filter(({ kind }) => kind === "renderer");
    return { page: Math.max(...pages.map(({ peak }) => peak)), grown: together - (atFirst ?? 0) };
  };
}

/** @param {string} profileFolder */
function processesOf(profileFolder) {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []));
  const mine = new Set(all.filter(({ command }) => command.includes(profileFolder)).map(({ pid }) => pid));
  for (let size = 0; size !== mine.size; ) {
    size = mine.size;
    for (const { pid, parent } of all) if (mine.has(parent)) mine.add(pid);
  }
  return all.filter(({ pid }) => mine.has(pid));
}

/**
 * @param {string} pid
 * @returns {BrowserProcess[]}
 */
function readProcess(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    /** @param {string} name */
    const of = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    const kind = /--type=(\w+)/.exec(command)?.[1] ?? "browser";
    // What is shared with other processes, or mapped from files, is not counted.
    return [{ pid, parent: String(of("PPid")), command, kind, megabytes: (of("RssAnon") + of("RssShmem")) / 1024 }];
  } catch {
    return [];
  }
}
