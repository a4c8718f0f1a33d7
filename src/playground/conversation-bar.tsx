import {
  ChartNoAxesColumn,
  Columns2,
  Download,
  Ellipsis,
  EyeOff,
  Folder,
  MessagesSquare,
  SlidersHorizontal,
  Trophy,
} from "lucide-react";
import { visibleLine } from "#lib/visible-text.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { useProjects } from "#runs/ledger/use-ledger.ts";
import { useChat } from "#text/chat.ts";
import { isBlind, shuffled } from "#text/conversations/blind-comparison.ts";
import { type Column, type Conversation, copyColumn, isBlank, MAX_COLUMNS } from "#text/conversations/conversation.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { type Command, useCommands } from "#ui/commands.ts";
import { Pill } from "#ui/indicators.tsx";
import { Menu } from "#ui/menu.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { playgroundCommands } from "./commands.ts";
import { useConversationActs } from "./conversations/conversation-acts.ts";
import {
  type ExportKind,
  exportMarkdown,
  exportName,
  exportWithPictures,
} from "./conversations/conversation-export.ts";
import { useDock } from "./docks.tsx";
import { useDialog } from "./use-dialog.ts";

/** The bar at the top: the title, the project, and the actions on the whole chat. */
export function ConversationBar({ conversation, active }: { conversation: Conversation; active: Column | undefined }) {
  const { conversations, accountId } = useChat();
  const openDialog = useDialog();
  const isPhone = useIsPhone();
  const list = useDock("conversations");
  const parameters = useDock("parameters");
  const { all } = useProjects();
  const actsOf = useConversationActs();
  const { columns, id, blind, projectId, isTemporary } = conversation;
  const isHidden = isBlind(conversation);
  const project = all.find((candidate) => candidate.id === projectId && !candidate.isDeleted);
  const voteFirst = isHidden ? { unavailable: "Vote on the responses first" } : {};
  const addColumn = () => {
    const from = active ?? columns.at(-1);
    if (from) conversations.dispatch(id, { kind: "column-added", column: copyColumn(from) });
  };
  const save = (kind: ExportKind) => void saveConversationFile(accountId, conversation, kind);
  const add: Command = {
    ...playgroundCommands.addColumn,
    icon: Columns2,
    ...(columns.length < MAX_COLUMNS ? voteFirst : { unavailable: `Up to ${MAX_COLUMNS} columns` }),
    run: addColumn,
  };
  const exports: Command[] = [
    {
      ...playgroundCommands.exportJson,
      icon: Download,
      ...voteFirst,
      run: () => save("json"),
    },
    {
      ...playgroundCommands.exportMarkdown,
      icon: Download,
      ...voteFirst,
      run: () => save("md"),
    },
  ];
  const compare: Command = {
    ...playgroundCommands.compare,
    icon: EyeOff,
    detail: "Hides the models until you vote",
    ...(columns.length < 2 ? { unavailable: "Add a column first" } : {}),
    run: () => conversations.dispatch(id, { kind: "blind-changed", blind: shuffled(columns) }),
  };
  const metrics: Command = {
    ...playgroundCommands.metrics,
    icon: ChartNoAxesColumn,
    ...voteFirst,
    run: () => openDialog({ kind: "compare" }),
  };
  const scores: Command = {
    ...playgroundCommands.scores,
    icon: Trophy,
    run: () => openDialog({ kind: "scores" }),
  };
  const conversationActs = (isBlank(conversation) ? [] : actsOf(conversation)).map(
    ({ name, label, icon, danger, run }) => ({
      ...playgroundCommands[name],
      label,
      icon,
      danger,
      run,
    }),
  );
  const comparisonActs: Command[] = [
    ...(blind === undefined ? [compare] : []),
    metrics,
    ...(blind === undefined ? [scores] : []),
  ];
  const inMenu: readonly (Command & { danger?: boolean | undefined })[] = [
    ...(isPhone ? [add, ...exports] : []),
    ...conversationActs.filter(({ danger }) => !danger),
    ...comparisonActs,
    ...conversationActs.filter(({ danger }) => danger),
  ];
  useCommands([...conversationActs, ...comparisonActs, add, ...exports]);
  return (
    <PageBar
      title={isPhone ? shortened(conversation.title) : visibleLine(conversation.title)}
      isCut
      start={
        list.state !== "docked" && (
          <IconButton
            label={playgroundCommands.list.label}
            size="sm"
            data-command={playgroundCommands.list.id}
            onClick={list.open}
          >
            <MessagesSquare aria-hidden className="size-4" />
          </IconButton>
        )
      }
      beside={
        <>
          {project && (
            <Pill className="max-w-[14rem] gap-1.5">
              <Folder aria-label="Project" className="size-3 shrink-0" />
              <span className="truncate">{visibleLine(project.name)}</span>
            </Pill>
          )}
          {isTemporary && <Pill>Temporary, not saved</Pill>}
        </>
      }
    >
      {!isPhone && (
        <>
          <Button
            size="sm"
            data-command={add.id}
            aria-disabled={add.unavailable !== undefined}
            title={add.unavailable ?? "Copies the active column"}
            onClick={add.run}
          >
            {add.label}
          </Button>
          <Menu
            label="Export"
            size="sm"
            align="end"
            items={exports.map((command) => ({
              label: command.label,
              icon: Download,
              command,
              disabled: command.unavailable !== undefined,
              onSelect: command.run,
            }))}
          />
        </>
      )}
      <Menu
        label="More"
        icon={Ellipsis}
        size="sm"
        align="end"
        items={inMenu.map((command) => ({
          label: command.label,
          icon: command.icon,
          command,
          danger: command.danger,
          disabled: command.unavailable !== undefined,
          onSelect: command.run,
        }))}
      />
      {parameters.state !== "docked" && (
        <IconButton
          label={playgroundCommands.parameters.label}
          size="sm"
          data-command={playgroundCommands.parameters.id}
          onClick={parameters.open}
        >
          <SlidersHorizontal aria-hidden className="size-4" />
        </IconButton>
      )}
    </PageBar>
  );
}

/** A title for a phone: a longer one would push the buttons onto a second line. */
function shortened(title: string): string {
  const line = visibleLine(title);
  return line.length <= 28 ? line : `${line.slice(0, 27).trimEnd()}…`;
}

/** Downloads a chat: all of it as JSON, or the shown versions as Markdown. */
async function saveConversationFile(accountId: string, conversation: Conversation, kind: ExportKind): Promise<void> {
  const text = kind === "json" ? await exportWithPictures(accountId, conversation) : exportMarkdown(conversation);
  const type = kind === "json" ? "application/json" : "text/markdown";
  saveBlob(new Blob([text], { type }), exportName(conversation, kind));
}
