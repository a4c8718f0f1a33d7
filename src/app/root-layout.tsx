import { Outlet, useMatch, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { getConnection, useConnection } from "#connection/connection-store.ts";
import { lazyNamed } from "#ui/lazy-named.tsx";
import { focusScreen, keepFocus } from "#ui/return-focus.ts";

/** Connect needs neither the rail nor the jobs behind it, so they are a chunk of their own. */
const Shell = lazyNamed(() => import("./shell.tsx"), "Shell", { failed: "throw" });
// In a tab that is connected already the shell arrives beside the screen, not after it.
if (getConnection()) Shell.preload();

/**
 * Connect is shown alone; every other screen is shown in the shell and needs a connection. When the connection ends,
 * the screens are removed in the same moment and the router's redirect follows.
 */
export function RootLayout() {
  const connection = useConnection();
  const isConnecting = useMatch({ from: "/connect", shouldThrow: false }) !== undefined;
  useEffect(pressOnce, []);
  return (
    <>
      <RouteAnnouncer />
      {isConnecting && <Outlet />}
      {!isConnecting && connection && <Shell key={connection.id} connection={connection} />}
    </>
  );
}

/**
 * A browser clicks the focused button again for each repeat of a held Enter, and would start several runs. Repeats are
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
  // Only the root fits an address that names no screen.
  if (matches.length === 1) return "Page not found";
  return matches.findLast((match) => match.staticData?.title)?.staticData?.title ?? "";
}
