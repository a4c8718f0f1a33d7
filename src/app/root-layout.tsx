import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { focusScreen, keepFocus } from "#ui/return-focus.ts";

/** What is around every screen, Connect included. */
export function RootLayout() {
  const router = useRouter();
  useEffect(pressOnce, []);
  useEffect(() => {
    // Back or Forward was pressed before the router listened.
    if (router.history.location.href !== router.state.location.href) void router.load();
  }, [router]);
  return (
    <>
      <RouteAnnouncer />
      <Outlet />
    </>
  );
}

/**
 * A browser clicks the focused button again for each repeat of a pressed Enter, and would start several runs. Repeats are
 * ignored, except in text areas, where they insert lines.
 */
function pressOnce(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const isText = event.target instanceof Element && event.target.closest("textarea, [contenteditable]") !== null;
    if (event.repeat && event.key === "Enter" && !isText) event.preventDefault();
  };
  // In the capture phase, because a handler below may stop the event.
  document.addEventListener("keydown", onKeyDown, { capture: true });
  return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
}

/** Whether the focus is already inside the screen or a dialog, where it must stay. */
function isFocusInside(): boolean {
  return document.activeElement?.matches("main *, [role=dialog] *, [role=alertdialog] *") ?? false;
}

/**
 * What a full page load would do and a route change does not: sets the document's title, moves focus to the new
 * screen's heading, and announces the title to screen readers.
 */
function RouteAnnouncer() {
  const router = useRouter();
  const title = useRouterState({ select: (state) => pageTitle(state.matches) });
  const [announced, setAnnounced] = useState("");
  useEffect(keepFocus, []);
  useEffect(() => {
    document.title = title === "" ? "Safelight" : `${title} · Safelight`;
  }, [title]);
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        // On the first load the browser itself announces the page.
        if (!pathChanged || fromLocation === undefined) return;
        setAnnounced(pageTitle(router.state.matches));
        if (!isFocusInside()) focusScreen();
      }),
    [router],
  );
  return (
    <div aria-live="polite" className="sr-only">
      {announced}
    </div>
  );
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The screen's name in the document's title. */
    title?: string;
  }
}

interface Titled {
  staticData?: { title?: string } | undefined;
}

/** The name of the innermost matched screen that has one, or empty. */
function pageTitle(matches: readonly Titled[]): string {
  return matches.findLast((match) => match.staticData?.title)?.staticData?.title ?? "";
}
