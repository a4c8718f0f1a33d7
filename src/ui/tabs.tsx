import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useId } from "react";
import { indexAfterKey } from "./list-keys.ts";

interface TabsProps<T extends string> extends Omit<TabListProps<T>, "idBase"> {
  panelClassName?: string | undefined;
  /** The content of the chosen tab. */
  children: ReactNode;
}

/** Tabs and the panel of the chosen one. */
export function Tabs<T extends string>({ children, panelClassName, ...list }: TabsProps<T>) {
  const idBase = useId();
  return (
    <>
      <TabList {...list} idBase={idBase} />
      <div
        role="tabpanel"
        id={panelId(idBase, list.value)}
        aria-labelledby={tabId(idBase, list.value)}
        className={panelClassName}
      >
        {children}
      </div>
    </>
  );
}

interface TabOption<T extends string> {
  value: T;
  label: string;
}

interface TabListProps<T extends string> {
  /** The accessible name of the row of tabs. */
  label: string;
  /** Ids are made from it: `tabId` and `panelId` give those of one value. */
  idBase: string;
  tabs: readonly TabOption<T>[];
  value: T;
  onChange: (value: T) => void;
  className?: string | undefined;
}

const tabId = (idBase: string, value: string) => `${idBase}-tab-${value}`;
const panelId = (idBase: string, value: string) => `${idBase}-panel-${value}`;

/** A row of tabs with one tab stop; arrows, Home and End move and choose (the ARIA tabs pattern). */
function TabList<T extends string>(props: TabListProps<T>) {
  const { idBase, tabs, value, onChange } = props;
  function onKeyDown(event: KeyboardEvent) {
    const index = tabs.findIndex((tab) => tab.value === value);
    const target = indexAfterKey(event.key, index, tabs.length, { isHorizontal: true, wraps: true, pageItems: 0 });
    const next = target === undefined ? undefined : tabs[target];
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    document.getElementById(tabId(idBase, next.value))?.focus();
  }
  return (
    <div
      role="tablist"
      aria-label={props.label}
      onKeyDown={onKeyDown}
      tabIndex={-1}
      className={clsx("flex rounded-sm border border-line bg-well p-0.5", props.className)}
    >
      {tabs.map((tab) => (
        <button
          key={tab.value}
          id={tabId(idBase, tab.value)}
          type="button"
          role="tab"
          aria-selected={tab.value === value}
          aria-controls={tab.value === value ? panelId(idBase, tab.value) : undefined}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
          className={clsx(
            "min-h-7 flex-1 cursor-pointer rounded-sm px-2 text-sm text-ink-2 transition-[background-color,color] duration-150",
            "hover:text-ink aria-selected:font-medium aria-selected:text-ink pointer-coarse:min-h-11",
            "aria-selected:bg-selected aria-selected:shadow-selected",
          )}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
