// WebKitGTK behind its own driver, which speaks the classic protocol. https://www.w3.org/TR/webdriver2/
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../setup/free-port.ts";
import { type Engine, type Tab, until, type Visitor } from "./engine.ts";

type Ask = <T>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<T>;

/** A page as narrow as a phone: the bar above it would keep the window wider. */
const NARROW_TOOLBAR = `* { min-width: 0; margin-left: 0; margin-right: 0; padding-left: 0; padding-right: 0; }
toolbar image { margin: -8px; }`;

/** The name under which WebDriver hands out an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export interface WebKitPaths {
  driver: string;
  browser: string;
  /** Gives a display of its own; without it the one of `DISPLAY` is used. */
  xvfb?: string | undefined;
}

/** Starts the driver of an installed WebKitGTK, and a display without a screen for it. */
export async function startWebKit({ driver, browser, xvfb }: WebKitPaths): Promise<Engine> {
  const home = await mkdtemp(join(tmpdir(), "safelight-webkit-"));
  for (const toolkit of [".config/gtk-3.0", ".config/gtk-4.0"]) {
    await mkdir(join(home, toolkit), { recursive: true });
    await writeFile(join(home, toolkit, "gtk.css"), NARROW_TOOLBAR);
  }
  const screen = xvfb ? await startDisplay(xvfb) : undefined;
  const port = await freePort();
  const child = spawn(driver, [`--port=${port}`], {
    stdio: "ignore",
    env: {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_DATA_HOME: join(home, ".local"),
      XDG_CACHE_HOME: join(home, ".cache"),
      NO_AT_BRIDGE: "1",
      GDK_BACKEND: "x11",
      // A container lets root make no namespaces. The only pages here are the studio's own.
      ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" }),
      ...(screen && { DISPLAY: screen.display }),
    },
  });
  const ask: Ask = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: never };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await until(() => ask("GET", "/status").then(() => true), "for WebKit's driver to start");
  return {
    newVisitor: () => newVisitor(ask, browser),
    async stop() {
      await ended(child);
      if (screen) await ended(screen.child);
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function startDisplay(xvfb: string): Promise<{ display: string; child: ChildProcess }> {
  const xArguments = ["-displayfd", "3", "-screen", "0", "2700x1600x24", "-nolisten", "tcp"];
  const child = spawn(xvfb, xArguments, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  let printed = "";
  child.stdio[3]?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return { display: `:${await until(() => /^\d+(?=\n)/.exec(printed)?.[0], "for Xvfb to start")}`, child };
}

function ended(child: ChildProcess): Promise<unknown> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill();
  return closed;
}

async function newVisitor(ask: Ask, binary: string): Promise<Visitor> {
  const options = { binary, args: ["--automation"] };
  const { sessionId } = await ask<{ sessionId: string }>("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } },
  });
  const session = `/session/${sessionId}`;
  const [first = ""] = await ask<string[]>("GET", `${session}/window/handles`);
  let current = first;
  const tabs: string[] = [];
  // The driver has one tab to which all commands go.
  const inTab =
    (handle: string): Ask =>
    async (method, path, body) => {
      if (current !== handle) await ask("POST", `${session}/window`, { handle });
      current = handle;
      return ask(method, `${session}${path}`, body);
    };
  return {
    async newTab() {
      // A tab behind another one answers no pointer.
      const { handle } =
        tabs.length === 0
          ? { handle: first }
          : await ask<{ handle: string }>("POST", `${session}/window/new`, { type: "window" });
      tabs.push(handle);
      return tabOf(inTab(handle));
    },
    async leave() {
      await ask("DELETE", session);
    },
  };
}

function tabOf(ask: Ask): Tab {
  return {
    async open(url) {
      await ask("POST", "/url", { url });
    },
    async reload() {
      await ask("POST", "/refresh", {});
    },
    async evaluate(expression) {
      const script = `const done = arguments[0];
        (async () => JSON.stringify(await (${expression})))()
          .then((value) => done({ value }), (error) => done({ error: String(error?.stack ?? error) }));`;
      const { value, error } = await ask<{ value?: string; error?: string }>("POST", "/execute/async", {
        script,
        args: [],
      });
      if (error) throw new Error(error);
      // What is undefined in the page arrives as null.
      return typeof value === "string" ? JSON.parse(value) : undefined;
    },
    async act(actions) {
      await ask("POST", "/actions", { actions });
    },
    async chooseFiles(expression, paths) {
      const found = await ask<Record<string, string>>("POST", "/execute/sync", {
        script: `return ${expression}`,
        args: [],
      });
      await ask("POST", `/element/${found[ELEMENT]}/value`, { text: paths.join("\n") });
    },
    async resize(width, height) {
      await until(async () => {
        // What the window has around its page is the toolkit's matter.
        const page = await read<number[]>(
          ask,
          "[innerWidth, innerHeight, outerWidth - innerWidth, outerHeight - innerHeight]",
        );
        const [innerWidth, innerHeight, besides = 0, above = 0] = page;
        if (innerWidth === width && innerHeight === height) return true;
        await ask("POST", "/window/rect", { width: width + besides, height: height + above });
        return undefined;
      }, `for a page of ${width} × ${height}`);
    },
    async screenshot() {
      return Buffer.from(await ask<string>("GET", "/screenshot"), "base64");
    },
  };
}

function read<T>(ask: Ask, expression: string): Promise<T> {
  return ask("POST", "/execute/sync", { script: `return ${expression}`, args: [] });
}
