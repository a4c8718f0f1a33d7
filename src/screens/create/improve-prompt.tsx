import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { WandSparkles } from "lucide-react";
import { lazy, useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { textModelQueries } from "#models/model-queries.ts";
import { Button } from "#ui/button.tsx";
import { OnDemand } from "#ui/on-demand.tsx";
import { toast } from "#ui/toast-store.ts";

const ImproveDialog = lazy(() =>
  import("#chat/improve/improve-dialog.tsx").then((module) => ({ default: module.ImproveDialog })),
);

/** Lets a text model rewrite the prompt. The change is shown first, and can be undone. */
export function ImprovePrompt({ prompt, onChange }: { prompt: string; onChange: (prompt: string) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const models = useQuery({ ...textModelQueries(useApi()).all(), enabled: isAsked });
  const use = (better: string) => {
    onChange(better);
    setIsOpen(false);
    toast({ title: "Prompt replaced", action: { label: "Undo", onAct: () => onChange(prompt) } });
  };
  return (
    // In the gap above the form, and there before it is seen: the first letter of a prompt moves nothing.
    <div className="relative h-0">
      <Button
        size="sm"
        variant="ghost"
        className={clsx("absolute right-0 -translate-y-1/2", prompt.trim() === "" && !isOpen && "invisible")}
        onClick={() => {
          setIsAsked(true);
          setIsOpen(true);
        }}
      >
        <WandSparkles aria-hidden className="size-4" />
        Improve this prompt
      </Button>
      <OnDemand when={isOpen}>
        <ImproveDialog open={isOpen} onOpenChange={setIsOpen} models={models} prompt={prompt} onUse={use} />
      </OnDemand>
    </div>
  );
}
