import { Copy } from "lucide-react";
import { useId } from "react";
import { IconButton } from "./button.tsx";
import { toast } from "./toast-store.ts";

/** A longer block scrolls. */
const MAX_ROWS = 18;

/**
 * A named block of code that scrolls on its own and can be copied. A text area, because only a control scrolls by the
 * keyboard everywhere.
 */
export function CodeBlock({ text, label, note }: { text: string; label: string; note?: string }) {
  const id = useId();
  return (
    <div className="overflow-hidden rounded-md border border-line bg-well focus-within:border-line-strong">
      <div className="flex min-h-9 items-center gap-2 border-line border-b ps-3 pe-1 text-xs">
        <label htmlFor={id} className="min-w-0 wrap-anywhere font-medium text-ink">
          {label}
        </label>
        {note && <span className="truncate text-ink-3 tabular-nums">{note}</span>}
        <span className="ms-auto">
          <IconButton label={`Copy: ${label}`} size="sm" onClick={() => void copyText(text)}>
            <Copy aria-hidden className="size-3.5" />
          </IconButton>
        </span>
      </div>
      <textarea
        id={id}
        readOnly
        rows={Math.min(MAX_ROWS, text.split("\n").length)}
        wrap="off"
        spellCheck={false}
        value={text}
        className="-outline-offset-2 block w-full resize-none bg-transparent px-3 py-2.5 font-mono text-xs text-ink leading-relaxed"
      />
    </div>
  );
}

/** Copies a text and announces it in a toast, because nothing else on the screen changes. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: "Copied" });
  } catch {
    toast({
      title: "Couldn’t copy",
      body: "Select the text and copy it yourself.",
      tone: "error",
    });
  }
}
