import { spawn } from "node:child_process";

/**
 * Waits for a child, keeping what it prints to itself. If it fails, everything it printed goes to stderr
 * and this process ends with the child's code. A signal to this process reaches the child first.
 * @param {import("node:child_process").ChildProcess} child started with piped output
 * @param {string} complaint the sentence that stands above the child's output
 * @returns {Promise<string>} what it printed to stdout
 */
export async function runQuietly(child, complaint) {
  /** @type {Buffer[]} */
  const printed = [];
  /** @type {Buffer[]} */
  const output = [];
  child.stdout?.on("data", (chunk) => {
    printed.push(chunk);
    output.push(chunk);
  });
  child.stderr?.on("data", (chunk) => printed.push(chunk));
  const code = await exitOf(child);
  if (code === 0) return Buffer.concat(output).toString("utf8");
  process.stderr.write(Buffer.concat(printed));
  process.stderr.write(`${complaint} (exit code ${code}).\n`);
  process.exit(code);
}

/**
 * Runs npm in a folder, as `runQuietly` does.
 * @param {string[]} npmArguments
 * @param {string} folder
 * @param {string} complaint
 */
export function runNpm(npmArguments, folder, complaint) {
  // npm tells its scripts where it lives, which spares a shell on Windows.
  const npm = process.env.npm_execpath;
  /** @type {import("node:child_process").SpawnOptions} */
  const options = { cwd: folder, stdio: ["ignore", "pipe", "pipe"] };
  const child =
    npm && /npm-cli\.c?js$/.test(npm)
      ? spawn(process.execPath, [npm, ...npmArguments], options)
      : spawn("npm", npmArguments, { ...options, shell: process.platform === "win32" });
  return runQuietly(child, complaint);
}

/**
 * Runs a Node script with this terminal's output; resolves to its exit code.
 * @param {string[]} scriptAndArguments
 * @param {import("node:child_process").SpawnOptions} options
 */
export function runNode(scriptAndArguments, options = {}) {
  return exitOf(spawn(process.execPath, scriptAndArguments, { stdio: ["ignore", "inherit", "inherit"], ...options }));
}

/**
 * The exit code of a child. SIGINT and SIGTERM to this process end the child and then this process.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<number>}
 */
export function exitOf(child) {
  return new Promise((resolve, reject) => {
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      child.kill(signal);
      process.exit(signal === "SIGINT" ? 130 : 143);
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      resolve(code ?? 1);
    });
  });
}
