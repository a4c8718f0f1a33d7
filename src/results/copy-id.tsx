import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { CommandButton } from "#ui/command-button.tsx";
import { toast } from "#ui/toast-store.ts";
import { jobCommands } from "./commands.ts";

/** A button that copies the id of a job. It says so on itself, or shows a toast where the browser refuses. */
export function CopyId({ requestId, isIcon = false }: { requestId: string; isIcon?: boolean }) {
  const [isCopied, setIsCopied] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(requestId);
      setIsCopied(true);
    } catch {
      toast({
        title: "Couldn’t copy",
        body: "Select the text and copy it yourself.",
        tone: "error",
      });
    }
  }
  const command = { ...jobCommands.copyId, icon: isCopied ? Check : Copy, run: () => void copy() };
  const word = isCopied ? "Copied" : command.label;
  return (
    <CommandButton
      variant="ghost"
      size={isIcon ? "sm" : undefined}
      isIcon={isIcon}
      title={command.label}
      command={isIcon ? { ...command, label: word } : command}
      onBlur={() => setIsCopied(false)}
    >
      {/* A narrow pane shows the icon alone. */}
      <span className="@max-2xl:sr-only">{word}</span>
    </CommandButton>
  );
}
