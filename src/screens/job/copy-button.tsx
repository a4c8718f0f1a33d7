import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { toast } from "#ui/toast-store.ts";

/** Copies a text. Says so on itself, and where the browser refuses, as a toast. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      toast({
        title: "The browser did not allow copying",
        body: "Select the text and copy it by hand.",
        tone: "error",
      });
    }
  }
  return (
    <IconButton
      label={isCopied ? "Copied" : label}
      size="sm"
      onClick={() => void copy()}
      onBlur={() => setIsCopied(false)}
    >
      {isCopied ? <Check aria-hidden className="size-3.5" /> : <Copy aria-hidden className="size-3.5" />}
    </IconButton>
  );
}
