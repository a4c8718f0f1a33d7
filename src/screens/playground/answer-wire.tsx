import { replayCode } from "#chat/replay-code.ts";
import { wireOf } from "#chat/wire-log.ts";
import { WirePanel as Panel } from "#connection/wire/wire-panel.tsx";
import type { DialogBodyProps } from "./playground-dialogs.tsx";

/** What exactly went over the wire for one answer, and code that asks the same again with the official clients. */
export function AnswerWire({ dialog }: DialogBodyProps<"wire">) {
  const log = dialog.turnId === undefined ? undefined : wireOf(dialog.turnId);
  const last = log?.exchanges.at(-1);
  return (
    <Panel
      exchanges={log?.exchanges ?? []}
      startTab={dialog.tab}
      note={log && "Kept in memory until this page is closed or loaded again. The answer itself stays."}
      missing="Requests and responses are kept in memory until the page is closed or loaded again. Ask something, then look again."
      replay={
        log && last
          ? (language) =>
              replayCode(language, { endpoint: log.endpoint, url: last.request.url, body: last.request.body })
          : undefined
      }
    />
  );
}
