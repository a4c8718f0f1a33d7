import { Outlet } from "@tanstack/react-router";
import type { Connection } from "#connection/connection.ts";
import { JobWatcher } from "#jobs/job-watcher.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { AppCommands } from "./app-commands.tsx";
import { BottomTabs } from "./bottom-tabs.tsx";
import { Rail } from "./rail.tsx";
import { SkipLink } from "./skip-link.tsx";

/** The frame around every screen of a connected studio: the rail (or the phone's tabs) and the place for the screen. */
export function Shell({ connection }: { connection: Connection }) {
  const isPhone = useIsPhone();
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] md:grid-cols-[212px_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)]">
      <SkipLink />
      {!isPhone && <Rail connection={connection} />}
      <main id="main" tabIndex={-1} className="relative min-h-0 min-w-0 overflow-y-auto">
        <Outlet />
      </main>
      {isPhone && <BottomTabs />}
      <JobWatcher />
      <AppCommands connection={connection} />
    </div>
  );
}
