import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Connection } from "#connection/connection.ts";
import { useQueueSheet } from "#jobs/queue/queue-button.tsx";
import { LazyJobWatcher, useHasWork } from "#jobs/watch/lazy-job-watcher.tsx";
import { useUploadStore } from "#media/upload/upload-store.ts";
import { lazyNamed } from "#ui/lazy-named.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { BottomTabs, Rail } from "./navigation.tsx";

const PhoneQueue = lazyNamed(() => import("#jobs/queue/queue-sheet.tsx"), "PhoneQueue");
// Keys and palette come beside the first screen, not before it.
const AppCommands = lazyNamed(() => import("./app-commands.tsx"), "AppCommands");

/** The frame around every screen of a connected studio: the rail (or the phone's tabs) and the place for the screen. */
export function Shell({ connection }: { connection: Connection }) {
  const isPhone = useIsPhone();
  const hasWork = useHasWork();
  const hasUploads = useUploadStore(({ uploads }) => uploads.length > 0);
  const hasQueue = hasWork || hasUploads;
  const isSheetOpen = useQueueSheet((state) => state.isOpen);
  const isOnCreate = useRouterState({ select: ({ location }) => location.pathname.startsWith("/create") });
  useEffect(keepRequests, []);
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] md:grid-cols-[var(--rail)_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)] short:max-md:grid-rows-[auto_auto] short:max-md:overflow-y-auto">
      <SkipLink />
      {!isPhone && <Rail connection={connection} hasQueue={hasQueue} />}
      <main
        id="main"
        tabIndex={-1}
        className="relative min-h-0 min-w-0 overflow-y-auto short:max-md:min-h-dvh short:max-md:overflow-visible"
      >
        <Outlet />
      </main>
      {isPhone && (hasQueue || isSheetOpen) && <PhoneQueue isOnCreate={isOnCreate} />}
      {isPhone && <BottomTabs />}
      {hasWork && <LazyJobWatcher />}
      <AppCommands connection={connection} />
    </div>
  );
}

/** Stores the list of requests. Its code comes after the first load; what was noted until then is written, too. */
function keepRequests(): () => void {
  let stop: (() => void) | undefined;
  let isOver = false;
  import("#connection/stored-requests.ts").then(
    (stored) => {
      if (!isOver) stop = stored.keepRequests();
    },
    () => {},
  );
  return () => {
    isOver = true;
    stop?.();
  };
}

/** The first stop of the Tab key: past the rail, straight to the screen. A button, so that the address keeps its hash. */
function SkipLink() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById("main")?.focus()}
      className="fixed start-2 top-2 z-50 min-h-11 -translate-y-16 rounded-sm bg-accent px-3 font-semibold text-accent-ink focus:translate-y-0"
    >
      Skip to content
    </button>
  );
}
