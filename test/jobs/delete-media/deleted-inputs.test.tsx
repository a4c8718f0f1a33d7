import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { viewItems } from "#jobs/batch/batch-runner.ts";
import { noteDeletion } from "#media/note-deletion.ts";
import { writeSharedPayload } from "#screens/create/shared-payload.ts";
import { saveDraft } from "#storage/drafts.ts";
import { savePreset } from "#storage/presets.ts";
import { visitStudio } from "../../screens/visit-studio.tsx";
import { agreedBatch } from "../../setup/agreed-batch.ts";
import { accountId, GONE, image, MODEL, markDeleted, openDeletionSandbox, run } from "./deletion-sandbox.ts";

const { sandbox, count, upload, edit, expectBlocked } = openDeletionSandbox();

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
    await savePreset(accountId(), MODEL, { name: "Calm", payload: { instruction: "Calm", image_url: gone } });
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

  it("where a key without a field holds it", async () => {
    const gone = await upload("sea.png");
    markDeleted(await sandbox().imageJob(), [gone]);
    await saveDraft(accountId(), "lumen-2", { prompt: "A lamp", style: { from: gone } });
    visitStudio("/create/lumen-2");
    expect(await screen.findByText(`style: ${GONE}`)).toBeVisible();
    expect(await run()).not.toHaveTextContent("$");
  });

  it("where it is not known whether the file is gone, in other words", async () => {
    const file = await upload("sea.png");
    noteDeletion(accountId(), { requestId: "1", files: [], inputs: [file] });
    await saveDraft(accountId(), MODEL, { instruction: "Blue", image_url: file });
    visitStudio(`/create/${MODEL}`);
    expect(await screen.findByText("This file may have been deleted. Choose another file.")).toBeVisible();
    expect(await run()).not.toHaveTextContent("$");
  });

  it("nor is such a run of a batch sent", async () => {
    const gone = await upload("sea.png");
    const requests = [gone, "https://elsewhere.example/a.png"].map((image_url) => ({
      model: MODEL,
      payload: { image_url },
    }));
    const batch = agreedBatch("1", requests, 1);
    markDeleted(await sandbox().imageJob(), [gone]);
    const kinds = viewItems(batch, [], []).map(({ state }) => state.kind);
    expect(kinds).toEqual(["input-deleted", "waiting"]);
  });
});
