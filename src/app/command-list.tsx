import { clsx } from "clsx";
import { useEffect, useRef } from "react";
import { Kbd } from "#ui/kbd.tsx";
import type { CommandGroup } from "./group-commands.ts";

interface CommandListProps {
  id: string;
  groups: readonly CommandGroup[];
  activeId: string | undefined;
  onRun: (id: string) => void;
}

/** The list part of the palette. Focus stays in the text; the active command is told by its id. */
export function CommandList({ id, groups, activeId, onRun }: CommandListProps) {
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
