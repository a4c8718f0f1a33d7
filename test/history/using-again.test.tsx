import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { toggleStar } from "#models/starred-models.ts";
import { openSandboxPage } from "../media/sandbox-page.ts";
import { visitStudio } from "../visit-studio.tsx";

const sandbox = openSandboxPage();

async function openViewer(name: RegExp) {
  const visit = visitStudio("/history");
  await visit.user.click(await screen.findByRole("link", { name }));
  await screen.findByRole("dialog");
  return visit;
}
const posts = () =>
  sandbox()
    .sandbox.inspect()
    .requests.filter(({ route }) => route === "submit").length;

describe("reusing a result", () => {
  it("opens a model that accepts it, starred first, without a run", async () => {
    const { media } = await sandbox().imageJob({ prompt: "A lamp" });
    toggleStar("halide-longtake");
    const before = posts();
    const { user, path } = await openViewer(/^A lamp/);
    await user.click(screen.getByRole("button", { name: "Reuse" }));
    await user.click(await screen.findByRole("menuitem", { name: "Use as input" }));
    const dialog = await screen.findByRole("dialog", { name: "Use this image as input" });
    await waitFor(() => expect(within(dialog).getByRole("status")).toHaveTextContent(/^\d+ models$/));
    const offered = within(dialog).getAllByRole("button", { name: / As / });
    expect(offered[0]).toHaveAccessibleName(/^halide-longtake ?Starred/);
    expect(within(dialog).queryByRole("button", { name: /^lumen-2-fast/ })).not.toBeInTheDocument();
    await user.click(offered[0] as HTMLElement);
    await waitFor(() => expect(path()).toBe("/create/halide-longtake"));
    expect(await screen.findByText(/^Added from History: /)).toBeVisible();
    expect(await screen.findByDisplayValue(media[0]?.url ?? "")).toBeInTheDocument();
    expect(posts()).toBe(before);
  });

  it("one chosen job has the menu, and running it again shows its price", async () => {
    await sandbox().imageJob({ prompt: "A lamp", seed: 4 });
    const before = posts();
    const { user, path } = visitStudio("/history");
    await user.click(await screen.findByRole("checkbox", { name: "Select A lamp" }));
    await user.click(screen.getByRole("button", { name: "Reuse" }));
    expect(screen.getByRole("menuitem", { name: "Use as input" })).toBeVisible();
    await user.click(screen.getByRole("menuitem", { name: "Edit and run again" }));
    expect(await screen.findByText("Settings copied from the job.")).toBeVisible();
    expect(path()).toBe("/create/lumen-2");
    await waitFor(() => expect(screen.getByRole("button", { name: "Run" })).toHaveTextContent("$"));
    expect(posts()).toBe(before);
  });

  /** A job that failed because the host of its input refused the service. */
  async function failedAt(address: string) {
    await sandbox().api.submit({ model: "halide-longtake", payload: { prompt: "Pull back", image: address } });
    sandbox().pass(3600);
  }
  const again = () => screen.findByRole("button", { name: "Upload a copy" });

  // (spec 4.1 rule 4)
  it("a refused input is stored again from its line, its row or the viewer, and Run shows the price", async () => {
    const { media } = await sandbox().imageJob({ prompt: "A lamp" });
    const refused = `${media[0]?.url}?host-refused`;
    await failedAt(refused);
    const before = posts();
    const { user } = visitStudio("/history");
    expect(await again()).toBeVisible();
    await user.click(screen.getByRole("radio", { name: "Table" }));
    await screen.findByRole("columnheader", { name: "Prompt" });
    expect(await again()).toBeVisible();
    await user.click(screen.getByRole("link", { name: /^Pull back/ }));
    const viewer = within(await screen.findByRole("dialog"));
    await user.click(await viewer.findByRole("button", { name: "Upload a copy" }));
    expect(await screen.findByText(/Copy uploaded. Nothing runs until you press Run.$/)).toBeVisible();
    expect(await screen.findByDisplayValue("Pull back")).toBeInTheDocument();
    expect(screen.queryByDisplayValue(refused)).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole("button", { name: "Run" })).toHaveTextContent("$"));
    expect(posts()).toBe(before);
  });

  it("explains what to do when the host refuses this page too", async () => {
    const { media } = await sandbox().imageJob({ prompt: "A lamp" });
    await failedAt(`${media[0]?.url.replace("-0.png", "-9.png")}?host-refused`);
    const { user } = visitStudio("/history");
    await user.click(await screen.findByRole("checkbox", { name: "Select Pull back" }));
    const bar = screen.getByRole("toolbar", { name: "Selected jobs" });
    // It has made no file.
    expect(within(bar).queryByRole("button", { name: "Delete files" })).not.toBeInTheDocument();
    await user.click(within(bar).getByRole("button", { name: "Upload a copy" }));
    expect(await screen.findByText(/Download it in your browser, then drop it on Create\./)).toBeVisible();
  });
});

describe("the viewer", () => {
  const listed = (name: RegExp) => screen.queryByRole("link", { name, hidden: true });

  it("stays open when its job leaves the list, because its star is gone, also when no other is listed", async () => {
    await sandbox().imageJob({ prompt: "A lamp" });
    await sandbox().imageJob({ prompt: "A tram" });
    const { user, path } = visitStudio("/history");
    for (const name of ["A lamp", "A tram"]) {
      await user.click(await screen.findByRole("link", { name: new RegExp(`^${name}`) }));
      await screen.findByRole("dialog", { name });
      await user.keyboard("s{Escape}");
    }
    await user.type(screen.getByRole("searchbox"), "is:starred");
    await waitFor(() => expect(path()).toContain("starred"));
    await user.click(await screen.findByRole("link", { name: /^A lamp/ }));
    const viewer = await screen.findByRole("dialog", { name: "A lamp" });
    const position = () => within(viewer).getByRole("status").textContent;
    await user.keyboard("s");
    await waitFor(() => expect(listed(/^A lamp/)).not.toBeInTheDocument());
    expect(position()).toBe("2 of 2");
    await user.keyboard("s");
    await waitFor(() => expect(listed(/^A lamp/)).toBeInTheDocument());
    await user.keyboard("s{ArrowLeft}");
    // The next one is of the list as it is now.
    expect(await screen.findByRole("dialog", { name: "A tram" })).toBeVisible();
    expect(position()).toBe("1 of 1");
    await user.keyboard("s");
    await waitFor(() => expect(listed(/^A tram/)).not.toBeInTheDocument());
    expect(position()).toBe("1 of 1");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(path()).not.toContain("open="));
    expect(await screen.findByText("No matching jobs")).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: "Clear filters" })).toHaveFocus());
  });

  it("of an unknown job leaves the list as it is, also an empty one", async () => {
    await sandbox().imageJob({ prompt: "A lamp" });
    const { user } = visitStudio("/history?q=zebra&open=nope");
    expect(await screen.findByText("No matching jobs")).toBeVisible();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await screen.findByRole("link", { name: /^A lamp/ })).toBeVisible();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("says in the details that the files were deleted, and not any more when they expire", async () => {
    await sandbox().imageJob({ prompt: "A lamp" });
    const { user } = await openViewer(/^A lamp/);
    await user.keyboard("i");
    const details = within(await screen.findByRole("complementary", { name: "Details" }));
    expect(details.getByText(/^Expires in/)).toBeVisible();
    await user.keyboard("{Delete}");
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: /^Delete/ }));
    expect(await details.findByText(/deleted/i)).toBeVisible();
    expect(details.queryByText(/^Expires in/)).not.toBeInTheDocument();
    await user.keyboard("i");
  });

  it("compares a job that left the list with the one beside it", async () => {
    await sandbox().imageJob({ prompt: "A lamp" });
    await sandbox().imageJob({ prompt: "A tram" });
    const { user, path } = await openViewer(/^A tram/);
    await user.keyboard("s{Escape}");
    await user.click(await screen.findByRole("link", { name: /^A lamp/ }));
    await user.keyboard("s{Escape}");
    await user.type(screen.getByRole("searchbox"), "is:starred");
    await waitFor(() => expect(path()).toContain("starred"));
    await user.click(await screen.findByRole("link", { name: /^A lamp/ }));
    await screen.findByRole("dialog", { name: "A lamp" });
    await user.keyboard("s");
    await waitFor(() => expect(listed(/^A lamp/)).not.toBeInTheDocument());
    await user.keyboard("?");
    const keys = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
    expect(keys.getByText("Compare")).toBeVisible();
    expect(keys.queryByText("Hide")).not.toBeInTheDocument();
    await user.keyboard("{Escape}m");
    expect(await screen.findByRole("dialog", { name: "Compare" })).toBeVisible();
  });
});
