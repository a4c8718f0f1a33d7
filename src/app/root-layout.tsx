import { Outlet, useMatch, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Connection } from "#connection/connection.ts";
import { useConnection } from "#connection/connection-store.ts";
import { LazyJobWatcher } from "#jobs/watch/lazy-job-watcher.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { AppCommands } from "./app-commands.tsx";
import { BottomTabs, Rail } from "./navigation.tsx";

/**
 * Connect is shown alone; every other screen is shown in the shell and needs a connection. When the connection ends,
 * the screens are removed in the same moment and the router's redirect follows.
 */
export function RootLayout() {
  const connection = useConnection();
  const isConnecting = useMatch({ from: "/connect", shouldThrow: false }) !== undefined;
  return (
    <>
      <RouteAnnouncer />
      {isConnecting && <Outlet />}
      {!isConnecting && connection && <Shell key={connection.id} connection={connection} />}
    </>
  );
}

/** The frame around every screen of a connected studio: the rail (or the phone's tabs) and the place for the screen. */
function Shell({ connection }: { connection: Connection }) {
  const isPhone = useIsPhone();
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] md:grid-cols-[212px_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)]">
      <SkipLink />
      {!isPhone && <Rail connection={connection} />}
      <main id="main" tabIndex={-1} className="relative min-h-0 min-w-0 overflow-y-auto">
        <Outlet />
      </main>
      {isPhone && <BottomTabs />}
      <LazyJobWatcher />
      <AppCommands connection={connection} />
    </div>
  );
}

/** The first stop of the Tab key: past the rail, straight to the screen. A button, so that the address keeps its hash. */
function SkipLink() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById("main")?.focus()}
      className="fixed top-2 left-2 z-50 h-10 -translate-y-16 rounded-sm bg-accent px-3 font-semibold text-accent-ink focus:translate-y-0"
    >
      Skip to content
    </button>
  );
}

/** Moves the focus to the screen's heading, else to the element that holds the screen. */
function focusScreen(): void {
  const main = document.getElementById("main") ?? document.querySelector("main");
  const heading = main?.querySelector<HTMLElement>("h1");
  if (heading) heading.tabIndex = -1;
  (heading ?? main)?.focus({ preventScroll: true });
}

/** Whether the focus is already inside the screen or a dialog, where it must stay. */
function isFocusInside(): boolean {
  return document.activeElement?.matches("main *, [role=dialog] *, [role=alertdialog] *") ?? false;
}

/**
 * What a full page load would do and a route change does not: sets the document's title, moves focus to the new
 * screen's heading, and says the title to screen readers.
 */
function RouteAnnouncer() {
  const router = useRouter();
  const title = useRouterState({ select: (state) => pageTitle(state.matches) });
  const [announced, setAnnounced] = useState("");
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
