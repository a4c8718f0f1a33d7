import { Ellipsis, PanelLeft, Plus } from "lucide-react";
import { type Conversation, createColumn, MOST_COLUMNS } from "#chat/conversation.ts";
import { visiblePath } from "#chat/thread.ts";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { Menu } from "#ui/menu.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { Pill } from "#ui/pill.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { useDesk } from "./chat-context.ts";
import { saveConversationFile } from "./save-conversation-file.ts";
import { useDialog } from "./use-dialog.ts";
import { useStartingModel } from "./use-starting-model.ts";

/** The line on top: which conversation, and what can be done with all of it. */
export function ConversationBar({ conversation }: { conversation: Conversation }) {
  const { shelf } = useDesk();
  const openDialog = useDialog();
  const isPhone = useIsPhone();
  const start = useStartingModel();
  const { columns, id } = conversation;
  const answers = columns.flatMap(({ thread }) => visiblePath(thread).filter(({ turn }) => turn.role === "assistant"));
  const newest = answers
    .map(({ turn }) => turn)
    .sort((a, b) => a.createdAtMs - b.createdAtMs)
    .at(-1);

  const addColumn = () => {
    const from = columns.at(-1);
    if (from) shelf.act(id, { kind: "column-added", column: createColumn(from) });
  };
  // A document keeps the log of its last continuation under the id of its column.
  const document = columns.find(({ isDocument }) => isDocument);
  const openWire = (tab: "wire" | "code") => openDialog({ kind: "wire", turnId: newest?.id ?? document?.id, tab });
  const startNew = (isTemporary: boolean) => {
    const first = columns[0];
    const asked = first ?? start;
    if (asked) shelf.start({ endpoint: asked.endpoint, model: asked.model }, { isTemporary });
  };

  const canAdd = columns.length < MOST_COLUMNS;
  const rare = [
    { label: "New temporary conversation", onSelect: () => startNew(true) },
    { label: "Export as JSON", onSelect: () => saveConversationFile(conversation, "json") },
    { label: "Export as Markdown", onSelect: () => saveConversationFile(conversation, "md") },
    { label: "Compare what was measured", onSelect: () => openDialog({ kind: "compare" }) },
  ];
  const onPhone = [
    { label: "New conversation", onSelect: () => startNew(false) },
    { label: "Wire", onSelect: () => openWire("wire") },
    { label: "Code", onSelect: () => openWire("code") },
    { label: "Add column", onSelect: addColumn, disabled: !canAdd },
  ];
  return (
    <PageBar title={isPhone ? shortened(conversation.title) : conversation.title}>
      {conversation.isTemporary && <Pill>Temporary, not kept</Pill>}
      <IconButton label="Conversations" onClick={() => openDialog({ kind: "conversations" })}>
        <PanelLeft aria-hidden className="size-4" />
      </IconButton>
      {!isPhone && (
        <>
          <IconButton label="New conversation" onClick={() => startNew(false)}>
            <Plus aria-hidden className="size-4" />
          </IconButton>
          <Button size="sm" onClick={() => openWire("wire")}>
            Wire
          </Button>
          <Button size="sm" onClick={() => openWire("code")}>
            Code
          </Button>
          <Button size="sm" aria-disabled={!canAdd} onClick={addColumn}>
            Add column
          </Button>
        </>
      )}
      <Menu label="More" icon={Ellipsis} align="end" items={isPhone ? [...onPhone, ...rare] : rare} />
    </PageBar>
  );
}

/** A long title would push the buttons of a phone onto a line of their own. */
function shortened(title: string): string {
  return title.length <= 28 ? title : `${title.slice(0, 27).trimEnd()}…`;
}
