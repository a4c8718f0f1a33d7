import { act, render, renderHook, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Combobox } from "#ui/combobox.tsx";
import { ConfirmDialog, Dialog } from "#ui/dialog.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Pill, Skeleton, Spinner, StatusDot } from "#ui/indicators.tsx";
import { lazyPart } from "#ui/lazy-part.tsx";
import { Menu } from "#ui/menu.tsx";
import { Notice } from "#ui/notice.tsx";
import { Toaster } from "#ui/toast.tsx";
import { toast } from "#ui/toast-store.ts";
import { useIsTouch } from "#ui/use-media-query.ts";
import { useToday } from "#ui/use-today.ts";
import { expectNoViolations } from "./expect-no-violations.ts";

function Picker() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Choose a model
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Models" description="Search the catalogue.">
        <label>
          Search <input />
        </label>
        <Combobox label="Type" options={[{ value: "image", label: "Image" }]} value="image" onChange={() => {}} />
      </Dialog>
    </>
  );
}

function Delete() {
  const [open, setOpen] = useState(false);
  const [count, setCount] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Delete files
      </button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Delete the media?"
        description="It cannot be taken back."
        confirmLabel="Delete"
        danger
        onConfirm={() => {
          setCount(count + 1);
          setOpen(false);
        }}
      >
        <button type="button">Download first</button>
      </ConfirmDialog>
      <output>{count} deleted</output>
    </>
  );
}

describe("Dialog", () => {
  test("is named and described, takes the focus into its content and gives it back", async () => {
    render(<Picker />);
    const opener = screen.getByRole("button", { name: "Choose a model" });
    await userEvent.click(opener);
    const dialog = screen.getByRole("dialog", { name: "Models" });
    expect(dialog).toHaveAccessibleDescription("Search the catalogue.");
    expect(screen.getByRole("textbox", { name: "Search" })).toHaveFocus();
    await expectNoViolations();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(opener).toHaveFocus();
  });

  test("Escape closes an open list first, then the dialog", async () => {
    render(<Picker />);
    await userEvent.click(screen.getByRole("button", { name: "Choose a model" }));
    await userEvent.click(screen.getByRole("combobox", { name: "Type" }));
    expect(screen.getByRole("listbox")).toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("listbox")).not.toBeInTheDocument();
    expect(screen.getByRole("dialog", { name: "Models" })).toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  test("Tab stays inside", async () => {
    render(<Picker />);
    await userEvent.click(screen.getByRole("button", { name: "Choose a model" }));
    const dialog = screen.getByRole("dialog");
    for (let press = 0; press < 5; press += 1) {
      await userEvent.tab();
      expect(dialog).toContainElement(document.activeElement as HTMLElement);
    }
  });
});

describe("ConfirmDialog", () => {
  test("is an alert dialog that starts on Cancel, whatever else can be pressed in it", async () => {
    render(<Delete />);
    await userEvent.click(screen.getByRole("button", { name: "Delete files" }));
    expect(screen.getByRole("alertdialog", { name: "Delete the media?" })).toHaveAccessibleDescription(
      "It cannot be taken back.",
    );
    expect(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await expectNoViolations();
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("status")).toHaveTextContent("0 deleted");
    expect(screen.getByRole("button", { name: "Delete files" })).toHaveFocus();
  });

  test("acts once it is confirmed", async () => {
    render(<Delete />);
    await userEvent.click(screen.getByRole("button", { name: "Delete files" }));
    await userEvent.click(screen.getByRole("button", { name: "Delete" }));
    expect(screen.getByRole("status")).toHaveTextContent("1 deleted");
  });

  test("while busy the action cannot be pressed again", async () => {
    let acts = 0;
    render(
      <ConfirmDialog
        open
        onOpenChange={() => {}}
        title="Delete the media?"
        confirmLabel="Delete"
        busy
        onConfirm={() => {
          acts += 1;
        }}
      />,
    );
    await userEvent.click(screen.getByRole("button", { name: "Delete" }));
    expect(acts).toBe(0);
  });
});

function Acts() {
  const [done, setDone] = useState("nothing");
  return (
    <>
      <Menu
        label="Download"
        items={[
          { label: "This file", onSelect: () => setDone("file") },
          { label: "All files", onSelect: () => setDone("all") },
          { label: "Zip", disabled: true, onSelect: () => setDone("zip") },
        ]}
      />
      <output>{done}</output>
    </>
  );
}

const trigger = () => screen.getByRole("button", { name: "Download" });
const item = (name: string) => screen.getByRole("menuitem", { name });

describe("Menu", () => {
  test("opens on its first item, moves by keys, acts and gives focus back", async () => {
    render(<Acts />);
    await userEvent.click(trigger());
    expect(trigger()).toHaveAttribute("aria-expanded", "true");
    expect(item("This file")).toHaveFocus();
    await expectNoViolations();
    await userEvent.keyboard("{ArrowUp}");
    expect(item("Zip")).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}");
    expect(item("This file")).toHaveFocus();
    await userEvent.keyboard("a");
    expect(item("All files")).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("status")).toHaveTextContent("all");
    expect(screen.queryByRole("menu")).not.toBeInTheDocument();
    expect(trigger()).toHaveFocus();
  });

  test("Escape and a press elsewhere close it", async () => {
    render(<Acts />);
    trigger().focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(screen.getByRole("menu", { name: "Download" })).toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("menu")).not.toBeInTheDocument();
    expect(trigger()).toHaveFocus();
    await userEvent.click(trigger());
    await userEvent.click(document.body);
    expect(screen.queryByRole("menu")).not.toBeInTheDocument();
  });

  test("a disabled item stays and does nothing", async () => {
    render(<Acts />);
    await userEvent.click(trigger());
    await userEvent.click(item("Zip"));
    expect(screen.getByRole("menu")).toBeInTheDocument();
    expect(screen.getByRole("status")).toHaveTextContent("nothing");
  });
});

describe("Notice and status texts", () => {
  test("errors and warnings are alerts, other tones are polite status messages; all pass axe", async () => {
    render(
      <>
        <Notice tone="error" title="Refused" />
        <Notice tone="warning" title="Unconfirmed" />
        <Notice tone="info" title="Three days left" />
        <Notice tone="success" title="Refunded" />
      </>,
    );
    expect(screen.getAllByRole("alert").map((node) => node.textContent)).toEqual(["Refused", "Unconfirmed"]);
    expect(screen.getAllByRole("status").map((node) => node.textContent)).toEqual(["Three days left", "Refunded"]);
    render(
      <>
        <Pill tone="failed">Failed</Pill>
        <Pill overMedia>0:08</Pill>
        <StatusDot tone="queued" label="Queued" />
        <Spinner label="Loading" />
        <Skeleton />
        <EmptyState title="No jobs yet" actions={<button type="button">Create the first</button>}>
          What you generate is listed here.
        </EmptyState>
      </>,
    );
    for (const word of ["Failed", "Queued", "Loading", "No jobs yet"])
      expect(screen.getByText(word)).toBeInTheDocument();
    await expectNoViolations();
  });
});

describe("Toaster", () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("the live region exists before the first toast, so that it is announced", async () => {
    render(<Toaster />);
    const region = screen.getByRole("region", { name: "Notifications" });
    expect(within(region).getByRole("list")).toHaveAttribute("aria-live", "polite");
    vi.advanceTimersByTime(1);
    toast({ title: "Saved" });
    expect(await within(region).findByText("Saved")).toBeVisible();
    vi.useRealTimers();
    await expectNoViolations();
  });

  test("a success disappears by itself, and an error stays until dismissed", async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    render(<Toaster />);
    toast({ title: "Saved", tone: "success" });
    toast({ title: "Not saved", tone: "error" });
    expect(await screen.findByText("Saved")).toBeVisible();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(screen.queryByText("Saved")).not.toBeInTheDocument();
    expect(screen.getByText("Not saved")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByText("Not saved")).not.toBeInTheDocument();
  });

  test("its timer stops while the pointer is on it", async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    render(<Toaster />);
    toast({ title: "Saved", tone: "success" });
    await user.hover(await screen.findByText("Saved"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(screen.getByText("Saved")).toBeVisible();
    await user.unhover(screen.getByText("Saved"));
    await vi.advanceTimersByTimeAsync(6_001);
    expect(screen.queryByText("Saved")).not.toBeInTheDocument();
  });

  test("the same message twice is one toast, and its action closes it", async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    let acts = 0;
    render(<Toaster />);
    const action = {
      label: "Undo",
      onAct: () => {
        acts += 1;
      },
    };
    toast({ title: "Removed", action });
    toast({ title: "Removed", action });
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(acts).toBe(1);
    expect(screen.queryByText("Removed")).not.toBeInTheDocument();
  });
});

describe("a part that comes after its screen", () => {
  const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;

  test("is loaded when it is shown, once", async () => {
    const load = vi.fn(async () => Greeting);
    const Part = lazyPart(load);
    expect(load).not.toHaveBeenCalled();
    render(
      <>
        <Part name="Ada" />
        <Part name="Grace" />
      </>,
    );
    expect(await screen.findByText("Hello Ada")).toBeVisible();
    expect(screen.getByText("Hello Grace")).toBeVisible();
    expect(load).toHaveBeenCalledTimes(1);
  });

  const offline = () => Promise.reject(new Error("offline"));

  test("whose code is missing takes nothing else from the screen, and offers the reload in its place", async () => {
    const Part = lazyPart<{ name: string }>(offline);
    render(
      <>
        <textarea aria-label="Prompt" defaultValue="A lamp" />
        <Part name="Ada" />
      </>,
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("A part of Safelight couldn’t be loaded");
    expect(screen.getByRole("button", { name: "Reload" })).toBeEnabled();
    expect(screen.getByRole("textbox", { name: "Prompt" })).toHaveValue("A lamp");
  });

  test("whose code is missing says so whenever it is opened, where it is a dialog", async () => {
    const Part = lazyPart<{ open: boolean; onOpenChange: (open: boolean) => void }>(offline);
    function Page() {
      const [open, setOpen] = useState(false);
      return (
        <>
          <button type="button" onClick={() => setOpen(true)}>
            {open ? "Open" : "Closed"}
          </button>
          <Part open={open} onOpenChange={setOpen} />
          <Toaster />
        </>
      );
    }
    render(<Page />);
    const user = userEvent.setup();
    for (const _time of [1, 2]) {
      await user.click(screen.getByRole("button", { name: "Closed" }));
      expect(await screen.findByText("A part of Safelight couldn’t be loaded")).toBeVisible();
      expect(screen.getByRole("button", { name: "Closed" })).toBeVisible();
      await user.click(screen.getByRole("button", { name: "Dismiss" }));
      expect(screen.queryByText("A part of Safelight couldn’t be loaded")).not.toBeInTheDocument();
    }
  });
});

test("a media query is asked and followed once for a component, however often that renders", () => {
  const list = Object.assign(new EventTarget(), { matches: false });
  const listen = vi.spyOn(list, "addEventListener");
  const matchMedia = vi.fn(() => list);
  vi.stubGlobal("matchMedia", matchMedia);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { result, rerender } = renderHook(useIsTouch);
  for (let frame = 0; frame < 5; frame++) rerender();
  expect(result.current).toBe(false);
  expect(matchMedia).toHaveBeenCalledTimes(1);
  expect(listen).toHaveBeenCalledTimes(1);
  list.matches = true;
  act(() => void list.dispatchEvent(new Event("change")));
  expect(result.current).toBe(true);
});

test("a page that stays open over midnight is on the new day", () => {
  vi.useFakeTimers({ now: new Date(2026, 11, 31, 23, 50) });
  onTestFinished(() => void vi.useRealTimers());
  const { result, rerender, unmount } = renderHook(useToday);
  const before = new Date(2026, 11, 31).getTime();
  act(() => vi.advanceTimersByTime(9 * 60_000));
  rerender();
  expect(result.current).toBe(before);
  act(() => vi.advanceTimersByTime(2 * 60_000));
  expect(result.current).toBe(new Date(2027, 0, 1).getTime());
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
