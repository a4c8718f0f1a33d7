import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { WandSparkles } from "lucide-react";
import { lazy, useState, useSyncExternalStore } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { textModelQueries } from "#models/model-queries.ts";
import type { FormStore } from "#schema-form/form/form-store.ts";
import { Button } from "#ui/button.tsx";
import { OnDemand } from "#ui/on-demand.tsx";
import { toast } from "#ui/toast-store.ts";

const ImproveDialog = lazy(() =>
  import("#chat/improve/improve-dialog.tsx").then((module) => ({ default: module.ImproveDialog })),
);

/** Lets a text model rewrite the prompt. The change is shown first, and can be undone. */
export function ImprovePrompt({ store, promptKey }: { store: FormStore; promptKey: string }) {
  const written = useSyncExternalStore(store.subscribe, () => {
    const payload = store.getPayload();
    return Object.hasOwn(payload, promptKey) ? payload[promptKey] : undefined;
  });
  const prompt = typeof written === "string" ? written : "";
  const onChange = (next: string) => store.setPayload({ ...store.getPayload(), [promptKey]: next });
  const [isOpen, setIsOpen] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const models = useQuery({ ...textModelQueries(useApi()).all(), enabled: isAsked });
  const use = (better: string) => {
    onChange(better);
    setIsOpen(false);
    toast({ title: "Prompt replaced", action: { label: "Undo", onAct: () => onChange(prompt) } });
  };
  return (
    <>
      {/* There before it is seen: the first letter of a prompt moves nothing. */}
      <Button
        size="sm"
        variant="ghost"
        aria-label="Improve this prompt"
        className={clsx("-my-1", prompt.trim() === "" && !isOpen && "invisible")}
        onClick={() => {
          setIsAsked(true);
          setIsOpen(true);
        }}
      >
        <WandSparkles aria-hidden className="size-3.5" />
        Improve
      </Button>
      <OnDemand when={isOpen}>
        <ImproveDialog open={isOpen} onOpenChange={setIsOpen} models={models} prompt={prompt} onUse={use} />
      </OnDemand>
    </>
  );
}
