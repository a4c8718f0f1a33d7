import { Link } from "@tanstack/react-router";
import type { Connection } from "#connection/connection.ts";
import { LateQueueList } from "#jobs/late-queue-list.tsx";
import { sandboxSettingsUrl } from "#screens/settings/sandbox-settings.ts";
import { SandboxSpeed } from "#screens/settings/sandbox-speed.tsx";
import { Brand } from "./brand.tsx";
import { ConnectionFoot } from "./connection-foot.tsx";
import { NAV_ITEMS } from "./nav-items.ts";
import { SpentToday } from "./spent-today.tsx";

/** The rail of a wide window: where one can go, what is in the queue, who is connected. */
export function Rail({ connection }: { connection: Connection }) {
  return (
    <header className="flex min-h-0 flex-col border-line border-r px-2.5 py-3.5">
      <Link to="/create" aria-label="Safelight, create" className="mb-2.5 rounded-sm px-2 py-0.5 text-ink">
        <Brand />
      </Link>
      <nav aria-label="Main">
        <ul className="m-0 flex list-none flex-col gap-0.5 p-0">
          {NAV_ITEMS.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex h-8 items-center gap-2.5 rounded-sm px-[9px] font-medium text-ink-2 transition-[background-color,color] duration-150 hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink pointer-coarse:h-10"
              >
                <Icon aria-hidden="true" className="size-4 opacity-85" />
                {label}
                {to === "/spend" && <SpentToday />}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="-mx-1 mt-2 min-h-0 flex-1 overflow-y-auto px-1">
        <LateQueueList />
      </div>
      {connection.isSandbox && (
        <div className="mt-2 px-[9px]">
          <p aria-hidden="true" className="m-0 mb-1.5 font-medium text-[11.5px] text-ink-3">
            Sandbox time
          </p>
          <SandboxSpeed settingsUrl={sandboxSettingsUrl(connection)} />
        </div>
      )}
      <ConnectionFoot connection={connection} />
    </header>
  );
}
