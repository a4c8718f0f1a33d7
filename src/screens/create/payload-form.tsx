import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useConnection } from "#connection/connection-store.ts";
import { LineUpButton } from "#jobs/batch/line-up-button.tsx";
import { useEstimate } from "#jobs/use-estimate.ts";
import { useSubmit } from "#jobs/use-submit.ts";
import type { JsonRecord } from "#lib/json.ts";
import type { FileSettings } from "#media/metadata/settings-text.ts";
import type { MediaControlProps } from "#schema-form/form/form-context.ts";
import type { FormStore } from "#schema-form/form/form-store.ts";
import { rememberPrompt } from "#schema-form/form/prompt-memory.ts";
import { ReadingPanel } from "#schema-form/form/reading-panel.tsx";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { OnDemand } from "#ui/on-demand.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import type { Arrival } from "./arrival.ts";
import { DropAnywhere } from "./drop-anywhere.tsx";
import { type FormView, FormViewTabs } from "./form-view-tabs.tsx";
import { ImprovePrompt } from "./improve-prompt.tsx";
import { LateSubmitNotice, loadSubmitNotice } from "./late-submit-notice.tsx";
import { RunBar } from "./run-bar.tsx";
import { useSavedDraft } from "./use-saved-draft.ts";

// Loaded with the first model that takes media.
const MediaFields = lazy(() => import("./media-fields.tsx").then((module) => ({ default: module.MediaFields })));

const PayloadJsonEditor = lazy(() =>
  import("#schema-form/form/payload-json-editor.tsx").then((module) => ({ default: module.PayloadJsonEditor })),
);
const CodeView = lazy(() => import("#schema-form/form/code-view.tsx").then((module) => ({ default: module.CodeView })));

// Loaded when values come from another model, a file or a link.
const ArrivedValues = lazy(() => import("./arrived-values.tsx").then((module) => ({ default: module.ArrivedValues })));
const Refusals = lazy(() => import("./refusals.tsx").then((module) => ({ default: module.Refusals })));
const PresetsDialog = lazy(() => import("./presets-dialog.tsx").then((module) => ({ default: module.PresetsDialog })));

/** How the form of a model is connected with the rest of Create. */
export interface FormLinks {
  /** Where the form of the model in view can be found, for moving to another model. */
  storeRef: RefObject<FormStore | undefined>;
  /** Values on their way into this form. */
  arrival: Arrival | undefined;
  onArrived: () => void;
  onSettings: (settings: FileSettings, fileName: string) => void;
}

/** A model's form with the Run bar under it. */
export function PayloadForm({
  modelId,
  schema,
  starting,
  card,
  links,
  onJob,
}: {
  modelId: string;
  schema: FormSchema;
  starting: JsonRecord;
  card: ReactNode;
  links: FormLinks;
  onJob: (requestId: string) => void;
}) {
  const connection = useConnection();
  const [view, setView] = useState<FormView>("form");
  const saveDraft = useSavedDraft(connection?.accountId ?? "", modelId);
  const form = useSchemaForm({ modelId, schema, initialPayload: starting, onPayloadChange: saveDraft });
  const { store } = form;
  const { storeRef, arrival } = links;
  useEffect(() => {
    storeRef.current = store;
  }, [store, storeRef]);
  const [isNaming, setIsNaming] = useState(false);
  const estimate = useEstimate(form.isValid ? { model: modelId, payload: form.payload } : undefined);
  const submit = useSubmit(modelId);
  const shown = useRef<string>(undefined);
  // A job of an earlier visit to this form was accepted before it opened: its seed was drawn anew then.
  const hasRun = useRef(false);
  const [pending, setPending] = useState({ upload: 0, choice: 0 });
  const isPending = pending.upload + pending.choice > 0;
  const renderMedia = useCallback(
    (props: MediaControlProps) => (
      <Suspense fallback={<Skeleton className="h-[82px]" />}>
        <MediaFields {...props} onPending={(what, by) => setPending((old) => ({ ...old, [what]: old[what] + by }))} />
      </Suspense>
    ),
    [],
  );

  const renderAside = useCallback(
    (field: Field) => field.key === promptKeyOf(schema) && <ImprovePrompt store={store} promptKey={field.key} />,
    [schema, store],
  );

  const requestId = submit.state.phase === "accepted" ? submit.state.requestId : undefined;
  useEffect(() => {
    if (requestId === undefined || shown.current === requestId) return;
    shown.current = requestId;
    onJob(requestId);
    if (hasRun.current) store.drawNextSeeds();
    hasRun.current = false;
  }, [requestId, onJob, store]);

  function run() {
    if (pending.choice > 0) {
      flushSync(() => setView("form"));
      document.querySelector<HTMLElement>("[data-choice] button")?.focus();
      return;
    }
    if (!form.isValid || estimate.error) {
      setView((old) => (old === "code" ? "form" : old));
      form.focusFirstProblem();
      if (estimate.error && !store.getRefused()) estimate.retry();
    }
    if (form.isValid && !isPending && estimate.priceMicroUsd !== undefined && !estimate.isStale) {
      loadSubmitNotice();
      hasRun.current = true;
      rememberPrompt(promptIn(schema, form.payload));
      void submit.submit({ model: modelId, payload: form.payload }, estimate.priceMicroUsd);
    }
  }

  return (
    <form
      className="relative flex min-h-0 flex-1 flex-col"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
      onKeyDown={(event) => {
        // A dialog of the form's is not within it, though its events pass here.
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
        if (isInside && event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          run();
        }
      }}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-[18px] overflow-y-auto p-4">
        {card}
        <Suspense>
          {arrival && <ArrivedValues key={arrival.id} arrival={arrival} store={store} onDone={links.onArrived} />}
        </Suspense>
        {(view === "form" || isPending) && (
          // A file that is on its way, or waits for a word, is not lost by a look at the JSON.
          <div className={view === "form" ? "contents" : "hidden"}>
            <SchemaForm form={form} renderMedia={renderMedia} renderAside={renderAside} />
          </div>
        )}
        <Suspense>
          {view === "form" && <ReadingPanel modelId={modelId} schema={schema} />}
          {view === "json" && <PayloadJsonEditor form={form} />}
          {view === "code" && (
            <CodeView
              queueBaseUrl={new URL(connection?.queueBaseUrl ?? "", location.href).href}
              modelId={modelId}
              payload={form.payload}
            />
          )}
        </Suspense>
      </div>
      <div className="flex flex-col gap-3 border-line border-t px-4 pt-3 pb-3.5">
        <LateSubmitNotice submission={submit} onRun={run} />
        <OnDemand when={estimate.error !== null || submit.state.phase === "rejected"}>
          <Refusals store={store} estimate={estimate} state={submit.state} />
        </OnDemand>
        <RunBar
          store={store}
          problems={form.problems.length}
          count={countIn(schema, form.payload)}
          pending={pending}
          estimate={estimate}
          state={submit.state}
          lineUp={
            <LineUpButton
              request={form.isValid && !isPending ? { model: modelId, payload: form.payload } : undefined}
              promptKey={schema.fields.find((field) => field.role === "prompt")?.key}
            />
          }
          onRun={run}
        />
        <FormViewTabs view={view} onView={setView} onPresets={() => setIsNaming(true)} />
      </div>
      <DropAnywhere store={store} onPut={() => setView("form")} onSettings={links.onSettings} />
      <OnDemand when={isNaming}>
        <PresetsDialog open={isNaming} onOpenChange={setIsNaming} modelId={modelId} store={store} />
      </OnDemand>
    </form>
  );
}

function promptKeyOf(schema: FormSchema): string | undefined {
  return schema.fields.find((field) => field.role === "prompt")?.key;
}

/** How many results a payload asks for. */
function countIn(schema: FormSchema, payload: JsonRecord): number {
  const field = schema.fields.find(({ role }) => role === "count");
  const given = field && Object.hasOwn(payload, field.key) ? payload[field.key] : field?.defaultValue;
  return Number(given) || 1;
}

function promptIn(schema: FormSchema, payload: JsonRecord): string {
  const key = promptKeyOf(schema);
  const words = key !== undefined && Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof words === "string" ? words : "";
}
