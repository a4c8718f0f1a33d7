import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { onTestFinished } from "vitest";
import type { Job } from "#api/types.ts";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { importOneJob } from "#runs/import-jobs.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { openSandboxMedia } from "../media/sandbox-media.ts";
import { visitStudio } from "../visit-studio.tsx";

type OpenedSandbox = ReturnType<typeof openSandboxMedia>;

interface CreateVisit extends SandboxOptions {
  /** Makes jobs at the service, oldest first, which this browser then knows of. The last one is shown. */
  makeJobs?: (sandbox: OpenedSandbox) => Promise<readonly Job[]>;
}

/** The form of a model over a fresh sandbox, for the length of one test. */
export async function visitCreate(path: string, { makeJobs, ...options }: CreateVisit = {}) {
  const sandbox = openSandboxMedia(options);
  onTestFinished(() => {
    disconnect();
    sandbox.close();
  });
  localStorage.clear();
  await openSandbox();
  const jobs = (await makeJobs?.(sandbox)) ?? [];
  for (const { requestId } of jobs) await importOneJob(sandbox.api, getConnection()?.accountId ?? "", requestId);
  const shown = jobs.at(-1);
  const visit = visitStudio(shown ? `${path}?job=${shown.requestId}` : path);
  await screen.findByRole("button", { name: "Run" });
  return { ...visit, sandbox, jobs };
}

/** Puts words into a field in the place of what it holds, as one pastes them. */
export async function write(user: UserEvent, field: HTMLElement, words: string): Promise<void> {
  await user.clear(field);
  await user.click(field);
  await user.paste(words);
}
