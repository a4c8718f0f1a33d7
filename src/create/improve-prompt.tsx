import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Sparkles } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { useApi } from "#connection/client.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { toast } from "#ui/toast-store.ts";
import { createCommands } from "./commands.ts";

// Loaded when needed, because it brings the client of the text endpoints.
const ImproveDialog = lazyPart(() => import("./improve/improve-dialog.tsx").then((module) => module.ImproveDialog));

/** Lets a text model rewrite the prompt. The change is shown first, and can be undone. */
export function ImprovePrompt({ form, promptKey }: { form: FormHandle; promptKey: string }) {
  const written = useSyncExternalStore(form.subscribe, () => {
    const payload = form.getPayload();
    return Object.hasOwn(payload, promptKey) ? payload[promptKey] : undefined;
  });
  const prompt = typeof written === "string" ? written : "";
  const onChange = (next: string) => form.setPayload({ ...form.getPayload(), [promptKey]: next });
  const [isOpen, setIsOpen] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const models = useQuery({ ...textModelQueries(useApi()).all(), enabled: isAsked });
  const open = () => {
    setIsAsked(true);
    setIsOpen(true);
  };
  useCommands([
    {
      ...createCommands.improve,
      icon: Sparkles,
      run: open,
      unavailable: prompt.trim() === "" ? "Enter a prompt first" : undefined,
    },
  ]);
  const use = (better: string) => {
    onChange(better);
    setIsOpen(false);
    toast({ title: "Prompt replaced", action: { label: "Undo", onAct: () => onChange(prompt) } });
  };
  return (
    <>
      {/* Without a prompt it is invisible, not absent, so that the first letter moves nothing. */}
      <Button
        size="sm"
        variant="ghost"
        aria-label={createCommands.improve.label}
        className={clsx("-my-1", prompt.trim() === "" && !isOpen && "invisible")}
        data-command={createCommands.improve.id}
        onClick={open}
      >
        <Sparkles aria-hidden className="size-3.5" />
        Improve
      </Button>
      {isAsked && <ImproveDialog open={isOpen} onOpenChange={setIsOpen} models={models} prompt={prompt} onUse={use} />}
    </>
  );
}
