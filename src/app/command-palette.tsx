import { Search } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import { useCommandStore } from "#ui/command-store.ts";
import { Dialog } from "#ui/dialog.tsx";
import { filterOptions } from "#ui/filter-options.ts";
import { CommandList } from "./command-list.tsx";
import { groupCommands } from "./group-commands.ts";
import { useModelCommands } from "./model-commands.ts";

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
