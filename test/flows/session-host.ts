// For stories about sessions: a host that can be started again at its place, and a service apart from it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { freePort } from "../setup/free-port.ts";
import { test as base, expect } from "./fixtures.ts";
import { saidKinds, startHost, type TestHost, type TestProcess } from "./start-host.ts";

export interface SessionHost extends TestHost {
  /** Where it keeps what outlives it. */
  dataFolder: string;
  /** Ends it and starts it at the same place: without a secret, the keys that it held are gone. */
  restart(): Promise<void>;
}

export const test = base.extend<{ studio: SessionHost; service: TestHost; refusals: string[] }>({
  /** The kinds of refusals that the host tells of in its log. */
  refusals: [[], { option: true }],
  service: async ({ browserName: _ }, use) => {
    const service = await startHost({ SAFELIGHT_SANDBOX_SPEED: "60" });
    await use(service);
    await service.stop();
  },
  host: async ({ studio }, use) => use(studio),
  // The service is there before the page and until after it.
  studio: async ({ hostEnvironment, service: _, refusals }, use) => {
    const dataFolder = await mkdtemp(join(tmpdir(), "safelight-session-"));
    const place = { PORT: String(await freePort()), SAFELIGHT_DATA: dataFolder, ...hostEnvironment };
    const runs: TestProcess[] = [await startHost(place)];
    const last = () => runs.at(-1) as TestProcess;
    await use({
      dataFolder,
      url: last().url,
      stdout: () => runs.map((run) => run.stdout()).join(""),
      stderr: () => runs.map((run) => run.stderr()).join(""),
      stop: () => last().stop(),
      restart: async () => {
        await last().stop();
        runs.push(await startHost(place));
      },
    });
    await last().stop();
    await rm(dataFolder, { recursive: true, force: true });
    const said = [...new Set(runs.flatMap(saidKinds))];
    expect(said, "the host's stderr").toEqual(refusals.map((kind) => `Rejected: ${kind}`));
  },
});

/** Types a key and the addresses of a sandbox as a person does, and waits until the studio has opened. */
export async function connectByKey(page: Page, serviceUrl: string, key: string, isShared = false): Promise<void> {
  await page.getByLabel("API key").pressSequentially(key);
  await page.getByLabel("Queue URL").fill(`${serviceUrl}/sandbox/api/v1/queue`);
  await page.getByLabel("Inference URL").fill(`${serviceUrl}/sandbox`);
  if (isShared) await page.getByRole("checkbox", { name: "Use in all tabs of this browser" }).check();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** The line in the rail that says whose key it is. */
export const keyLine = (page: Page, key: string) => page.getByText(`key ····${key.slice(-4)}`);

export const goTo = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
