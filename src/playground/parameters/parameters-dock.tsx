import { Code, PanelRightClose, ScrollText } from "lucide-react";
import { TEXT_ENDPOINTS, type TextEndpoint } from "#api/text/text-types.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useChat } from "#text/chat.ts";
import { type Column, type Conversation, switchEndpoint } from "#text/conversations/conversation.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Field } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { playgroundCommands } from "../commands.ts";
import { DockHead } from "../dock-frame.tsx";
import { useOpenLog } from "../open-log.ts";
import { rememberModel } from "../starting-model.ts";
import { useDock } from "../use-docks.ts";
import { ModelField } from "./model-field.tsx";
import { SettingsForm } from "./settings-form.tsx";

const ENDPOINT_LABELS: Record<TextEndpoint, string> = {
  messages: "Messages",
  responses: "Responses",
  completions: "Completions",
};

/** Everything that the active column sends beside the messages, and the code and the log of its last request. */
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
          Code
        </Button>
        <IconButton label="Request log" size="sm" data-command={log.id} onClick={log.run}>
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
        <p className="m-0 shrink-0 border-line border-b px-4 py-2 text-[12px] text-ink-3">
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
          className="[&>label]:px-1 [&>label]:text-[12px]"
        />
      )}
    </Field>
  );
}
