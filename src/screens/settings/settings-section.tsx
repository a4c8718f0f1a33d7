import { type ReactNode, useId } from "react";

interface SettingsSectionProps {
  title: string;
  /** What this part is about, in a sentence. */
  lead?: ReactNode;
  children: ReactNode;
}

/** One part of the settings: its name on the left of a wide window, its controls on the right. */
export function SettingsSection({ title, lead, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-8 gap-y-3 border-line border-b py-6 last:border-0 lg:grid-cols-[220px_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="m-0 font-semibold text-[13.5px]">
          {title}
        </h2>
        {lead && <p className="m-0 mt-1 text-[12.5px] text-ink-3 leading-[18px]">{lead}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
