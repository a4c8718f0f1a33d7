import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { renderForm } from "./render-form.tsx";

interface Job {
  pattern: string;
  text: string;
}

/** A worker of the page that runs patterns, and never comes back from one that holds `(a+)+`. */
class PatternWorker {
  onmessage: ((event: { data: boolean[] }) => void) | null = null;
  onerror = null;
  postMessage(jobs: Job[]) {
    if (jobs.some(({ pattern }) => pattern.includes("(a+)+"))) return;
    const data = jobs.map(({ pattern, text }) => new RegExp(pattern, "u").test(text));
    setTimeout(() => this.onmessage?.({ data }));
  }
  terminate() {}
}

const LISTING = {
  properties: {
    name: { type: "string", title: "Name", pattern: "^[a-z]+$" },
    slow: { type: "string", title: "Slow", pattern: "^(a+)+$" },
  },
};
const IN_TIME = { timeout: 5_000 };

describe("patterns of a listing", () => {
  const original = globalThis.Worker;
  beforeEach(() => {
    globalThis.Worker = PatternWorker as unknown as typeof Worker;
  });
  afterEach(() => {
    globalThis.Worker = original;
  });

  it("are run after a pause, and a mismatch blocks Run", async () => {
    const { user, handle } = await renderForm(LISTING);
    await user.type(screen.getByLabelText("Name"), "ABC");
    const message = "Name does not match the format that the model expects.";
    expect(await screen.findByText(message, undefined, IN_TIME)).toBeVisible();
    expect(
      handle()
        .getProblems()
        .map((problem) => problem.message),
    ).toEqual([message]);
    await user.clear(screen.getByLabelText("Name"));
    await user.type(screen.getByLabelText("Name"), "abc");
    expect(screen.queryByText(message)).not.toBeInTheDocument();
    expect(handle().getProblems()).toEqual([]);
  });

  it("that take too long are not checked, and the field says so", async () => {
    const { user, handle } = await renderForm(LISTING);
    await user.type(screen.getByLabelText("Slow"), "aaa!");
    expect(await screen.findByText(/^Not checked here/, undefined, IN_TIME)).toBeVisible();
    expect(handle().getProblems()).toEqual([]);
    await user.type(screen.getByLabelText("Slow"), "b");
    expect(screen.queryByText(/^Not checked here/)).not.toBeInTheDocument();
  });
});
