import { useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { pageTitle } from "./page-title.ts";

/** Where focus goes on arriving: the screen's heading, or the place of the screen. */
function focusScreen(): void {
  const main = document.getElementById("main") ?? document.querySelector("main");
  const heading = main?.querySelector<HTMLElement>("h1");
  if (heading) heading.tabIndex = -1;
  (heading ?? main)?.focus({ preventScroll: true });
}

/** Focus stays with someone who is already at work inside the screen or in a dialog. */
function isAtWork(): boolean {
  return document.activeElement?.matches("main *, [role=dialog] *, [role=alertdialog] *") ?? false;
}

/**
 * What a full page load would do and a route change does not: sets the document's title, moves focus to the new
 * screen's heading, and says the title to screen readers.
 */
export function PageArrival() {
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
        if (!isAtWork()) focusScreen();
      }),
    [router],
  );
  return (
    <div aria-live="polite" className="sr-only">
      {announced}
    </div>
  );
}
