import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Connection } from "#connection/connection.ts";
import { useConnection } from "#connection/connection-store.ts";
import { keepRequests } from "#connection/request-history.ts";
import { PhoneQueue } from "#queue/queue-sheet.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { AppCommands } from "./app-commands.tsx";
import { JobWatcher } from "./job-watcher.ts";
import { BottomTabs, Rail } from "./navigation.tsx";

/**
 * The frame around every screen of a connected studio. When the connection ends the screens are removed in the same moment,
 * and the router's redirect follows.
 */
export function Shell() {
  const connection = useConnection();
  return connection && <Frame key={connection.id} connection={connection} />;
}

/** The rail (or the phone's tabs) and the place for the screen. */
function Frame({ connection }: { connection: Connection }) {
  const isPhone = useIsPhone();
  const isOnCreate = useRouterState({ select: ({ location }) => location.pathname.startsWith("/create") });
  useEffect(keepRequests, []);
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] md:grid-cols-[var(--rail)_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)] short:max-md:grid-rows-[auto_auto] short:max-md:overflow-y-auto">
      <SkipLink />
      {!isPhone && <Rail connection={connection} />}
      <main
        id="main"
        tabIndex={-1}
        className="relative min-h-0 min-w-0 overflow-y-auto short:max-md:min-h-dvh short:max-md:overflow-visible"
      >
        <Outlet />
      </main>
      {isPhone && <PhoneQueue isOnCreate={isOnCreate} />}
      {isPhone && <BottomTabs />}
      <JobWatcher />
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
      className="fixed start-2 top-2 z-50 min-h-11 -translate-y-16 rounded-sm bg-accent px-3 font-semibold text-accent-ink focus:translate-y-0"
    >
      Skip to content
    </button>
  );
}
