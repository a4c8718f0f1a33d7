import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const OWN_TEMPORARY = "safelight-stage-";
/** A process that was told to end needs a moment for it, and for its files. What is there after so long was forgotten. */
const MAX_MS = 60_000;

/** Its files as JavaScript, which it keeps for the next run, as far as it finds them again. */
const KEPT_BY_PLAYWRIGHT = /^playwright-transform-cache-/;

/** What a test names a folder in `node_modules` by: the runner whose it is, as two may run at once. */
export const OWN_BUNDLE = `.safelight-test-${process.pid}-`;

/**
 * The set-up of a whole stage, for Vitest and Playwright. The stage gets a temporary directory of its own; the function
 * that is returned fails where it left a file there, a bundle in `node_modules` or a process, and names each.
 */
export default function noteLeftBehind(): (() => Promise<void>) | undefined {
  // Vitest calls it once for each project.
  if (basename(tmpdir()).startsWith(OWN_TEMPORARY)) return undefined;
  const { TMPDIR } = process.env;
  const temporary = mkdtempSync(join(tmpdir(), OWN_TEMPORARY));
  process.env.TMPDIR = temporary;
  // Where the stage is given up in its middle.
  process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
  const before = new Set(processesOf(process.pid));
  return async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    const left = await whatStays(() => [
      ...readdirSync(temporary).flatMap((name) =>
        KEPT_BY_PLAYWRIGHT.test(name) ? [] : [`the file ${name} in the temporary directory`],
      ),
      ...readdirSync(PACKAGES).flatMap((name) =>
        name.startsWith(OWN_BUNDLE) ? [`the folder node_modules/${name}`] : [],
      ),
      ...processesOf(process.pid).flatMap((line) => (before.has(line) ? [] : [`the process ${line}`])),
    ]);
    rmSync(temporary, { recursive: true, force: true });
    // Vitest prints what is thrown here and ends with 0 all the same.
    if (left.length > 0) process.exitCode = 1;
    if (left.length > 0) throw new Error(`The tests left behind:\n${left.join("\n")}`);
  };
}

/** What is still there when nothing goes away any more. */
async function whatStays(look: () => string[]): Promise<string[]> {
  const endMs = performance.now() + MAX_MS;
  for (;;) {
    const left = look();
    if (left.length === 0 || performance.now() > endMs) return left;
    await setTimeout(100);
  }
}

/** The children of a process that have not ended: number and command. None where the system has no `ps`. */
function processesOf(parent: number): string[] {
  let table: string;
  try {
    table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" });
  } catch {
    return [];
  }
  return table.split("\n").flatMap((line) => {
    const [, pid, ppid, state = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const isChild = Number(ppid) === parent && !state.startsWith("Z") && !/^(?:\S*\/)?ps -A/.test(command);
    return isChild ? [`${pid} ${command}`] : [];
  });
}
