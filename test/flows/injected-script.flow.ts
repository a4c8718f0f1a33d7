import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { freePort } from "../setup/free-port.ts";
import { newCanary } from "./canary.ts";
import { test as base, expect } from "./fixtures.ts";
import { copyBuild } from "./own-build.ts";
import { serveStatic } from "./serve-static.ts";
import { startHost, type TestHost } from "./start-host.ts";

interface Evil {
  url: string;
  /** What arrived there, over HTTP or as packets. */
  hits: string[];
}

type Build = "host" | "static";

/** Each build with a script in its page, beside a service and a host that belongs to whoever wrote the script. */
const test = base.extend<{ build: Build; service: TestHost; evil: Evil }>({
  build: ["host", { option: true }],
  service: async ({ build, atEnd }, use) => {
    const port = build === "static" ? String(await freePort()) : "0";
    const data = await mkdtemp(join(tmpdir(), "safelight-data-"));
    atEnd(() => rm(data, { recursive: true, force: true }));
    const service = await startHost({
      PORT: port,
      SAFELIGHT_DATA: data,
      SAFELIGHT_SANDBOX: "open",
      SAFELIGHT_SANDBOX_SPEED: "60",
    });
    await use(service);
    await service.stop();
  },
  host: async ({ build, service, atEnd }, use) => {
    const own = await copyBuild();
    atEnd(() => own.remove());
    const dist = join(own.mainFile, "../../dist");
    if (build === "static") await buildFor(service.url, dist);
    await inject(dist);
    const host = build === "static" ? await serveStatic(dist) : await startHost({}, own.mainFile);
    await use(host);
    await host.stop();
  },
  evil: async ({ browserName: _ }, use) => {
    const hits: string[] = [];
    const server = createServer((incoming, outgoing) => {
      hits.push(`${incoming.method} ${incoming.url}`);
      outgoing.setHeader("Access-Control-Allow-Origin", "*");
      outgoing.setHeader("Content-Type", "text/html");
      outgoing.end();
    });
    server.on("upgrade", (incoming, socket) => {
      hits.push(`${incoming.method} ${incoming.url}`);
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const packets = createSocket("udp4").on("message", () => hits.push("a packet"));
    packets.bind(port, "127.0.0.1");
    await once(packets, "listening");
    await use({ url: `http://localhost:${port}`, hits });
    packets.close();
    server.close();
    server.closeAllConnections();
  },
});

/** A build that names the service, as for a plain file host. */
async function buildFor(service: string, outDir: string): Promise<void> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), "safelight-named-"));
  try {
    const vite = ["node_modules/vite/bin/vite.js", "build", "--logLevel", "error", "--outDir", folder];
    const env = { ...process.env, NODE_ENV: "production", SAFELIGHT_SERVICE: service };
    const [code] = await once(spawn(process.execPath, vite, { cwd: root, env, stdio: "ignore" }), "close");
    expect(code, "the build for one service").toBe(0);
    await rm(outDir, { recursive: true });
    await cp(folder, outDir, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The script stands in the page behind the first one, as a dependency's would, and before the studio's own. */
async function inject(dist: string): Promise<void> {
  // A second time as a dependency would stand there, and with a file that has parts which no page of the studio has.
  for (const place of ["injected.js", "assets/injected.js", "injected.svg"])
    await cp(fileURLToPath(new URL(basename(place), import.meta.url)), join(dist, place));
  for (const name of ["index.html", "404.html"]) {
    const html = await readFile(join(dist, name), "utf8");
    const injected = html.replace('<script type="module"', '<script type="module" src="/injected.js"></script>$&');
    expect(injected).not.toBe(html);
    await writeFile(join(dist, name), injected);
  }
}

interface Injected {
  startListening(): void;
  searchForKey(evil: string): Promise<void>;
  seenByScript(): string;
  waysOut(): string[];
  tryToSend(name: string, evil: string): Promise<void>;
  answerOthers(): void;
  answerPageBefore(): void;
}

async function connect(page: Page, service: TestHost, key: string): Promise<void> {
  await page.goto("/");
  await page.getByLabel("API key").fill(key);
  await page.getByLabel("Queue URL").fill(`${service.url}/sandbox/api/v1/queue`);
  await page.getByLabel("Inference URL").fill(`${service.url}/sandbox`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

for (const build of ["host", "static"] as const) {
  const title = `a script in the page, ${build === "host" ? "served by its host" : "on a plain file host"}`;
  // The build for one service is made in its story, and takes its time.
  test.describe(title, { tag: build === "host" ? [] : ["@slow", "@long-key"] }, () => {
    test.use({ build });

    // K2, K7, K10, K17, H16.
    test("can neither read the key nor send anything to another host", { tag: "@heap" }, async ({
      page,
      context,
      host,
      service,
      evil,
      faults,
    }) => {
      // Each of its tries is refused with a line on the console, and that is what should happen.
      faults.allow(/./);
      const key = newCanary();
      await connect(page, service, key);
      await page.evaluate(() => (globalThis as unknown as Injected).startListening());
      await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("Paper boats on a canal");
      await expect(page.getByRole("button", { name: "Run", exact: true })).toContainText(/\$\d/);
      await page.evaluate((url) => (globalThis as unknown as Injected).searchForKey(url), evil.url);
      const seen = await page.evaluate(() => (globalThis as unknown as Injected).seenByScript());
      // It does see what the page sees.
      expect(seen).toContain("Bearer [key]");
      expect(seen).toContain("Paper boats on a canal");
      expect(seen.includes(key), "the key among what the script has seen").toBe(false);

      for (const way of await page.evaluate(() => (globalThis as unknown as Injected).waysOut())) {
        await page.evaluate(([name, url]) => (globalThis as unknown as Injected).tryToSend(name, url), [
          way,
          evil.url,
        ] as const);
        // A page that was left, or a tab that was opened, would go on loading meanwhile: the host answers after that.
        await page.evaluate(() => fetch("/healthz"));
        const places = context.pages().map((open) => new URL(open.url() || "about:blank").origin);
        const elsewhere = places.filter((origin) => origin !== host.url && origin !== "null");
        // Most hints ask for a name or open a connection, and send nothing that could be seen here.
        const hints = await page.evaluate(() => Array.from(document.querySelectorAll("link"), (link) => link.href));
        const foreign = hints.filter((address) => address !== "" && !address.startsWith(`${host.url}/`));
        const cookies = (await context.cookies()).filter(({ name }) => name === "stolen");
        expect([way, evil.hits, elsewhere, foreign, cookies]).toEqual([way, [], [], [], []]);
      }
      // Nobody but a person pastes, and a frame would come with it.
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.evaluate(async () => {
        const place = Object.assign(document.createElement("div"), { contentEditable: "true", id: "pasted-into" });
        document.body.append(place);
        const type = "text/html";
        const frame = new Blob(["words<iframe></iframe>"], { type });
        await navigator.clipboard.write([new ClipboardItem({ [type]: frame })]);
        place.focus();
      });
      await page.keyboard.press("ControlOrMeta+V");
      expect(await page.evaluate(() => document.getElementById("pasted-into")?.innerHTML)).toBe("");
      // What was sent last has had time to arrive once the page's own host has answered again.
      await page.evaluate(() => fetch("/healthz"));
      expect(evil.hits).toEqual([]);
    });

    test("tells the page before it in the tab nothing", async ({ page, host, evil, faults }) => {
      faults.allow(/./);
      await page.goto(`${evil.url}/before`);
      await page.evaluate((url) => location.assign(url), host.url);
      await expect(page.getByLabel("API key")).toBeVisible();
      await page.evaluate(() => (globalThis as unknown as Injected).answerPageBefore());
      // A step back among its own pages is all that it gets.
      await expect(page).toHaveURL(/#one$/);
      await page.evaluate(() => fetch("/healthz"));
      await page.goBack();
      await page.goBack();
      expect(page.url()).toBe(`${evil.url}/before`);
      expect(await page.evaluate(() => window.name)).toBe("");
    });

    test("answers no page that opened this one", async ({ page, host, evil, faults }) => {
      faults.allow(/./);
      await page.goto(`${evil.url}/opener`);
      const opens = page.waitForEvent("popup");
      await page.evaluate((url) => {
        const heard: unknown[] = [];
        addEventListener("message", ({ data }) => heard.push(data));
        Object.assign(globalThis, { heard, studio: window.open(url) });
      }, host.url);
      const studio = await opens;
      await expect(studio.getByLabel("API key")).toBeVisible();
      await studio.evaluate(() => (globalThis as unknown as Injected).answerOthers());
      const heard = await page.evaluate(async () => {
        const { heard: messages, studio: opened } = globalThis as unknown as { heard: unknown[]; studio: Window };
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => messages.push(data);
        opened.postMessage("speak", "*", [port2]);
        return messages;
      });
      // What was said before these has been heard by then, on either side.
      await studio.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      expect(heard).toEqual([]);
      expect(await page.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)).toEqual([]);
    });
  });
}
