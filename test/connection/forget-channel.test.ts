import { expect, it, onTestFinished } from "vitest";
import { announceForget, onForget } from "#connection/connection-store.ts";
import { until } from "../setup/until.ts";

it("a tab does not hear its own report of a forgotten key", async () => {
  const heard: string[] = [];
  onTestFinished(onForget((fingerprint) => heard.push(fingerprint)));
  const otherTab = new BroadcastChannel("safelight.forget");
  onTestFinished(() => otherTab.close());
  const arrived = new Promise((resolve) => otherTab.addEventListener("message", resolve, { once: true }));
  announceForget("said here");
  await arrived;
  otherTab.postMessage({ forget: "said elsewhere" });
  await until(() => expect(heard).toContain("said elsewhere"));
  expect(heard).toEqual(["said elsewhere"]);
});
