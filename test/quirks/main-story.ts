import { fireEvent, screen } from "@testing-library/react";
import { expect } from "vitest";
import { button, page, until, type Visit, write } from "./visit.tsx";

export type Step = "connect" | "image" | "refusal" | "video" | "history" | "job" | "delete" | "failed job";

/** The words that a step ends with, where it does not end with its plain result. */
export type ExpectedWords = Partial<Record<Step, RegExp>>;

interface StoryEnd {
  /** The step after which a person cannot go on. */
  last?: Step | undefined;
  /** A step with words may also end plainly: of several quirks, one may take away what another changes. */
  isEither?: boolean;
}

const FAST_IMAGE = "lumen-2-fast";
const QUEUED_VIDEO = "halide-turbo";
const links = () => [...document.querySelectorAll<HTMLAnchorElement>('[role="grid"] a[href^="/jobs/"]')];

/**
 * The stories of the main job, one after the other, as a person goes through them. A step that `expectedWords` names ends in these
 * words instead of its plain result; the steps after it go on unless it is `last`. Gives the steps gone through.
 */
export async function mainStory(
  visit: Visit,
  expectedWords: ExpectedWords,
  { last, isEither = false }: StoryEnd = {},
): Promise<Step[]> {
  const done: Step[] = [];
  const ends = async (step: Step, plain: () => unknown) => {
    const words = expectedWords[step];
    let isPlain = words === undefined;
    await until(words ? `${words}` : `result of ${step}`, () => {
      if (words?.test(page())) return true;
      isPlain ||= isEither && Boolean(plain());
      return isPlain && plain();
    });
    done.push(step);
    return step === last && !isPlain;
  };

  await until("form", () => screen.queryByLabelText("API key"));
  connect(visit);
  if (await ends("connect", () => visit.path().startsWith("/create"))) return done;
  await create(visit, FAST_IMAGE, "A lamp");
  if (await ends("image", () => document.querySelector(`figure img[alt="A lamp"], ${inGrid("A lamp")}`))) return done;
  // The result panel may still hold the picture. What counts are the words about the refusal and its cost.
  await create(visit, FAST_IMAGE, "error:400 Another lamp");
  if (await ends("refusal", () => /Not charged: the service rejected this job/.test(page()))) return done;
  await create(visit, QUEUED_VIDEO, "A slow tide");
  const clip = `figure video, figure img[alt="A slow tide"], ${inGrid("A slow tide")}`;
  if (await ends("video", () => document.querySelector(clip))) return done;
  visit.go("/history");
  if (await ends("history", () => links().length >= 2)) return done;
  const [newest] = visit.server.sandbox.inspect().jobs.slice(-1);
  visit.go(`/jobs/${newest?.requestId}`);
  const heading = () => screen.queryByRole("heading", { name: "A slow tide" }) && /Done/.test(page());
  if (await ends("job", heading)) return done;
  if (expectedWords.delete === undefined || (isEither && button("Delete files"))) await deleteMedia();
  if (await ends("delete", () => visit.server.sandbox.inspect().jobs.some((job) => job.isMediaDeleted))) return done;
  visit.go(`/jobs/${await failedJob(visit)}`);
  await ends("failed job", () => page().includes("The safety filter stopped this generation."));
  return done;
}

/** The first of several files, which stand in a grid. */
const inGrid = (name: string) => `button[aria-label="View full size: ${name}, 1 of 2"] :is(img, video)`;

export function connect({ server }: Visit): void {
  write("API key", "sandbox-key");
  write("Queue URL", server.queueBaseUrl);
  write("Inference URL", server.inferenceBaseUrl);
  fireEvent.click(screen.getByRole("button", { name: "Connect" }));
}

/** Opens a model's form, writes the prompt, and presses Run once its price is known. */
export async function create(visit: Visit, model: string, prompt: string): Promise<void> {
  visit.go(`/create/${model}`);
  // Where the service says nothing about the parameters, the payload is written as JSON.
  const boxes = () => ["Prompt", "Settings as JSON"].filter((label) => screen.queryByLabelText(label));
  await until("form", () => page().includes(`Model: ${model}`) && boxes().length > 0);
  expect(page()).toContain("Other users of your organization share this balance.");
  const [box = ""] = boxes();
  write(box, box === "Prompt" ? prompt : JSON.stringify({ prompt }));
  await until("price", () => /Price for this run/.test(page()));
  const sent = () =>
    visit.server.sandbox.inspect().requests.filter(({ method, path }) => method === "POST" && /\/requests$/.test(path))
      .length;
  const before = sent();
  // As a person would: a press while the price is still being asked for does nothing, so Run is pressed once more.
  let run: HTMLElement | null | undefined;
  await until("submit", () => {
    if (sent() > before) return true;
    // A role is slow to compute: the button is looked for again only where the page has replaced it.
    if (!run?.isConnected) run = button("Run");
    if (run && run.getAttribute("aria-disabled") !== "true") fireEvent.click(run);
    return false;
  });
}

async function deleteMedia(): Promise<void> {
  fireEvent.click(await until("Delete files", () => button("Delete files")));
  const sure = await until("dialog", () => button("Delete permanently"));
  fireEvent.click(sure);
  await until("end of the dialog", () => !sure.isConnected);
  await until("word that they are gone", () => page().includes("You deleted these files"));
}

/** A failing job, submitted without the studio, so that only its page is tested. Its answer may be slow or missing. */
async function failedJob({ server }: Visit): Promise<string> {
  const { sandbox, queueBaseUrl } = server;
  const before = sandbox.inspect().jobs.length;
  const request = new Request(`${queueBaseUrl}/apikey/requests`, {
    method: "POST",
    headers: { Authorization: "Bearer sandbox-key", "Content-Type": "application/json" },
    body: JSON.stringify({ model: QUEUED_VIDEO, payload: { prompt: "fail:moderation", mode: "std" } }),
  });
  void sandbox.fetch(request);
  return until("failed job", () => sandbox.inspect().jobs[before]?.requestId);
}
