import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Image, MessageSquareText, Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { visibleLine } from "#lib/visible-text.ts";
import { modelQueries, textModelQueries } from "#models/model-queries.ts";
import { filterOptions } from "#ui/combobox.tsx";
import { type Command, useCommandStore } from "#ui/command-store.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Kbd, shortcutLabel } from "#ui/shortcuts.tsx";

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Every act of the studio, and every model of both catalogues, in one list: type to narrow, arrows to move, Enter to act. */
export function CommandPalette({ open, onOpenChange }: CommandPaletteProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Commands" hideTitle atTop>
      <PaletteBody onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PaletteBody({ onDone }: { onDone: () => void }) {
  const listId = useId();
  const [query, setQuery] = useState("");
  const [activeIndex, setActiveIndex] = useState(0);
  const all = useCommandStore((state) => state.commands);
  const found = filterOptions(
    all.filter(({ id }) => id !== "palette").map((command) => ({ ...command, value: command.group })),
    query,
  );
  const models = useModelCommands(query);
  // What the screen itself offers comes first: it was added last.
  const groups = groupCommands([...found, ...models.commands]);
  const ordered = groups.flatMap((group) => group.commands);
  const active = ordered[activeIndex];

  function run(id: string) {
    onDone();
    // After the dialog has given the focus back, so that the act may move it.
    requestAnimationFrame(() => ordered.find((command) => command.id === id)?.run());
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "ArrowDown") setActiveIndex((activeIndex + 1) % Math.max(1, ordered.length));
    else if (event.key === "ArrowUp") setActiveIndex((activeIndex - 1 + ordered.length) % Math.max(1, ordered.length));
    else if (event.key === "Enter" && active) run(active.id);
    // The dialog leaves Escape to an open list, and this one never closes by itself.
    else if (event.key === "Escape") onDone();
    else return;
    event.preventDefault();
  }

  return (
    <div className="-mx-5 -mb-5">
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search aria-hidden="true" className="size-4 text-ink-3" />
        <input
          type="text"
          role="combobox"
          aria-label="Search commands"
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={active ? `${listId}-${active.id}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="An act or a model"
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActiveIndex(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-[14px] outline-none placeholder:text-ink-3"
        />
      </div>
      <CommandList id={listId} groups={groups} activeId={active?.id} onRun={run} />
      {ordered.length === 0 && (
        <p role="status" className="m-0 px-4 py-6 text-center text-ink-2">
          {models.failed ? "No command matches, and the models could not be read." : "No command and no model matches."}
        </p>
      )}
    </div>
  );
}

interface CommandListProps {
  id: string;
  groups: readonly CommandGroup[];
  activeId: string | undefined;
  onRun: (id: string) => void;
}

/** The list part of the palette. Focus stays in the text; `aria-activedescendant` names the active command. */
function CommandList({ id, groups, activeId, onRun }: CommandListProps) {
  const activeItem = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (activeId !== undefined) activeItem.current?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  return (
    <div id={id} role="listbox" aria-label="Commands" className="max-h-[min(420px,60dvh)] overflow-y-auto p-1.5">
      {groups.map((group) => (
        <fieldset key={group.name} aria-label={group.name} className="m-0 min-w-0 border-0 p-0 pb-1">
          <div aria-hidden="true" className="px-2.5 pt-2 pb-1 font-medium text-[11.5px] text-ink-3">
            {group.name}
          </div>
          {group.commands.map(({ id: commandId, label, keys, icon: Icon }) => (
            <div
              key={commandId}
              ref={commandId === activeId ? activeItem : undefined}
              id={`${id}-${commandId}`}
              role="option"
              tabIndex={-1}
              aria-selected={commandId === activeId}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onRun(commandId)}
              onKeyDown={(event) => event.key === "Enter" && onRun(commandId)}
              className={clsx(
                "flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 pointer-coarse:min-h-10",
                commandId === activeId ? "bg-hover text-ink" : "text-ink-2 hover:text-ink",
              )}
            >
              {Icon && <Icon aria-hidden="true" className="size-4 text-ink-3" />}
              <span className="flex-1">{label}</span>
              {keys && <Kbd keys={keys} />}
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

interface ShortcutHelpProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The keys that work on this screen now. */
export function ShortcutHelp({ open, onOpenChange }: ShortcutHelpProps) {
  const commands = useCommandStore((state) => state.commands);
  const groups = groupCommands(commands.filter(({ keys }) => keys));
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="Keyboard shortcuts"
      description="Single keys rest while you type in a field."
    >
      {groups.map((group) => (
        <section key={group.name} className="mt-2">
          <h3 className="m-0 py-1 font-medium text-[11.5px] text-ink-3">{group.name}</h3>
          <dl className="m-0">
            {group.commands.map(({ id, label, keys = "" }) => (
              <div key={id} className="flex items-center justify-between gap-4 py-1.5">
                <dt>{label}</dt>
                <dd className="m-0 rounded-[4px] border border-line-strong px-1.5 font-mono text-[11.5px] text-ink-2">
                  {shortcutLabel(keys)}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}

const SHORTEST = 2;
const MOST_EACH = 6;

/**
 * One search over both catalogues (spec 1): a generation model opens Create, a text model the playground. Nothing before
 * two letters. `failed` where a catalogue could not be read.
 */
function useModelCommands(query: string): { commands: Command[]; failed: boolean } {
  const api = useApi();
  const navigate = useNavigate();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const enabled = query.trim().length >= SHORTEST;
  const generation = useQuery({ ...modelQueries(api).ids(), enabled });
  const texts = useQuery({ ...textModelQueries(api).all(), enabled });
  if (!enabled) return { commands: [], failed: false };
  const fitting = (ids: readonly string[]) =>
    ids.filter((id) => words.every((word) => id.toLowerCase().includes(word))).slice(0, MOST_EACH);
  return {
    failed: generation.isError || texts.isError,
    commands: [
      ...fitting(generation.data ?? []).map((modelId) => ({
        id: `create-${modelId}`,
        label: visibleLine(modelId),
        group: "Generation models, in Create",
        icon: Image,
        run: () => void navigate({ to: "/create/$modelId", params: { modelId } }),
      })),
      ...fitting((texts.data ?? []).map(({ id }) => id)).map((model) => ({
        id: `ask-${model}`,
        label: visibleLine(model),
        group: "Text models, in Playground",
        icon: MessageSquareText,
        run: () => void navigate({ to: "/playground", search: { model } }),
      })),
    ],
  };
}

interface CommandGroup {
  name: string;
  commands: Command[];
}

/** Commands under their headings; headings and commands stay in the order in which they were first added. */
function groupCommands(commands: readonly Command[]): CommandGroup[] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups].map(([name, list]) => ({ name, commands: list }));
}
