import { Play, SquarePen, X } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { findKey, keySentence } from "#connection/find-key.ts";
import { KeyNotice } from "#connection/key-notice.tsx";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isFileDeleted, onDeletedMedia } from "#media/deleted-media.ts";
import { useEstimate } from "#runs/prices/use-estimate.ts";
import { useSubmit } from "#runs/submit/submissions.ts";
import type { MediaControlProps } from "#schema-form/controls/control-props.ts";
import { rememberPrompt } from "#schema-form/controls/prompt-memory.ts";
import type { Draft } from "#schema-form/draft.ts";
import { JsonView } from "#schema-form/form/json-view.tsx";
import { ReadingPanel } from "#schema-form/form/reading-panel.tsx";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import {
  useFormPayload,
  useFormProblems,
  usePendingUploads,
  useSchemaForm,
} from "#schema-form/form/use-schema-form.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { useCommands } from "#ui/commands.ts";
import { CodeView } from "./code-view.tsx";
import { createCommands } from "./commands.ts";
import { useFormDraft } from "./drafts.ts";
import { FileDrop } from "./file-drop.tsx";
import { finishTyping, focusPrompt, useFirstFocus } from "./form-focus.ts";
import { type FormView, FormViewTabs } from "./form-view-tabs.tsx";
import { ImprovePrompt } from "./improve-prompt.tsx";
import { MediaFields } from "./media-fields.tsx";
import { PrefillNotice } from "./prefill-notice.tsx";
import { PresetsDialog } from "./presets-dialog.tsx";
import { NewBatchButton } from "./run/new-batch-button.tsx";
import { openRunText, RunBar } from "./run/run-bar.tsx";
import { SubmitNotice } from "./run/submit-notice.tsx";
import { useRunWhenPriced } from "./run/use-run-when-priced.ts";
import type { FormLinks } from "./use-prefill.ts";

/** A model's form with the Run bar under it. */
export function PayloadForm({
  modelId,
  kind,
  schema,
  starting,
  card,
  links,
  onPick,
  onAccepted,
}: {
  modelId: string;
  /** What the model makes, as the catalogue says it: "image", "video". */
  kind: string | undefined;
  schema: FormSchema;
  starting: Draft;
  card: ReactNode;
  links: FormLinks;
  /** Opens the list of models. */
  onPick: () => void;
  /** The service has accepted a run of this model. `isOwn`: it was pressed in this form. */
  onAccepted: (requestId: string, isOwn: boolean) => void;
}) {
  const connection = useConnection();
  const [view, setView] = useState<FormView>("form");
  const form = useSchemaForm({
    modelId,
    schema,
    initial: starting,
    isDeleted: isFileDeleted,
    testText: keySentence,
  });
  useFormDraft(connection?.accountId ?? "", modelId, form);
  // Deleted while the form is open, here or in another tab.
  useEffect(() => onDeletedMedia(form.validate), [form]);
  const payload = useFormPayload(form);
  const problems = useFormProblems(form);
  const isValid = problems.length === 0;
  const finding = isValid ? undefined : findKey(payload);
  const { formRef, prefill } = links;
  useEffect(() => {
    formRef.current = form;
  }, [form, formRef]);
  const [isNaming, setIsNaming] = useState(false);
  const estimate = useEstimate(isValid ? { model: modelId, payload } : undefined, schema);
  const { price } = estimate;
  const submit = useSubmit(modelId);
  const place = useRef<HTMLFormElement>(null);
  const shown = useRef<string>(undefined);
  // A job of an earlier visit to this form was accepted before it opened: its seed was drawn anew then.
  const hasRun = useRef(false);
  const pendingUploads = usePendingUploads(form);
  const renderMedia = useCallback((props: MediaControlProps) => <MediaFields {...props} />, []);

  const renderAside = useCallback(
    (field: Field) => field.key === promptKeyOf(schema) && <ImprovePrompt form={form} promptKey={field.key} />,
    [schema, form],
  );

  const requestId = submit.state.phase === "accepted" ? submit.state.requestId : undefined;
  useEffect(() => {
    if (requestId === undefined || shown.current === requestId) return;
    shown.current = requestId;
    onAccepted(requestId, hasRun.current);
    if (hasRun.current) form.drawNextSeeds();
    hasRun.current = false;
  }, [requestId, onAccepted, form]);

  const send = (of: JsonRecord, priceMicroUsd: MicroUsd) => {
    hasRun.current = true;
    rememberPrompt(promptIn(schema, of));
    void submit.submit({ model: modelId, payload: of }, priceMicroUsd);
  };
  // A file that is dropped while a run waits for its price is a change, too.
  const canRun = isValid && pendingUploads === 0;
  const waitingRun = useRunWhenPriced({ modelId, payload: canRun ? payload : undefined, onPriced: send });
  const openRun = openRunText(submit.state);

  function run() {
    if (openRun !== undefined || submit.state.phase === "sending" || waitingRun.isWaiting) return;
    waitingRun.forget();
    finishTyping(place.current);
    // What was typed just now may not be drawn yet.
    const pressed = form.getPayload();
    if (form.getProblems().length > 0 || price.state === "failed") {
      setView((old) => (old === "code" ? "form" : old));
      void form.focusFirstProblem();
      if (price.state === "failed" && !form.getRefused()) estimate.retry();
    } else if (pendingUploads === 0) {
      if (pressed === payload && price.state === "priced") send(pressed, price.priceMicroUsd);
      else void waitingRun.hold(pressed);
    }
  }
  // A price that was asked about belongs to the payload of then: for another one it would be no consent.
  const asked = submit.state.phase === "not-sent" && submit.state.priceMicroUsd !== undefined;
  const isOtherRun = asked && submit.run !== undefined && !sameJson(submit.run.request.payload, payload);
  const { dismiss } = submit;
  const dropQuestion = useEffectEvent(dismiss);
  useEffect(() => {
    if (isOtherRun) dropQuestion();
  }, [isOtherRun]);

  function showPrompt() {
    setView("form");
    requestAnimationFrame(() => focusPrompt(form));
  }
  const priceText = price.state === "priced" ? formatMicroUsd(price.priceMicroUsd) : undefined;
  useCommands([
    {
      ...createCommands.run,
      label: `Run ${visibleLine(modelId, 60)}`,
      icon: Play,
      value: priceText,
      unavailable: openRun,
      run,
    },
    { ...createCommands.prompt, icon: SquarePen, run: showPrompt },
    ...(waitingRun.isWaiting ? [{ ...createCommands.cancelRun, icon: X, run: waitingRun.cancel }] : []),
  ]);
  useFirstFocus(form);

  return (
    <form
      className="relative flex min-h-0 flex-1 flex-col"
      noValidate
      ref={place}
      // Enter in a field must not run. Only the Run button and its shortcut start a run.
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-[18px] overflow-y-auto p-4 short:flex-none short:overflow-visible">
        {card}
        {prefill && <PrefillNotice key={prefill.id} prefill={prefill} form={form} onDone={links.onPrefilled} />}
        {view === "form" && <SchemaForm form={form} renderMedia={renderMedia} renderAside={renderAside} />}
        {view === "form" && <ReadingPanel modelId={modelId} schema={schema} />}
        {view === "json" && <JsonView form={form} />}
        {view === "code" && (
          <CodeView
            queueBaseUrl={new URL(connection?.queueBaseUrl ?? "", location.href).href}
            modelId={modelId}
            payload={payload}
          />
        )}
      </div>
      {/* Boxes of their own, above one another: a notice that comes or goes, or a longer line, moves nothing below it. */}
      <div className="border-line border-t" />
      {finding?.kind === "similar" && (
        <div className="px-4 pt-3">
          <KeyNotice finding={finding} what="form" onSendAnyway={form.validate} />
        </div>
      )}
      {submit.state.phase !== "idle" && submit.state.phase !== "sending" && (
        <div className="px-4 pt-3 empty:hidden">
          <SubmitNotice
            submission={submit}
            price={priceText}
            onRun={run}
            onEdit={() => {
              setView((old) => (old === "code" ? "form" : old));
              void form.focusFirstProblem().then(() => focusPrompt(form));
            }}
            onPick={onPick}
          />
        </div>
      )}
      <RunBar
        form={form}
        problems={problems}
        {...countIn(schema, payload)}
        pendingUploads={pendingUploads}
        estimate={estimate}
        state={submit.state}
        waitingRun={waitingRun}
        modelId={modelId}
        kind={kind}
        batch={
          <NewBatchButton request={canRun ? { model: modelId, payload } : undefined} promptKey={promptKeyOf(schema)} />
        }
        onRun={run}
      />
      <div className="px-4 pt-3 pb-3.5">
        <FormViewTabs
          view={view}
          onView={setView}
          onPresets={() => setIsNaming(finding?.kind !== "own")}
          isSaved={finding?.kind !== "own"}
        />
      </div>
      <FileDrop form={form} onPut={() => setView("form")} onSettings={links.onSettings} />
      <PresetsDialog open={isNaming} onOpenChange={setIsNaming} modelId={modelId} form={form} />
    </form>
  );
}

function promptKeyOf(schema: FormSchema): string | undefined {
  return schema.fields.find((field) => field.role === "prompt")?.key;
}

const COUNTED = /^(images|videos|clips|tracks|songs|variations|samples)$/i;

/** How many results a payload asks for, and what the form calls them. */
function countIn(schema: FormSchema, payload: JsonRecord): { count: number; counted: string } {
  const field = schema.fields.find(({ role }) => role === "count");
  const given = field && Object.hasOwn(payload, field.key) ? payload[field.key] : field?.defaultValue;
  const counted = field && COUNTED.test(field.label) ? field.label.toLowerCase() : "results";
  return { count: Number(given) || 1, counted };
}

function promptIn(schema: FormSchema, payload: JsonRecord): string {
  const key = promptKeyOf(schema);
  const words = key !== undefined && Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof words === "string" ? words : "";
}
