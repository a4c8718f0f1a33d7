import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, Code, PanelRightClose, ScrollText } from "lucide-react";
import { TEXT_ENDPOINTS, type TextEndpoint } from "#api/text/text-types.ts";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { modelCommands } from "#models/commands.ts";
import { priceWords, readTextPrice } from "#text/answer-spend.ts";
import { useChat } from "#text/chat.ts";
import { type Column, type Conversation, switchEndpoint } from "#text/conversations/conversation.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Field, inputClass } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { useColumnCommand, useOpenLog } from "../columns/column-acts.ts";
import { playgroundCommands } from "../commands.ts";
import { DockHead, useDock } from "../docks.tsx";
import { rememberModel } from "../new-conversation.ts";
import { useDialog } from "../use-dialog.ts";
import { SettingsForm } from "./settings-form.tsx";

const ENDPOINT_LABELS: Record<TextEndpoint, string> = {
  messages: "Messages",
  responses: "Responses",
  completions: "Completions",
};

/** The settings of the active column, and the code and the log of its last request. */
export function ParametersDock({ conversation, column }: { conversation: Conversation; column: Column }) {
  const dock = useDock("parameters");
  const { columns } = conversation;
  const isSheet = dock.state === "sheet";
  const { log, code } = useOpenLog(column);
  return (
    <>
      <DockHead side="parameters">
        <Button size="sm" data-command={code.id} onClick={code.run}>
          <Code aria-hidden className="size-4" />
          {playgroundCommands.code.label}
        </Button>
        <IconButton label={playgroundCommands.log.label} size="sm" data-command={log.id} onClick={log.run}>
          <ScrollText aria-hidden className="size-4" />
        </IconButton>
        <IconButton
          label={isSheet ? "Close parameters" : "Hide parameters"}
          size="sm"
          data-command={isSheet ? undefined : playgroundCommands.parameters.id}
          onClick={dock.close}
        >
          <PanelRightClose aria-hidden className="size-4 rtl:-scale-x-100" />
        </IconButton>
      </DockHead>
      {columns.length > 1 && (
        <p className="m-0 shrink-0 border-line border-b px-4 py-2 text-xs text-ink-3">
          For column {columns.findIndex(({ id }) => id === column.id) + 1},{" "}
          <span className="text-ink-2">{visibleLine(column.model) || "no model"}</span>
        </p>
      )}
      <SettingsForm
        key={`${column.id} ${column.endpoint}`}
        conversationId={conversation.id}
        column={column}
        top={
          <>
            <EndpointField conversationId={conversation.id} column={column} />
            <ModelField column={column} />
          </>
        }
      />
    </>
  );
}

function EndpointField({ conversationId, column }: { conversationId: string; column: Column }) {
  const { conversations } = useChat();
  const { id, model } = column;
  const switchTo = (endpoint: TextEndpoint) => {
    rememberModel({ endpoint, model });
    const patch = switchEndpoint(column, endpoint);
    conversations.dispatch(conversationId, { kind: "column-changed", columnId: id, patch });
  };
  return (
    <Field label="Endpoint" group errorless>
      {({ labelId }) => (
        <Segmented
          label="Endpoint"
          labelledBy={labelId}
          options={TEXT_ENDPOINTS.map((value) => ({ value, label: ENDPOINT_LABELS[value] }))}
          value={column.endpoint}
          onChange={switchTo}
          className="[&>label]:px-1 [&>label]:text-xs"
        />
      )}
    </Field>
  );
}

/** The model of a column with its price. A press opens the list of models. */
function ModelField({ column }: { column: Column }) {
  const { id, model } = column;
  const openDialog = useDialog();
  const command = useColumnCommand(column)(modelCommands.choose);
  const { data } = useQuery({ ...textModelQueries(useApi()).all(), enabled: model !== "" });
  const entry = data?.find((candidate) => candidate.id === model);
  const price = entry && readTextPrice(entry.raw);
  return (
    <Field
      label="Model"
      group
      errorless
      aside={<Kbd command={modelCommands.choose} />}
      hint={price && priceWords(price)}
    >
      {({ describedBy }) => (
        <button
          type="button"
          data-command={command.id}
          aria-label={`Model: ${visibleLine(model) || "none chosen"}`}
          aria-describedby={describedBy}
          onClick={() => openDialog({ kind: "model", columnId: id })}
          className={inputClass(
            "flex min-h-8.5 w-full cursor-pointer items-center gap-2 text-start pointer-coarse:min-h-11",
          )}
        >
          <span className="min-w-0 flex-1 truncate">{visibleLine(model) || modelCommands.choose.label}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-3" />
        </button>
      )}
    </Field>
  );
}
