// Firefox speaks WebDriver BiDi by itself: no driver in between. https://w3c.github.io/webdriver-bidi/
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "undici";
import { type Engine, type Tab, until } from "./engine.ts";

// biome-ignore lint/suspicious/noExplicitAny: each command has an answer of its own.
type Send = (method: string, parameters?: object) => Promise<any>;

interface Answer {
  result?: unknown;
  error?: string;
  message?: string;
}

/** Nothing goes out to the network by itself, and what a story opens opens at once. */
const PREFERENCES = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.safebrowsing.blockedURIs.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.region.network.url": "",
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.getAddons.cache.enabled": false,
  "extensions.systemAddon.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,none",
  "toolkit.telemetry.enabled": false,
  "ui.prefersReducedMotion": 1,
};

/** Starts an installed Firefox without a window. */
export async function startFirefox(browser: string): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), "safelight-firefox-"));
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  await writeFile(join(profile, "user.js"), lines.join("\n"));
  const browserArguments = ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile];
  const child = spawn(browser, browserArguments, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: profile },
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const listening = () => /WebDriver BiDi listening on (\S+)/.exec(printed)?.[1];
  const address = await until(listening, "for Firefox to start");
  const send = await connect(`${address}/session`);
  await send("session.new", { capabilities: {} });
  return {
    async newVisitor() {
      const { userContext } = await send("browser.createUserContext");
      return {
        async newTab() {
          const { context } = await send("browsingContext.create", { type: "tab", userContext });
          return tabOf(send, context);
        },
        async leave() {
          await send("browser.removeUserContext", { userContext });
        },
      };
    },
    async stop() {
      await send("browser.close");
      await ended;
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Resolves to what sends a command; it rejects with what the browser says against it. */
async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", ({ error }) => reject(error));
  });
  let lastId = 0;
  return async (method, params = {}) => {
    lastId += 1;
    const id = lastId;
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.error) throw new Error(`${method}: ${answer.message}`);
    return answer.result ?? {};
  };
}

function tabOf(send: Send, context: string): Tab {
  const run = async (expression: string): Promise<{ value?: string; sharedId?: string }> => {
    const { exceptionDetails, result } = await send("script.evaluate", {
      target: { context },
      awaitPromise: true,
      expression,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result;
  };
  return {
    async open(url) {
      await send("browsingContext.activate", { context });
      // An address that the page itself has just gone to ends the way to this one.
      const isOpen = () => send("browsingContext.navigate", { context, url, wait: "complete" }).then(() => true);
      await until(isOpen, `to open ${url}`);
    },
    async reload() {
      await send("browsingContext.reload", { context, wait: "complete" });
    },
    async evaluate(expression) {
      const { value } = await run(`(async () => JSON.stringify(await (${expression})))()`);
      return value === undefined ? undefined : JSON.parse(value);
    },
    async act(actions) {
      await send("input.performActions", { context, actions });
    },
    async chooseFiles(expression, files) {
      const { sharedId } = await run(expression);
      await send("input.setFiles", { context, element: { sharedId }, files });
    },
    async resize(width, height) {
      await send("browsingContext.setViewport", { context, viewport: { width, height } });
    },
    async screenshot() {
      // Firefox refuses where the page is about to be painted anew.
      const { data } = await until(() => send("browsingContext.captureScreenshot", { context }), "for a picture");
      return Buffer.from(String(data), "base64");
    },
  };
}
