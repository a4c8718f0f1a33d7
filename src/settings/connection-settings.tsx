import { useRouter } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import {
  type Connection,
  chooseApiKeyHeader,
  endLabel,
  renameConnection,
  shareConnection,
  switchConnection,
  useConnections,
} from "#connection/connection-store.ts";
import { counted } from "#lib/numbers.ts";
import { formatDateTime } from "#lib/time.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { studioCommands } from "#ui/commands.ts";
import { TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { ForgetKeyDialog } from "./forget-key-dialog.tsx";

/** One sentence about where the key is, by its holder. */
export const CUSTODY_LEAD = {
  host: "The Safelight server stores the key and sends it only to these two URLs. This page doesn’t have it.",
  worker: "A background worker of this page has the key and sends it only to these two URLs.",
  page: "The sandbox key isn’t secret. Free demo.",
} as const;

/** The current connection and the other open ones. Only the last four characters of a key are shown. */
export function ConnectionSettings({ connection }: { connection: Connection }) {
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  const others = useConnections().filter((other) => other.connection.id !== connection.id);
  const facts = [
    ["Queue URL", connection.queueBaseUrl],
    ["Inference URL", connection.inferenceBaseUrl],
    ["Key", connection.isSandbox ? "Built-in sandbox key" : `Ends in ${connection.keyHint}`],
    ...(connection.endsAtMs === undefined || connection.isSandbox ? [] : [["Session", sessionEndText(connection)]]),
  ];
  return (
    <>
      <NameField key={connection.id} connection={connection} />
      <dl className="m-0 grid gap-x-6 gap-y-0.5 sm:grid-cols-[--spacing(35)_minmax(0,1fr)] sm:gap-y-2">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3 max-sm:text-sm">{name}</dt>
            <dd className="wrap-anywhere m-0 max-sm:mb-2.5">{value}</dd>
          </div>
        ))}
      </dl>
      {!connection.isSandbox && <MessagesHeader connection={connection} />}
      {connection.custody === "host" && (
        <div className="mt-4 flex items-center gap-2">
          <Checkbox
            id="all-tabs"
            checked={connection.isShared}
            onChange={(event) => shareConnection(connection.id, event.currentTarget.checked)}
          />
          <label htmlFor="all-tabs">Use in all tabs of this browser</label>
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button data-command={studioCommands.addConnection.id} onClick={() => router.history.push("/connect")}>
          <Plus aria-hidden="true" className="size-4" />
          {studioCommands.addConnection.label}
        </Button>
        <Button data-command={studioCommands.disconnect.id} onClick={() => setIsAsking(true)}>
          {endLabel(connection)}
        </Button>
      </div>
      {others.length > 0 && <OtherConnections connections={others.map((other) => other.connection)} />}
      <ForgetKeyDialog open={isAsking} onOpenChange={setIsAsking} connection={connection} />
    </>
  );
}

const HEADERS = [
  { value: "bearer", label: "Authorization: Bearer" },
  { value: "x-api-key", label: "x-api-key" },
] as const;

/** Chooses the header of the key for the messages endpoint (spec 5.3), from the next message on. */
function MessagesHeader({ connection: { id, usesApiKeyHeader = false, custody } }: { connection: Connection }) {
  return (
    <div className="mt-3 grid items-center gap-x-6 gap-y-1 sm:grid-cols-[--spacing(35)_minmax(0,1fr)]">
      <span aria-hidden="true" className="text-ink-3 max-sm:text-sm">
        Messages key header
      </span>
      <Segmented
        label="Messages key header"
        options={HEADERS}
        value={usesApiKeyHeader ? "x-api-key" : "bearer"}
        onChange={(value) => chooseApiKeyHeader(id, value === "x-api-key")}
        className="max-w-80"
      />
      {usesApiKeyHeader && custody !== "host" && (
        <p className="m-0 text-xs text-ink-3 leading-normal sm:col-start-2">
          This page sends requests directly to the service, so the service must allow this header for web pages (CORS).
        </p>
      )}
    </div>
  );
}

/** The name of the connection. It is stored when the field loses the focus. */
function NameField({ connection }: { connection: Connection }) {
  const { register, handleSubmit } = useForm({ defaultValues: { name: connection.name } });
  const save = handleSubmit(({ name }) => renameConnection(connection.id, name));
  return (
    <form onSubmit={save} className="mb-3 grid items-center gap-x-6 gap-y-1 sm:grid-cols-[--spacing(35)_minmax(0,1fr)]">
      <label htmlFor="connection-name" className="text-ink-3 max-sm:text-sm">
        Name
      </label>
      <TextInput
        id="connection-name"
        maxLength={80}
        autoComplete="off"
        className="max-w-80"
        {...register("name", { onBlur: () => void save() })}
      />
    </form>
  );
}

/** The other open connections. Each has its own history, spending and drafts. */
function OtherConnections({ connections }: { connections: readonly Connection[] }) {
  const [ending, setEnding] = useState<Connection>();
  return (
    <section aria-labelledby="other-connections" className="mt-6">
      <h3 id="other-connections" className="m-0 mb-1.5 font-medium text-sm">
        Other connections
      </h3>
      <ul className="m-0 flex list-none flex-col gap-1 p-0">
        {connections.map((connection) => (
          <li key={connection.id} className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 truncate">
              {connection.name}
              <span className="ml-2 font-mono text-xs text-ink-3">
                {connection.isSandbox ? "Free demo" : `key ····${connection.keyHint}`}
              </span>
            </span>
            <Button
              size="sm"
              onClick={() => switchConnection(connection.id)}
              aria-label={`Switch to ${connection.name}`}
            >
              Switch
            </Button>
            <Button
              size="sm"
              variant="ghost"
              onClick={() => setEnding(connection)}
              aria-label={`${endLabel(connection)}: ${connection.name}`}
            >
              {endLabel(connection)}
            </Button>
          </li>
        ))}
      </ul>
      {ending && <ForgetKeyDialog open onOpenChange={() => setEnding(undefined)} connection={ending} />}
    </section>
  );
}

/** When the server removes the key: "Expires after 12 hours of inactivity, or on Nov 29, 2026, 12:45 PM". */
function sessionEndText({ idleMs, endsAtMs = 0 }: Connection): string {
  const end = formatDateTime(endsAtMs / 1000);
  const hours = (idleMs ?? 0) / 3_600_000;
  const idle = hours >= 1 ? counted(Math.round(hours), "hour") : counted(Math.round(hours * 60), "minute");
  return idleMs === undefined ? `Expires on ${end}` : `Expires after ${idle} of inactivity, or on ${end}`;
}
