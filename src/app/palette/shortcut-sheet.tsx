import { useLocation } from "@tanstack/react-router";
import { useId, useState } from "react";
import { SearchTerms } from "#history/search-help.tsx";
import { Button } from "#ui/button.tsx";
import { Switch } from "#ui/checkbox.tsx";
import { useCommandStore } from "#ui/command-store.ts";
import { type CommandInfo, PLACES, type Place } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import { resetAllKeys, setSingleKeys, useKeyChoices } from "#ui/key-choices.ts";
import { Segmented } from "#ui/segmented.tsx";
import { commandsIn, KEYED_COMMANDS } from "./all-commands.ts";
import type { CommandPlace } from "./press-keys.ts";
import { ShortcutRow } from "./shortcut-row.tsx";

interface ShortcutSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Where the person was when it was opened. */
  place: CommandPlace;
}

/** All keys of the place or of the whole studio. Each can be changed, taken away and set back; one switch rests the letters. */
export function ShortcutSheet({ open, onOpenChange, place }: ShortcutSheetProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="sm" atTop title="Keyboard shortcuts">
      <SheetBody place={place} />
    </Dialog>
  );
}

function SheetBody({ place }: { place: CommandPlace }) {
  const here = usePlace(place);
  const [shown, setShown] = useState<"here" | "all">(here === undefined ? "all" : "here");
  const [changingId, setChangingId] = useState<string>();
  const { changed, singleKeys } = useKeyChoices();
  const switchId = useId();
  const offered = useCommandStore(({ commands }) => commands);
  // In a window such as the viewer only what it offers now is listed: of a picture no keys of a player.
  const canAct = ({ id, isEverywhere }: CommandInfo) =>
    isEverywhere || here !== place.layer || offered.some((one) => one.layer === here && one.id === id);
  const entries = shown === "here" ? commandsIn(here).filter(canAct) : KEYED_COMMANDS;
  const count = KEYED_COMMANDS.filter(({ id, keys = "" }) => Object.hasOwn(changed, id) && changed[id] !== keys).length;
  return (
    <>
      <div className="flex flex-col gap-3 border-line border-b pb-3">
        {here !== undefined && (
          <Segmented
            label="Which shortcuts"
            options={[
              { value: "here", label: PLACES[here] },
              { value: "all", label: "All" },
            ]}
            value={shown}
            onChange={setShown}
          />
        )}
        <div className="flex items-center gap-3">
          <div className="min-w-0 flex-1">
            <label htmlFor={switchId} className="font-medium">
              Single-key shortcuts
            </label>
            <p id={`${switchId}-hint`} className="m-0 text-[12px] text-ink-3 leading-[17px]">
              One letter without Ctrl or ⌘, such as D. They are off while you type.
            </p>
          </div>
          <Switch
            id={switchId}
            aria-describedby={`${switchId}-hint`}
            checked={singleKeys}
            onChange={(event) => setSingleKeys(event.currentTarget.checked)}
          />
        </div>
      </div>
      {groupsOf(entries, shown === "all").map(([name, list]) => (
        <section key={name} aria-label={name} className="-mx-2.5 mt-2">
          <h3 className="m-0 px-2.5 py-1 font-medium text-[11.5px] text-ink-3">{name}</h3>
          <ul className="m-0 list-none p-0">
            {list.map((entry) => (
              <ShortcutRow
                key={entry.id}
                entry={entry}
                isChanging={changingId === entry.id}
                onChanging={(isChanging) => setChangingId(isChanging ? entry.id : undefined)}
              />
            ))}
          </ul>
        </section>
      ))}
      <details className="mt-3">
        <summary className="flex min-h-8 cursor-pointer items-center font-medium text-[12.5px] pointer-coarse:min-h-11">
          Search in History and Commands
        </summary>
        <div className="pt-1">
          <SearchTerms />
        </div>
      </details>
      <div className="sticky -bottom-5 -mx-5 mt-3 -mb-5 short:bottom-0 flex min-h-11 items-center justify-between gap-3 border-line border-t bg-panel px-5 text-[12.5px] text-ink-3">
        <span role="status">{count === 0 ? "No shortcut changed" : `${count} changed`}</span>
        <Button size="sm" variant="ghost" aria-disabled={count === 0} onClick={resetAllKeys}>
          Reset all
        </Button>
      </div>
    </>
  );
}

/** Under the name of their place too where several places are listed, if they have one alone. */
function groupsOf(entries: readonly CommandInfo[], isAll: boolean): [string, CommandInfo[]][] {
  const groups = new Map<string, CommandInfo[]>();
  for (const entry of entries) {
    const [place, ...others] = entry.places;
    const isNamed = isAll && place !== undefined && others.length === 0 && PLACES[place] !== entry.group;
    const name = isNamed ? `${PLACES[place]}: ${entry.group}` : entry.group;
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [...groups];
}

/** The place of the person: a window such as the viewer, else the screen that the address names. */
function usePlace({ layer }: CommandPlace): Place | undefined {
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (layer !== undefined && isPlace(layer)) return layer;
  const name = path.split("/")[1] ?? "";
  return name === "jobs" ? "job" : isPlace(name) ? name : undefined;
}

const isPlace = (name: string): name is Place => Object.hasOwn(PLACES, name);
