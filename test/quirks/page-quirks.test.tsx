import { screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";
import { loadScreens } from "./endings.ts";
import { connect, create } from "./main-story.ts";
import { button, page, until, type Visit, visitService } from "./visit.tsx";

// Quirks because of which the page says something else. What it reads of all of them: `queue-quirks.test.ts`.

beforeAll(async () => {
  await loadScreens();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
});

let visit: Visit | undefined;
afterEach(() => visit?.leave());

const open = async (quirk: string) => {
  visit = await visitService([quirk], { isConnected: true });
  return visit;
};
const jobs = ({ server }: Visit) => server.sandbox.inspect().jobs;
const submits = ({ server }: Visit) =>
  server.sandbox.inspect().requests.filter(({ route }) => route === "submit").length;
const picture = () => until("picture", () => document.querySelector('figure img[alt="A lamp"]'));

it("truncated-json: Connect says that the answers cannot be read", async () => {
  visit = await visitService(["truncated-json"]);
  await until("form", () => screen.queryByLabelText("API key"));
  connect(visit);
  await until("words", () => /Unreadable response/.test(page()));
  expect(visit.path()).toBe("/connect");
});

// (M11)
it("busy-submit: the list is read, no job is found, and another run is offered", async () => {
  const visit = await open("busy-submit");
  await create(visit, "lumen-2-fast", "A lamp");
  await until("words", () => /No job found.*Check the service’s bill to be sure.*Run again for \$/.test(page()));
  expect(jobs(visit)).toEqual([]);
});

// (P12)
it.each(["outcome-without-media", "outcome-null-for-good"])(
  "%s: the job is done without a file, and the whole answer can be read",
  async (quirk) => {
    const visit = await open(quirk);
    await create(visit, "lumen-2-fast", "A lamp");
    await until("words", () => /The job finished but returned no files.*View raw response/.test(page()));
    visit.go(`/jobs/${jobs(visit)[0]?.requestId}`);
    await until("the job's page", () => screen.queryByRole("heading", { name: "A lamp" }));
    await until("words", () => /The job finished but returned no files/.test(page()));
    expect(page()).toContain("Done");
    expect(button("Delete files")).toBeNull();
  },
);

it("detail-without-schema: the payload is written as JSON, and runs", async () => {
  const visit = await open("detail-without-schema");
  await create(visit, "lumen-2-fast", "A lamp");
  expect(screen.getByLabelText("Settings as JSON")).toBeVisible();
  await picture();
  expect(submits(visit)).toBe(1);
});

it("list-lag: History shows a job that the service's list does not tell yet", async () => {
  const visit = await open("list-lag");
  await create(visit, "halide-turbo", "A slow tide");
  await until("submit", () => jobs(visit).length === 1);
  visit.go("/history");
  await until("line", () => document.querySelector(`[role="grid"] a[href^="/jobs/${jobs(visit)[0]?.requestId}"]`));
});

it("slow-submit: the run waits for its answer, and is sent once", async () => {
  const visit = await open("slow-submit");
  await create(visit, "lumen-2-fast", "A lamp");
  await picture();
  expect(submits(visit)).toBe(1);
});
