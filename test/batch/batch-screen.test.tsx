import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { addBatch, agreeToRun, dismissBatch, newBatch, removeBatch } from "#batch/runner/batch-edits.ts";
import { getConnection } from "#connection/connection-store.ts";
import { AddToBatchDialog } from "#history/add-to-batch-dialog.tsx";
import { browserRows } from "#storage/database.ts";
import { LOCKS } from "#storage/keys.ts";
import { batchRows } from "#storage/stored-batches.ts";
import { readAll } from "#storage/typed-rows.ts";
import { useToasts } from "#ui/toast-store.ts";
import { visitCreate } from "../create/visit-create.tsx";
import { openConnected } from "../runs/connected.tsx";
import { agreedBatch } from "../setup/agreed-batch.ts";
import { givePhone } from "../setup/give-phone.ts";
import { until } from "../setup/until.ts";
import { BATCH_ID, lumen, runRows, visitBatch } from "./batch-screen-story.tsx";

/** Stores a batch whose runs were agreed to and wait for the person. */
async function storeAgreed(...prompts: string[]): Promise<string> {
  const id = crypto.randomUUID();
  const where = { rows: browserRows, accountId: getConnection()?.accountId ?? "" };
  await addBatch(
    where,
    agreedBatch(
      id,
      prompts.map((prompt) => lumen(prompt)),
      35_000,
    ),
  );
  return id;
}

describe("the batches of this browser", () => {
  it("are renamed, listed, opened, duplicated and deleted; a batch that is gone says so", async () => {
    const { user, router, path, batch } = await visitBatch({ groups: { Shots: [lumen("one"), lumen("two")] } });
    await user.click(screen.getByRole("button", { name: "Rename batch" }));
    await user.clear(screen.getByRole("textbox", { name: "Batch name" }));
    await user.paste("Harbour at dusk");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { name: "Harbour at dusk" })).toBeVisible();
    await waitFor(async () => expect((await batch())?.name).toBe("Harbour at dusk"));

    await router.navigate({ to: "/batch" });
    const list = await screen.findByRole("region", { name: "Your batches" });
    expect(await within(list).findByRole("link", { name: /^Harbour at dusk.*2 runs.*Draft/ })).toBeVisible();
    await user.click(within(list).getByRole("button", { name: "Duplicate batch: Harbour at dusk" }));
    expect(await screen.findByRole("heading", { name: "Harbour at dusk (copy)" })).toBeVisible();
    await waitFor(() => expect(runRows()).toHaveLength(2));
    const copy = path();
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(screen.getByRole("menuitem", { name: "Delete batch" }));
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Delete batch" }));
    await waitFor(() => expect(path()).toBe("/batch"));
    await router.navigate({ to: copy as "/batch" });
    expect(await screen.findByText("Batch not found")).toBeVisible();
    await user.click(screen.getByRole("link", { name: "Open batches" }));
    expect(await screen.findByRole("link", { name: /^Harbour/ })).toBeVisible();
  });

  it("stay, and say so, where this browser cannot delete them", async () => {
    const { user, path, batch } = await visitBatch({ groups: { Shots: [lumen("one")] } });
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(screen.getByRole("menuitem", { name: "Delete batch" }));
    const question = await screen.findByRole("alertdialog");
    const broken = vi.spyOn(IDBObjectStore.prototype, "delete").mockImplementation(() => {
      throw new DOMException("broken", "UnknownError");
    });
    onTestFinished(() => broken.mockRestore());
    await user.click(within(question).getByRole("button", { name: "Delete batch" }));
    expect(
      await screen.findByText("This browser couldn’t delete the batch. The batch is paused in this tab."),
    ).toBeVisible();
    expect([question.isConnected, path()]).toEqual([true, `/batch/${BATCH_ID}`]);
    broken.mockRestore();
    expect(await batch()).toBeDefined();
    await user.click(within(question).getByRole("button", { name: "Delete batch" }));
    await waitFor(() => expect(path()).toBe("/batch"));
    expect(await batch()).toBeUndefined();
  });

  it("are on a phone a list of runs, each edited in its form, with the total in reach; the queue promises nothing of them", async () => {
    givePhone();
    const { user, batch } = await visitBatch({ groups: { Shots: [lumen("one"), lumen("two")] } });
    const list = screen.getByRole("list", { name: "Runs" });
    expect(await screen.findByRole("button", { name: /^Run 2 for \$0\.07/ })).toBeVisible();
    await user.click(within(list).getByRole("button", { name: "Actions for run 2" }));
    await user.click(await screen.findByRole("menuitem", { name: "Duplicate" }));
    expect(await screen.findByRole("button", { name: /^Run 3 for \$0\.105/ })).toBeVisible();
    await user.click(within(list).getByRole("button", { name: /^Run 1: ?one/ }));
    const form = await screen.findByRole("dialog", { name: "Edit run" });
    await user.clear(await within(form).findByRole("textbox", { name: "Prompt" }));
    await user.paste("A lamp in fog");
    await user.click(within(form).getByRole("button", { name: "Save" }));
    await waitFor(async () =>
      expect((await batch())?.items.map(({ request }) => request.payload.prompt)).toEqual([
        "A lamp in fog",
        "two",
        "two",
      ]),
    );
    await user.click(screen.getByRole("button", { name: / · Run settings$/ }));
    const rules = await screen.findByRole("dialog", { name: "Run settings" });
    expect(within(rules).getByRole("checkbox", { name: "Failures in a row reach" })).toBeChecked();
    await user.keyboard("{Escape}");

    await storeAgreed("A tram", "A ferry");
    await user.click(await screen.findByRole("button", { name: /in queue$/ }));
    const queue = await screen.findByRole("dialog", { name: /^Queue/ });
    expect((await within(queue).findAllByRole("button", { name: /^Batch: A tram/ }))[0]).toBeVisible();
    expect(within(queue).queryByText(/Jobs keep running/)).not.toBeInTheDocument();
  });
});

it("a batch in the queue offers no Resume while another tab submits it, leads to its screen, and leaves once it is over", async () => {
  const locks: { name: string }[] = [];
  // Nothing else is asked of it here: no other lock is ever given.
  const manager = { query: async () => ({ held: locks }), request: () => new Promise(() => {}) };
  Object.defineProperty(navigator, "locks", { value: manager, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "locks"));
  const { user, router, path } = await visitBatch({ groups: { Shots: [lumen("one")] } });
  await router.navigate({ to: "/batch" });
  const id = await storeAgreed("A canal", "A canal");
  locks.push({ name: LOCKS.work(`batch:${id}`) });
  const row = await screen.findByRole("button", { name: /^Batch: A canal.*Running in another tab/ });
  expect(screen.queryByRole("button", { name: /^Resume/ })).not.toBeInTheDocument();
  await user.click(row);
  expect(screen.getByText("Another tab is submitting this batch. You can pause it there.")).toBeVisible();
  locks.pop();
  expect(await screen.findByRole("button", { name: "Resume, $0.07" })).toBeVisible();
  const entry = within(screen.getByRole("button", { name: /^Batch: A canal.*Paused/ }).closest("li") as HTMLElement);
  expect(entry.getByRole("link", { name: "Open batch" })).toHaveAttribute("href", `/batch/${id}`);
  await user.click(entry.getByRole("button", { name: "Cancel remaining" }));
  // Its runs are drafts again: nothing of it is under way.
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Batch: A canal/ })).not.toBeInTheDocument());
  const where = { rows: browserRows, accountId: getConnection()?.accountId ?? "" };
  await agreeToRun(where, id, new Map([[`${id}-row-0`, 35_000]]));
  expect(await screen.findByRole("button", { name: /^Batch: A canal.*0 of 1/ })).toBeVisible();
  await dismissBatch(where, id);
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Batch: A canal/ })).not.toBeInTheDocument());
  expect(path()).toBe("/batch");
});

describe("on Create", () => {
  it("a batch stands in the place of the result, and each of its runs leads to its own", async () => {
    const { user, router } = await visitCreate("/create/lumen-2");
    await storeAgreed("A tram", "A ferry");
    await user.click(await screen.findByRole("button", { name: "Resume, $0.07" }));
    const result = screen.getByRole("region", { name: "Result" });
    expect(await within(result).findByRole("heading", { name: "Batch: A tram" })).toBeVisible();
    expect(await within(result).findByText("2 of 2 done")).toBeVisible();
    const runs = within(within(result).getByRole("list", { name: "Batch runs" }));
    expect(runs.getAllByRole("listitem")).toHaveLength(2);
    await user.click(runs.getByRole("link", { name: "A ferry, 2 of 2, Done" }));
    await waitFor(() => expect(router.state.location.search).toHaveProperty("job"));
    expect(await within(result).findByText("Charged $0.035")).toBeVisible();
    expect(within(result).queryByRole("list", { name: "Batch runs" })).not.toBeInTheDocument();
  });

  it("a video says how long it takes; the form becomes a batch; the queue names a run without a reply by its prompt", async () => {
    const { user, router, sandbox } = await visitCreate("/create/halide-turbo");
    const words = "Videos usually take a minute or more.";
    expect(await screen.findByText(words)).toBeVisible();
    const openForm = async (search = {}) =>
      router.navigate({ to: "/create/$modelId", params: { modelId: "lumen-2" }, search });
    await openForm();
    await waitFor(() => expect(screen.queryByText(words)).not.toBeInTheDocument());
    await user.click(await screen.findByRole("textbox", { name: "Prompt" }));
    await user.paste("lose:request A tram");
    const batch = screen.getByRole("button", { name: "Batch" });
    await waitFor(() => expect(batch).toBeEnabled());
    await user.click(batch);
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/batch\/./));
    const sources = await screen.findByRole("region", { name: "Run sources" });
    expect(await within(sources).findByRole("button", { name: "Prompt × 1" })).toBeVisible();
    expect(within(sources).getByRole("button", { name: "lumen-2" })).toBeVisible();
    await user.click(await within(sources).findByRole("button", { name: "4 random seeds" }));
    expect(await screen.findByRole("button", { name: /^Run 4 for \$0\.14/ })).toBeVisible();
    expect(sandbox.sandbox.inspect().requests.filter(({ route }) => route === "submit")).toEqual([]);

    await openForm();
    const button = await screen.findByRole("button", { name: "Run" });
    await waitFor(() => expect(button).toHaveTextContent("$"));
    await waitFor(() => expect(button).not.toHaveAttribute("aria-disabled"));
    await user.click(button);
    const queue = await screen.findByRole("region", { name: "Queue" });
    const row = await within(queue).findByRole("link", { name: /Unconfirmed/ });
    expect(row).toHaveAccessibleName(/^lose:request A tram/);
    expect(row).toHaveAttribute("aria-current");
    await openForm({ job: "another" });
    await waitFor(() => expect(row).not.toHaveAttribute("aria-current"));
  });
});

describe("jobs that are added to a batch", () => {
  const jobs = [
    { requestId: "a", model: "lumen-2", payload: { prompt: "A lamp" } },
    { requestId: "b", model: undefined, payload: undefined },
  ];
  const accountId = () => getConnection()?.accountId ?? "";
  const stored = () => readAll(browserRows, batchRows, accountId());

  async function openDialog() {
    const onClose = vi.fn();
    const page = await openConnected(<AddToBatchDialog jobs={jobs} onClose={onClose} />);
    onTestFinished(() => page.close());
    return { user: userEvent.setup(), onClose, page };
  }

  it("become a new batch; those without settings are named", async () => {
    const { user, onClose, page } = await openDialog();
    const dialog = await screen.findByRole("dialog", { name: "Add 2 jobs to batch" });
    expect(within(dialog).getByRole("status")).toHaveTextContent("1 job has unknown settings");
    await user.click(within(dialog).getByRole("button", { name: "Add 1 run" }));
    await until(() => expect(onClose).toHaveBeenCalled());
    const [batch] = await stored();
    expect(batch?.name).toBe("A lamp");
    expect(batch?.items.map(({ request }) => request)).toEqual([{ model: "lumen-2", payload: { prompt: "A lamp" } }]);
    expect(page.submits()).toBe(0);
  });

  it("are put behind the runs of one that is there", async () => {
    const { user, onClose } = await openDialog();
    await addBatch({ rows: browserRows, accountId: accountId() }, newBatch("Harbour"));
    await user.click(await screen.findByRole("radio", { name: /^Harbour/ }));
    await user.click(screen.getByRole("button", { name: "Add 1 run" }));
    await until(() => expect(onClose).toHaveBeenCalled());
    const batches = await stored();
    expect(batches).toHaveLength(1);
    expect(batches[0]?.groups.at(-1)?.kind).toBe("history");
    expect(batches[0]?.items).toHaveLength(1);
    expect(useToasts.getState().toasts.map(({ title }) => title)).toContain("1 run added to Harbour");
  });

  it("are put nowhere by themselves where the chosen batch was deleted", async () => {
    const { user, onClose } = await openDialog();
    const where = { rows: browserRows, accountId: accountId() };
    const gone = newBatch("Harbour");
    await addBatch(where, gone);
    await user.click(await screen.findByRole("radio", { name: /^Harbour/ }));
    await removeBatch(where, gone.id);
    await until(() => expect(screen.queryByRole("radio", { name: /^Harbour/ })).not.toBeInTheDocument());
    expect(screen.getByRole("status")).toHaveTextContent("The chosen batch was deleted. Choose another batch.");
    await user.click(screen.getByRole("button", { name: "Add 1 run" }));
    expect(await stored()).toEqual([]);
    expect(onClose).not.toHaveBeenCalled();

    await user.click(screen.getByRole("radio", { name: "New batch" }));
    expect(screen.getByRole("status")).not.toHaveTextContent("deleted");
    await user.click(screen.getByRole("button", { name: "Add 1 run" }));
    await until(() => expect(onClose).toHaveBeenCalled());
    expect(await stored()).toHaveLength(1);
  });

  it("say so where another tab deleted the batch and this page has not heard of it", async () => {
    const { user, onClose } = await openDialog();
    const gone = newBatch("Harbour");
    await addBatch({ rows: browserRows, accountId: accountId() }, gone);
    await user.click(await screen.findByRole("radio", { name: /^Harbour/ }));
    const edit = vi.spyOn(browserRows, "edit").mockImplementation(async (_row, change) => change(undefined, []).result);
    onTestFinished(() => edit.mockRestore());
    const toastsBefore = useToasts.getState().toasts.length;
    await user.click(screen.getByRole("button", { name: "Add 1 run" }));
    await until(() => expect(screen.getByRole("status")).toHaveTextContent("The chosen batch was deleted."));
    expect(onClose).not.toHaveBeenCalled();
    expect(useToasts.getState().toasts).toHaveLength(toastsBefore);
  });
});
