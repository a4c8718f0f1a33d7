import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { namedListActs } from "#connection/named-list.ts";
import { writeSharedPayload } from "#create/create-search.ts";
import { leaveDeletionOpen, noteDeletion } from "#media/deleted-media.ts";
import { presets } from "#models/presets.ts";
import { saveDraft } from "#storage/drafts.ts";
import { trackedKey, trackedRows } from "#storage/job-records.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { visitStudio } from "../../visit-studio.tsx";
import { accountId, GONE, image, MODEL, markDeleted, openDeletionSandbox, run } from "./deletion-sandbox.ts";

const { sandbox, count, upload, edit, expectBlocked } = openDeletionSandbox();

describe("a job whose media were deleted", () => {
  it("says so on its page with the date, and nothing while the service refuses", async () => {
    const job = await sandbox().imageJob();
    sandbox().sandbox.configure({ faults: [{ endpoint: "delete-media", status: 403, times: 1 }] });
    const { user } = visitStudio(`/jobs/${job.requestId}`);
    const result = await screen.findByRole("region", { name: "Result" });
    await user.click(screen.getByRole("button", { name: "Delete files" }));
    await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
    await screen.findByRole("button", { name: "Try again" });
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByRole("img", { name: "A lamp" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Download" })).toBeVisible();
    expect(result).toHaveTextContent("Expires in 60 days");

    await user.click(screen.getByRole("button", { name: "Delete files" }));
    await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
    expect(await screen.findByText(/^You deleted these files on \w+ \d+, \d{4}, \d+:\d\d\s[AP]M\./)).toBeVisible();
    expect(result).not.toHaveTextContent("Expires");
    for (const name of ["Delete files", "Download"])
      expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
  });

  it("says where no answer came, and can be deleted again", async () => {
    const job = await sandbox().imageJob();
    noteDeletion(accountId(), { requestId: job.requestId, files: job.media.map(({ url }) => url), inputs: [] });
    leaveDeletionOpen(accountId(), job.requestId);
    const { user } = visitStudio(`/jobs/${job.requestId}`);
    expect(await screen.findByText("Deletion not confirmed")).toBeVisible();
    expect(screen.queryByRole("img")).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Delete files" }));
    await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
    expect(await screen.findByText(/^You deleted these files/)).toBeVisible();
    expect(sandbox().sandbox.inspect().jobs).toMatchObject([{ isMediaDeleted: true }]);
  });

  it("is shown as gone in History, and is not offered for anything", async () => {
    const gone = await sandbox().imageJob({ prompt: "A lamp" });
    await sandbox().imageJob({ prompt: "A boat" });
    await sandbox().imageJob({ prompt: "A tram" });
    markDeleted(gone);
    const { user } = visitStudio("/history?view=table");
    const row = await screen.findByRole("row", { name: /A lamp/ });
    await waitFor(() => expect(row).toHaveTextContent("deleted"));
    expect(row).not.toHaveTextContent("days");
    expect(row.querySelector("img")).toBeNull();
    await user.click(screen.getByRole("checkbox", { name: "Select A lamp" }));
    const bar = screen.getByRole("toolbar", { name: "Selected jobs" });
    expect(bar).toHaveTextContent("0 files");
    expect(within(bar).queryByRole("button", { name: "Delete files" })).not.toBeInTheDocument();
    await user.click(screen.getByRole("checkbox", { name: "Select A boat" }));
    expect(bar).toHaveTextContent("1 file");
    expect(within(bar).queryByRole("button", { name: "Compare" })).not.toBeInTheDocument();
    await user.click(screen.getByRole("link", { name: "A lamp" }));
    const viewer = await screen.findByRole("dialog", { name: "A lamp" });
    expect(within(viewer).getAllByText("Files deleted")[0]).toBeVisible();
    for (const name of ["Compare", "Download"])
      expect(within(viewer).queryByRole("button", { name })).not.toBeInTheDocument();
    await user.keyboard("i");
    expect(within(viewer).getByRole("complementary", { name: "Details" })).toHaveTextContent(/Filesdeleted \w+ \d+/);
  });

  it("is shown as gone on Create, and its files are no earlier files", async () => {
    const job = await sandbox().imageJob({ prompt: "A lamp" });
    await sandbox().imageJob({ prompt: "A boat" });
    markDeleted(job, [await upload("sea.png")]);
    const { user } = visitStudio(`/create/${MODEL}?job=${job.requestId}`);
    const result = await screen.findByRole("region", { name: "Result" });
    expect(await within(result).findByText("Files deleted")).toBeVisible();
    expect(within(result).getByText(/^You deleted these files on \w+ \d+/)).toBeVisible();
    expect(result).not.toHaveTextContent("Expires");
    expect(within(result).queryByRole("button", { name: "Use as input" })).not.toBeInTheDocument();
    await user.click((await screen.findAllByRole("button", { name: "From library" }))[0] as HTMLElement);
    const dialog = await screen.findByRole("dialog", { name: "From library: Image" });
    expect(await within(dialog).findByRole("button", { name: "A boat" })).toBeVisible();
    expect(within(dialog).queryByRole("button", { name: "A lamp" })).not.toBeInTheDocument();
    await user.click(within(dialog).getByRole("radio", { name: "Uploads" }));
    expect(await within(dialog).findByText("No matching uploads")).toBeVisible();
  });

  it("warns of no end of its days, in the grid and in the viewer", async () => {
    const job = await sandbox().imageJob({ prompt: "A lamp" });
    const then = Date.now() + 55 * 86_400_000;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => then);
    onTestFinished(() => clock.mockRestore());
    const { user } = visitStudio("/history");
    expect(await screen.findByText("5 days left")).toBeInTheDocument();
    act(() => markDeleted(job));
    await waitFor(() => expect(screen.queryByText("5 days left")).not.toBeInTheDocument());
    await user.click(screen.getByRole("link", { name: /^A lamp/ }));
    await screen.findByRole("dialog", { name: "A lamp" });
    // They stay as they were left.
    if (!screen.queryByRole("complementary", { name: "Details" })) await user.keyboard("i");
    const details = await screen.findByRole("complementary", { name: "Details" });
    expect(details).toHaveTextContent("deleted");
    expect(details).not.toHaveTextContent("more days");
  });

  it("is not offered for re-hosting after a job failed on its address", async () => {
    const input = await upload("sea.png");
    const payload = { prompt: "Pull back", image: `${input}?host-refused` };
    const failed = await sandbox().api.submit({ model: "halide-longtake", payload });
    sandbox().pass(3600);
    const { user, router } = visitStudio("/history");
    expect(await screen.findByRole("button", { name: "Upload a copy" })).toBeVisible();
    const job = await sandbox().api.getJob(failed.requestId);
    await saveOne(trackedRows, accountId(), trackedKey(accountId(), job.requestId), {
      ...job,
      payload,
      model: "halide-longtake",
      priceMicroUsd: 1,
      submittedAtMs: 1,
      origin: "answered",
    });
    await router.navigate({ to: "/jobs/$requestId", params: { requestId: job.requestId } });
    await user.click(await screen.findByRole("link", { name: "Edit and run again" }));
    expect(await screen.findByText(/^A job failed because the service couldn’t load this file/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Upload a copy" })).toBeVisible();
    const other = await sandbox().imageJob();
    act(() => markDeleted(other, [input]));
    expect(await screen.findByText(GONE)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Upload a copy" })).not.toBeInTheDocument();
    await router.navigate({ to: "/history" });
    expect(await screen.findByRole("link", { name: /^Pull back/ })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Upload a copy" })).not.toBeInTheDocument();
  });
});

// Spec 4.1: inputs that were uploaded go with the job, others never.
describe("deleting the media of a job", () => {
  it("takes its upload along, counts who else uses it, and spares other hosts", async () => {
    const input = await upload("sea.png");
    const mask = "https://elsewhere.example/mask.png";
    const payload = { instruction: "Blue", image_url: input, mask };
    const job = await sandbox().api.submit({ model: MODEL, payload });
    await edit(input, "Red");
    await edit(input, "Green");
    sandbox().pass(600);
    // Nothing is indexed before History was open: others may exist.
    const { user, router } = visitStudio(`/jobs/${job.requestId}`);
    await user.click(await screen.findByRole("button", { name: "Delete files" }));
    const dialog = await screen.findByRole("alertdialog");
    const partly = "Not all jobs were checked. Go to History to load the rest.";
    expect(await within(dialog).findByText(partly, { exact: false })).toBeVisible();
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    // With all of them indexed the count is exact.
    await router.navigate({ to: "/history", search: { status: "success" } });
    expect(await screen.findAllByRole("checkbox", { name: /^Select/ })).toHaveLength(3);
    await waitFor(() => expect(screen.queryByText(/^Search covers/)).not.toBeInTheDocument());
    await router.navigate({ to: "/jobs/$requestId", params: { requestId: job.requestId } });
    await user.click(await screen.findByRole("button", { name: "Delete files" }));
    expect(await screen.findByText("2 other jobs use the same input")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Delete permanently" }));
    await screen.findByText(/^You deleted these files/);
    await user.click(await screen.findByRole("link", { name: "Edit and run again" }));
    await expectBlocked(user);
    expect(await screen.findByRole("textbox", { name: "Mask" })).toHaveValue(mask);
    expect(screen.getAllByText(GONE)).toHaveLength(1);
  });
});

describe("a form with the address of a deleted file cannot be run", () => {
  it("from a draft, until another file is chosen", async () => {
    const gone = await upload("sea.png");
    markDeleted(await sandbox().imageJob(), [gone]);
    const other = await upload("hill.png");
    await saveDraft(accountId(), MODEL, { instruction: "Blue", image_url: `${gone}?Expires=1` });
    const { user } = visitStudio(`/create/${MODEL}`);
    await expectBlocked(user);
    await user.clear(await image());
    await user.click(await image());
    await user.paste(other);
    expect(screen.queryByText(GONE)).not.toBeInTheDocument();
    await waitFor(async () => expect(await run()).toHaveTextContent("$"));
    await waitFor(async () => expect(await run()).not.toHaveAttribute("aria-disabled", "true"));
    await user.click(await run());
    await waitFor(() => expect(count("submit")).toBe(2));
  });

  it("from a job's settings, a preset or a link", async () => {
    const gone = await upload("sea.png");
    const job = await edit(gone);
    sandbox().pass(600);
    markDeleted(await sandbox().api.getJob(job.requestId), [gone]);
    await namedListActs(presets, accountId(), MODEL).save({
      name: "Calm",
      payload: { instruction: "Calm", image_url: gone },
    });
    const { user, router } = visitStudio(`/create/${MODEL}?from=${job.requestId}&keep=all`);
    await expectBlocked(user);
    await user.clear(await image());
    await waitFor(() => expect(screen.queryByText(GONE)).not.toBeInTheDocument());
    await user.click(screen.getByRole("button", { name: "Presets" }));
    const preset = await screen.findByRole("button", { name: /^Calm/ });
    expect(preset).toHaveTextContent("file deleted");
    await user.click(preset);
    await expectBlocked(user);
    await user.clear(await image());
    const p = await writeSharedPayload({ instruction: "Blue", image_url: gone });
    await router.navigate({ href: `/create/${MODEL}?p=${p}` });
    await expectBlocked(user);
  });

  it("where it is deleted while open, and the place in a list is named", async () => {
    const files = [await upload("a.png"), await upload("b.png"), await upload("c.png")];
    await saveDraft(accountId(), "contact-sheet", { text: "A fox", image: files });
    visitStudio("/create/contact-sheet");
    await waitFor(async () => expect(await run()).toHaveTextContent("$"));
    const job = await sandbox().imageJob();
    act(() => markDeleted(job, files.slice(1, 2)));
    expect(await screen.findByText("File 2 was deleted. Choose another file.")).toBeVisible();
    expect(screen.getByRole("textbox", { name: "Images 2" })).toBeInvalid();
    expect(screen.getByRole("textbox", { name: "Images" })).toBeValid();
    expect(await run()).not.toHaveTextContent("$");
  });

  it("where a key without a field holds it; or it is not known whether it is gone, in other words", async () => {
    const gone = await upload("sea.png");
    const doubtful = await upload("hill.png");
    markDeleted(await sandbox().imageJob(), [gone]);
    noteDeletion(accountId(), { requestId: "1", files: [], inputs: [doubtful] });
    await saveDraft(accountId(), MODEL, { instruction: "Blue", image_url: doubtful, style: { from: gone } });
    visitStudio(`/create/${MODEL}`);
    expect(await screen.findByText("This file may have been deleted. Choose another file.")).toBeVisible();
    expect(screen.getByText(`style: ${GONE}`)).toBeVisible();
    expect(await run()).not.toHaveTextContent("$");
  });
});
