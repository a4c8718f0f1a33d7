import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { newGroup, roomProblem, withGroup } from "#batch/rows/group-runs.ts";
import type { ItemView } from "#batch/runner/batch-views.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { toast } from "#ui/toast-store.ts";
import { useBatchDocument } from "../batch-document.ts";
import { hasSeed, newSeedRuns, newTextRuns, sharedPrompt } from "./vary-runs.ts";

interface VaryDialogProps {
  /** The results in the order of the table. */
  results: readonly ItemView[];
  onClose: () => void;
}

interface VaryForm {
  way: "seeds" | "text";
  count: string;
  text: string;
}

/** New runs for each result. */
const MAX_EACH = 16;
const WAYS = [
  { value: "seeds", label: "New seeds" },
  { value: "text", label: "Other prompts" },
] as const;

/** Makes variations of chosen results: new rows with the same settings and other seeds or prompts, as drafts. */
export function VaryDialog({ results, onClose }: VaryDialogProps) {
  const { batch, schemas, edit } = useBatchDocument();
  const navigate = useNavigate();
  const formId = useId();
  const items = results.map(({ item }) => item);
  const shared = sharedPrompt(items, schemas);
  const { control, register, handleSubmit } = useForm<VaryForm>({
    defaultValues: { way: "seeds", count: "4", text: shared?.replace(/[{}|]/g, "\\$&") ?? "" },
  });
  const { way, count: typedCount, text } = useWatch({ control }) as VaryForm;
  const number = /^\d{1,2}$/.test(typedCount.trim()) ? Number(typedCount) : 0;
  const isCountValid = number >= 1 && number <= MAX_EACH;
  const made =
    way === "text"
      ? newTextRuns(items, schemas, text, shared === undefined ? "append" : "replace")
      : isCountValid
        ? newSeedRuns(items, schemas, number)
        : { runs: [], problem: `Enter a whole number from 1 to ${MAX_EACH}` };
  const problem = made.problem ?? (text.trim() === "" && way === "text" ? "Enter a prompt first" : undefined);
  const full = problem === undefined ? roomProblem(batch, undefined, made.runs.length) : undefined;
  const seedless = items.filter((item) => !hasSeed(item, schemas)).length;
  const count = made.runs.length;
  const runs = counted(count, "run");
  const canAdd = problem === undefined && full === undefined && made.runs.length > 0;

  function add() {
    if (!canAdd) return;
    const name = `Variations of ${counted(results.length, "result")}`;
    const group = newGroup(name, "runs");
    edit((current) => withGroup(current, group, made.runs));
    toast({ title: `${runs} added`, body: "They are at the end of the table. Nothing runs yet." });
    onClose();
    void navigate({ to: "/batch/$batchId", params: { batchId: batch.id }, search: {} });
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Create variations of ${counted(results.length, "result")}`}
      description="New runs with the same settings. They are added to the table as drafts."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" aria-disabled={!canAdd}>
            {canAdd ? `Add ${runs}` : "Add runs"}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={handleSubmit(add)} className="flex flex-col gap-3">
        <Controller
          control={control}
          name="way"
          render={({ field }) => (
            <Segmented label="Vary" options={WAYS} value={field.value} onChange={field.onChange} />
          )}
        />
        {way === "seeds" ? (
          <Field
            label="Variations per result"
            note={`1 to ${MAX_EACH}`}
            error={isCountValid ? full : problem}
            hint={seedHint(seedless, items.length)}
          >
            {({ id, describedBy, invalid }) => (
              <TextInput
                id={id}
                inputMode="numeric"
                aria-describedby={describedBy}
                aria-invalid={invalid}
                className="w-24"
                {...register("count")}
              />
            )}
          </Field>
        ) : (
          <Field
            label={shared === undefined ? "Add to each prompt" : "Prompt"}
            error={full ?? (text.trim() === "" ? undefined : problem)}
            hint="Use {dawn|night} for variations and {1..4} for numbers."
          >
            {({ id, describedBy, invalid }) => (
              <TextArea id={id} rows={4} aria-describedby={describedBy} aria-invalid={invalid} {...register("text")} />
            )}
          </Field>
        )}
      </form>
    </Dialog>
  );
}

function seedHint(seedless: number, all: number): string | undefined {
  if (seedless === 0) return undefined;
  if (seedless === all) return "These models have no seed. Their runs repeat the same settings.";
  return `${formatNumber(seedless)} of ${counted(all, "result")} ${seedless === 1 ? "is from a model" : "are from models"} without a seed. Their runs repeat the same settings.`;
}
