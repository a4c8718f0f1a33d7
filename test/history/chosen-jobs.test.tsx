import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { openSandboxPage } from "../media/sandbox-page.ts";
import { visitStudio } from "../visit-studio.tsx";

let saved: { name: string; blob: Blob }[];

beforeEach(() => {
  saved = [];
  let blob = new Blob();
  // jsdom has no object URLs and no downloads.
  URL.createObjectURL = (object) => {
    blob = object as Blob;
    return "blob:http://localhost:4173/1";
  };
  URL.revokeObjectURL = () => {};
  HTMLAnchorElement.prototype.click = function () {
    saved.push({ name: this.download, blob });
  };
});
const sandbox = openSandboxPage(async ({ imageJob, pass }) => {
  for (const word of ["lamp", "boat", "tram"]) {
    await imageJob({ prompt: `A ${word}`, seed: word.length });
    pass(60);
  }
});

async function openHistory(path = "/history") {
  const visit = visitStudio(path);
  await waitFor(() => expect(screen.getAllByRole("checkbox", { name: /^Select A/ })).toHaveLength(3));
  return visit;
}
const choose = (name: string) => screen.getByRole("checkbox", { name: `Select A ${name}` });

const search = async (user: UserEvent, words: string) => {
  await user.click(screen.getByRole("searchbox", { name: "Search jobs" }));
  await user.paste(words);
};

describe("chosen jobs", () => {
  it("are starred or put into a collection, and found by it", async () => {
    const { user, path } = await openHistory();
    await user.click(choose("boat"));
    await user.click(screen.getByRole("button", { name: "Star" }));
    expect(await screen.findByRole("img", { name: "Starred" })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Starred & tags" }));
    await user.click(screen.getByRole("checkbox", { name: "Starred" }));
    await waitFor(() => expect(screen.getAllByRole("checkbox", { name: /^Select A/ })).toHaveLength(1));
    expect(choose("boat")).toBeInTheDocument();
    expect(screen.getByRole("searchbox", { name: "Search jobs" })).toHaveValue("is:starred");
    await user.click(screen.getByRole("button", { name: "Clear starred & tags" }));
    await waitFor(() => expect(screen.getAllByRole("checkbox", { name: /^Select A/ })).toHaveLength(3));
    expect(path()).toBe("/history");

    // A name makes a collection, and a press of it adds more.
    expect(choose("boat")).not.toBeChecked();
    await user.click(choose("lamp"));
    await user.click(screen.getByRole("button", { name: "Add to collection" }));
    await user.click(await screen.findByRole("textbox", { name: "Collection" }));
    await user.paste("Client");
    await user.keyboard("{Enter}");
    await user.click(choose("lamp"));
    await user.click(choose("boat"));
    await user.click(screen.getByRole("button", { name: "Add to collection" }));
    await user.click(await screen.findByRole("button", { name: "client" }));
    await search(user, "tag:client");
    await waitFor(() => expect(screen.getAllByRole("checkbox", { name: /^Select A/ })).toHaveLength(2));
  });

  it("are compared, two to eight of them, and lose their files behind one dialog that counts them", async () => {
    const { user, path } = await openHistory();
    await user.click(choose("lamp"));
    expect(screen.queryByRole("button", { name: "Compare" })).not.toBeInTheDocument();
    await user.click(choose("boat"));
    await user.click(screen.getByRole("button", { name: "Compare" }));
    const comparison = await screen.findByRole("dialog", { name: "Compare" });
    const row = () => within(comparison).getByRole("row", { name: /^prompt/ });
    expect(row()).toHaveTextContent("promptA boatA lamp");
    await user.keyboard("vv");
    expect(within(comparison).getByRole("radio", { name: "Flicker" })).toBeChecked();
    await user.keyboard("c");
    expect(row()).toHaveTextContent("promptA lampA boat");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(path()).not.toContain("compare"));

    await user.click(screen.getByRole("button", { name: "Delete files" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Delete files of 2 jobs?" });
    expect(dialog).toHaveTextContent(
      "2 generated files, and input files that you uploaded to the service, will be deleted permanently.",
    );
    // One is refused: the dialog stays with it, and with the selection behind it.
    sandbox().sandbox.configure({ faults: [{ endpoint: "delete-media", status: 403, times: 1 }] });
    await user.click(within(dialog).getByRole("button", { name: "Delete permanently" }));
    expect(await within(dialog).findByText("1 deleted, 1 failed")).toBeVisible();
    expect(screen.getByText("2 selected")).toBeInTheDocument();
    await user.click(within(dialog).getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    const deleted = sandbox()
      .sandbox.inspect()
      .jobs.map((job) => job.isMediaDeleted);
    expect(deleted.filter(Boolean)).toHaveLength(2);
    await waitFor(() => expect(screen.getByRole("grid", { name: "Jobs" })).toHaveFocus());
    expect(screen.getAllByRole("checkbox", { name: /^Select A/ })).toHaveLength(3);
  });
});

describe("single keys in the list", () => {
  it("act on the job that has the focus, as in the viewer, and never behind it", async () => {
    const { user, path } = await openHistory();
    const grid = screen.getByRole("grid", { name: "Jobs" });
    await user.keyboard("s{Delete}");
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    grid.focus();
    await user.keyboard("s");
    expect(await screen.findByRole("img", { name: "Starred" })).toBeInTheDocument();
    await user.keyboard("{Delete}");
    const dialog = await screen.findByRole("alertdialog", { name: "Delete files of this job?" });
    await user.keyboard("n");
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect(path()).toBe("/history");
    grid.focus();
    await user.keyboard("n");
    await waitFor(() => expect(path()).toBe("/create/lumen-2"));
  });
});

/** Details stay as they were left. */
async function openDetails(user: UserEvent) {
  await screen.findByRole("dialog");
  if (!screen.queryByRole("complementary", { name: "Details" })) await user.keyboard("i");
}

describe("the viewer", () => {
  it("opens on a press, is in the address, and has a key for everything", async () => {
    const { user, path } = await openHistory();
    await user.click(screen.getByRole("link", { name: /^A boat/ }));
    const dialog = await screen.findByRole("dialog", { name: "A boat" });
    expect(path()).toContain("open=");
    expect(within(dialog).getByRole("status")).toHaveTextContent("2 of 3");
    await user.keyboard("i");
    expect(within(dialog).getByRole("complementary", { name: "Details" })).toHaveTextContent("seed4");
    await user.keyboard("s");
    await waitFor(() => expect(screen.getByRole("button", { name: "Star" })).toHaveAttribute("aria-pressed", "true"));
    await user.keyboard("d");
    await waitFor(() => expect(saved[0]?.name).toMatch(/\.png$/));
    await user.keyboard("{ArrowRight}");
    expect(await screen.findByRole("dialog", { name: "A lamp" })).toBeVisible();
    await user.keyboard("{Home}");
    expect(await screen.findByRole("dialog", { name: "A tram" })).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(path()).not.toContain("open=");
  });

  it("keeps a note and tags when their field is left, and leads to Create with a part of the settings", async () => {
    const { user, path } = await openHistory();
    await user.click(screen.getByRole("link", { name: /^A lamp/ }));
    await openDetails(user);
    await user.click(await screen.findByRole("textbox", { name: "Tags" }));
    await user.paste("Client, final");
    await user.tab();
    await user.paste("For the poster");
    await user.click(screen.getByRole("button", { name: "Close" }));
    await user.click(screen.getByRole("link", { name: /^A lamp/ }));
    await openDetails(user);
    expect(await screen.findByRole("textbox", { name: "Tags" })).toHaveValue("client, final");
    expect(screen.getByRole("textbox", { name: "Note" })).toHaveValue("For the poster");
    await user.click(screen.getByRole("button", { name: "Close" }));
    await search(user, "tag:client");
    await waitFor(() => expect(screen.getAllByRole("checkbox", { name: /^Select A/ })).toHaveLength(1));

    await user.click(screen.getByRole("link", { name: /^A lamp/ }));
    await screen.findByRole("dialog", { name: "A lamp" });
    await user.keyboard("n");
    expect(await screen.findByText("Settings copied from the job, except the seed.")).toBeVisible();
    expect(path()).toBe("/create/lumen-2");
  });
});
