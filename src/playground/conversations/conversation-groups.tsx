import { ChevronDown, Folder } from "lucide-react";
import { useState } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { ConversationRow } from "./conversation-row.tsx";
import type { ConversationGroup } from "./group-conversations.ts";

/** The parts of the list. What a person folded stays so while the page lives; the open conversation's part is open. */
const folded = new Map<string, boolean>();

export function ConversationGroups({
  groups,
  currentId,
}: {
  groups: readonly ConversationGroup[];
  currentId: string | undefined;
}) {
  const firstProject = groups.findIndex(({ kind }) => kind === "project");
  return groups.map((group, index) => (
    <div key={group.id}>
      {index === firstProject && <h3 className={HEADING}>Projects</h3>}
      <Group group={group} currentId={currentId} />
    </div>
  ));
}

const HEADING = "m-0 flex min-h-[26px] items-center px-2 pt-3 pb-1 font-medium text-[11.5px] text-ink-3";

/** Rows that are drawn at first, and with each press on the button below them. */
const FIRST = 60;
const STEP = 200;

function Group({ group, currentId }: { group: ConversationGroup; currentId: string | undefined }) {
  const { id, title, kind, conversations } = group;
  const [choice, setChoice] = useState(() => folded.get(id));
  const [shown, setShown] = useState(FIRST);
  const holdsCurrent = conversations.some((one) => one.id === currentId);
  const isOpen = choice === undefined ? !group.isFolded || holdsCurrent : !choice;
  const toggle = () => {
    folded.set(id, isOpen);
    setChoice(isOpen);
  };
  const isProject = kind === "project";
  const rest = conversations.length - shown;
  const Sign = isProject ? Folder : ChevronDown;
  const head = (
    <button
      type="button"
      data-group
      aria-expanded={isOpen}
      onClick={toggle}
      className={
        isProject
          ? "flex min-h-[30px] w-full cursor-pointer items-center gap-2 rounded-sm px-2 text-start text-[13px] text-ink-2 hover:bg-raised hover:text-ink pointer-coarse:min-h-11"
          : "flex min-h-6 w-full cursor-pointer items-center gap-1.5 rounded-sm px-1 text-start font-medium text-[11.5px] text-ink-3 hover:text-ink pointer-coarse:min-h-11"
      }
    >
      <Sign
        aria-hidden
        className={
          isProject
            ? "size-3.5 shrink-0 text-ink-3"
            : `size-3 shrink-0 transition-transform duration-150 ${isOpen ? "" : "-rotate-90 rtl:rotate-90"}`
        }
      />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {visibleLine(title)}
      </span>
      {(isProject || !isOpen) && (
        <span className="text-[11.5px] text-ink-3 tabular-nums">{conversations.length.toLocaleString("en-US")}</span>
      )}
    </button>
  );
  return (
    <>
      {isProject ? head : <h3 className="m-0 px-1 pt-3 pb-0.5">{head}</h3>}
      {isOpen && (
        <ol
          aria-label={visibleLine(title)}
          className={`m-0 flex list-none flex-col gap-px p-0 ${isProject ? "ms-3.5 border-line border-s ps-1" : ""}`}
        >
          {conversations.slice(0, shown).map((summary) => (
            <ConversationRow
              key={summary.id}
              summary={summary}
              isCurrent={summary.id === currentId}
              isOfDay={id === "today" || id === "yesterday"}
            />
          ))}
          {rest > 0 && (
            <li>
              <Button size="sm" variant="ghost" onClick={() => setShown(shown + STEP)}>
                Show more ({rest.toLocaleString("en-US")})
              </Button>
            </li>
          )}
        </ol>
      )}
    </>
  );
}
