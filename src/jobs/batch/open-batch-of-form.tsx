import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import type { JobRequest } from "#api/types.ts";
import { getConnection } from "#connection/connection-store.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { browserRows } from "#storage/database.ts";
import { toast } from "#ui/toast.tsx";
import { expandAxes } from "../batch-rows/expand-axes.ts";
import { newGroup, withGroup } from "../batch-rows/group-runs.ts";
import type { Batch, BatchAxes, ParameterAxis } from "../stored-batches.ts";
import { addBatch, newBatch } from "./batch-edits.ts";

/**
 * A form as a batch of one run: its model, its values as settings, and its prompt as the first axis. More axes are added on
 * the screen of the batch. Never throws.
 */
export function batchOfForm({ model, payload }: JobRequest, promptKey: string | undefined): Batch {
  const prompt = promptKey !== undefined && Object.hasOwn(payload, promptKey) ? payload[promptKey] : undefined;
  const axis = promptKey === undefined ? undefined : promptAxis(promptKey, prompt);
  const settings = Object.entries(payload).filter(([key]) => key !== axis?.key);
  const axes: BatchAxes = {
    models: [model],
    settings: { [model]: Object.fromEntries(settings) },
    parameters: axis ? [axis] : [],
    way: "product",
  };
  const { runs } = expandAxes(axes, new Map());
  const name = (typeof prompt === "string" && visibleLine(prompt.trim(), 60)) || visibleLine(model, 60);
  // A text that cannot be made into several is sent as it is.
  const made = runs.length > 0 ? runs : [{ request: { model, payload } }];
  return withGroup(newBatch(name), newGroup("All combinations", "axes", axes), made);
}

/** A prompt of one line takes more lines beside it; one of several lines stays one prompt. */
function promptAxis(key: string, prompt: unknown): ParameterAxis | undefined {
  if (typeof prompt !== "string" || prompt.trim() === "") return undefined;
  return /[\r\n]/.test(prompt.trim())
    ? { key, values: [prompt] }
    : { key, values: [prompt.trim()], text: prompt.trim() };
}

interface OpenBatchOfFormProps {
  request: JobRequest;
  promptKey: string | undefined;
  onDone: () => void;
}

/** Stores the batch of a form and opens it, once. Nothing is sent. It shows nothing itself. */
export function OpenBatchOfForm({ request, promptKey, onDone }: OpenBatchOfFormProps) {
  const navigate = useNavigate();
  const hasBegun = useRef(false);
  const open = useEffectEvent(async () => {
    const batch = batchOfForm(request, promptKey);
    try {
      await addBatch({ rows: browserRows, accountId: getConnection()?.accountId ?? "" }, batch);
      await navigate({ to: "/batch/$batchId", params: { batchId: batch.id }, search: {} });
    } catch {
      const body = "Nothing was charged. Free some storage, then try again.";
      toast({ tone: "error", title: "This browser could not save the batch", body });
    }
    onDone();
  });
  useEffect(() => {
    // An effect may run twice, and would make two batches.
    if (hasBegun.current) return;
    hasBegun.current = true;
    void open();
  }, []);
  return null;
}
