import { type ReactNode, useId } from "react";
import { panelId, TabList, type TabListProps, tabId } from "./tab-list.tsx";

export interface TabsProps<T extends string> extends Omit<TabListProps<T>, "idBase"> {
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
