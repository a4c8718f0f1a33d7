import { screen } from "@testing-library/react";
import { onTestFinished } from "vitest";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { openSandboxMedia } from "../../media/sandbox-media.ts";
import { visitStudio } from "../visit-studio.tsx";

/** The form of a model over a fresh sandbox, for the length of one test. */
export async function visitCreate(path: string, options: SandboxOptions = {}) {
  const sandbox = openSandboxMedia(options);
  onTestFinished(() => {
    disconnect();
    sandbox.close();
  });
  localStorage.clear();
  await openSandbox();
  const visit = visitStudio(path);
  await screen.findByRole("button", { name: "Run" });
  return { ...visit, sandbox };
}
