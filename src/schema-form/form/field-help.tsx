import { lazy, Suspense } from "react";
import { Button } from "#ui/button.tsx";
import { buttonClass } from "#ui/button-class.ts";
import { HelpIcon } from "#ui/help-icon.tsx";
import type { Field } from "../read/field.ts";

const SafeMarkdown = lazy(() =>
  import("./safe-markdown.tsx").then(
    (module) => ({ default: module.SafeMarkdown }),
    () => ({ default: ({ text }: { text: string }) => <span>{text}</span> }),
  ),
);

const toggleClass = buttonClass({ variant: "ghost", size: "sm", square: true });

/** The button beside a label that opens its help: an icon button, written out because every row has one. */
export function HelpToggle({ label, isOpen, onToggle }: { label: string; isOpen: boolean; onToggle: () => void }) {
  const name = `About ${label}`;
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      aria-expanded={isOpen}
      onClick={onToggle}
      className={toggleClass}
    >
      <HelpIcon />
    </button>
  );
}

/** A field's help in the listing's own words, its key, and a way to send null where that is allowed. */
export function HelpText({ field, onNull }: { field: Field; onNull: () => void }) {
  return (
    <span className="flex flex-col items-start gap-1.5 pb-1.5">
      {field.help && (
        <Suspense fallback={<span>{field.help}</span>}>
          <SafeMarkdown text={field.help} />
        </Suspense>
      )}
      <span>
        Sent as <code className="font-mono text-[11.5px] text-ink-2">{field.key || '""'}</code>
        {field.defaultValue !== undefined && <> · default {JSON.stringify(field.defaultValue).slice(0, 60)}</>}
      </span>
      {field.nullable && field.kind !== "choice" && (
        <Button variant="outline" size="sm" onClick={onNull}>
          Send null
        </Button>
      )}
    </span>
  );
}
