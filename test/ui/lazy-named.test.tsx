import { render, screen } from "@testing-library/react";
import { Component, type ReactNode } from "react";
import { describe, expect, test, vi } from "vitest";
import { LazyMount, lazyNamed } from "#ui/lazy-named.tsx";
import { Toaster } from "#ui/toast.tsx";

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;
const module = { Greeting };
const offline = () => Promise.reject<typeof module>(new Error("offline"));

class Boundary extends Component<{ children: ReactNode }> {
  override state = { error: undefined as unknown };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    return this.state.error === undefined ? this.props.children : <p>Caught</p>;
  }
}

describe("lazyNamed", () => {
  test("shows the fallback, then the loaded component with the same props", async () => {
    let resolve: (loaded: typeof module) => void = () => {};
    const loading = new Promise<typeof module>((done) => {
      resolve = done;
    });
    const Lazy = lazyNamed(() => loading, "Greeting", { waiting: ({ name }) => <p>Wait, {name}</p> });
    render(<Lazy name="Ada" />);
    expect(screen.getByText("Wait, Ada")).toBeInTheDocument();
    resolve(module);
    expect(await screen.findByText("Hello Ada")).toBeInTheDocument();
    expect(screen.queryByText("Wait, Ada")).not.toBeInTheDocument();
  });

  test("shows the substitute when the code cannot be loaded", async () => {
    const Lazy = lazyNamed(offline, "Greeting", { failed: ({ name }) => <p>Plain {name}</p> });
    render(<Lazy name="Ada" />);
    expect(await screen.findByText("Plain Ada")).toBeInTheDocument();
  });

  test("takes nothing else from the screen when its code is missing, and a toast offers the reload", async () => {
    const Lazy = lazyNamed(offline, "Greeting");
    const Other = lazyNamed(offline, "Greeting");
    render(
      <Boundary>
        <textarea aria-label="Prompt" defaultValue="A lamp" />
        <Lazy name="Ada" />
        <Other name="Grace" />
        <Toaster />
      </Boundary>,
    );
    expect(await screen.findByText("A part of the studio could not be loaded")).toBeVisible();
    expect(screen.getByRole("button", { name: "Reload" })).toBeEnabled();
    expect(screen.getByRole("textbox", { name: "Prompt" })).toHaveValue("A lamp");
  });

  test("throws to the boundary above where there is no screen without it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const Lazy = lazyNamed(offline, "Greeting", { failed: "throw" });
    render(
      <Boundary>
        <Lazy name="Ada" />
      </Boundary>,
    );
    expect(await screen.findByText("Caught")).toBeInTheDocument();
  });

  test("shows at once what was preloaded, and keeps it", async () => {
    const waiting = vi.fn(() => null);
    const Lazy = lazyNamed(() => Promise.resolve(module), "Greeting", { waiting });
    Lazy.preload();
    await Promise.resolve().then(() => {});
    const { rerender } = render(<Lazy name="Ada" />);
    const shown = screen.getByText("Hello Ada");
    rerender(<Lazy name="Grace" />);
    expect(screen.getByText("Hello Grace")).toBe(shown);
    expect(waiting).not.toHaveBeenCalled();
  });

  test("loads nothing before it is shown, unless it is preloaded", async () => {
    const load = vi.fn(offline);
    const Lazy = lazyNamed(load, "Greeting", { failed: () => null });
    expect(load).not.toHaveBeenCalled();
    // A failure here would be an unhandled rejection, and fail the run.
    Lazy.preload();
    expect(load).toHaveBeenCalledTimes(1);
  });
});

test("LazyMount mounts on first use and stays mounted", async () => {
  const { rerender } = render(<LazyMount when={false}>Dialog</LazyMount>);
  expect(screen.queryByText("Dialog")).not.toBeInTheDocument();
  rerender(<LazyMount when>Dialog</LazyMount>);
  expect(screen.getByText("Dialog")).toBeInTheDocument();
  rerender(<LazyMount when={false}>Dialog</LazyMount>);
  expect(screen.getByText("Dialog")).toBeInTheDocument();
});
