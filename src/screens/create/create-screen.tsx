import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Image, Sparkles } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useStore } from "zustand";
import { useApi } from "#connection/connection-provider.tsx";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { useSubmissions } from "#jobs/submit/use-submit.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { useInactiveModels } from "#models/inactive-models.ts";
import { ModelCard } from "#models/model-card.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { useFormSchema } from "#schema-form/form/use-form-schema.ts";
import { useReadingHints } from "#schema-form/read/place-store.ts";
import { readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { LazyMount, lazyNamed } from "#ui/lazy-named.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { readCreateSearch } from "./create-search.ts";
import { useStartingPayload } from "./drafts.ts";
import { PayloadForm } from "./payload-form.tsx";
import { type FormLinks, usePrefill } from "./use-prefill.ts";

const ModelPicker = lazyNamed(() => import("#models/model-picker.tsx"), "ModelPicker");
// What shows and downloads media comes with the first job.
const ResultPanel = lazyNamed(() => import("./result-panel.tsx"), "ResultPanel");
const InactiveNotice = lazyNamed(() => import("#models/inactive-notice.tsx"), "InactiveNotice");
const RecentList = lazyNamed(() => import("./recent-list.tsx"), "RecentList");

/** `/create/$modelId`: a model's form, its price and Run; beside it the result of one job and the recent jobs. */
export function CreateScreen() {
  const { modelId } = useParams({ strict: false });
  const search = readCreateSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [pane, setPane] = useState<CreatePane>("inputs");
  const [picking, setPicking] = useState(false);
  const hasJobs = useTrackedJobs().length > 0;
  const links = usePrefill(modelId, search);
  const prefillId = links.prefill?.id;
  useEffect(() => {
    if (prefillId !== undefined) setPane("inputs");
  }, [prefillId]);
  useModKey("m", () => setPicking(true));

  function openModel(id: string) {
    storeLastModel(id);
    links.carryTo(id);
    void navigate({ to: "/create/$modelId", params: { modelId: id }, search: search.job ? { job: search.job } : {} });
  }
  function showJob(job: string) {
    setPane("result");
    if (modelId !== undefined)
      void navigate({ to: "/create/$modelId", params: { modelId }, search: { job }, replace: true });
  }

  return (
    <>
      <h1 className="sr-only">Create</h1>
      <CreatePanes
        pane={pane}
        onPane={setPane}
        inputs={
          modelId === undefined ? (
            <StartModel onPick={() => setPicking(true)} />
          ) : (
            <ModelForm
              key={modelId}
              modelId={modelId}
              links={links}
              onPick={() => setPicking(true)}
              onModel={openModel}
              onJob={showJob}
            />
          )
        }
        result={
          search.job === undefined ? (
            <NoResult modelId={modelId} />
          ) : (
            <ResultPanel key={search.job} requestId={search.job} />
          )
        }
        recent={hasJobs ? <RecentList selected={search.job} onSelect={showJob} /> : <NoRecent />}
      />
      <LazyMount when={picking}>
        <ModelPicker open={picking} onOpenChange={setPicking} selectedId={modelId} onSelect={openModel} />
      </LazyMount>
    </>
  );
}

function NoRecent() {
  return <p className="m-0 p-3 text-center text-[12.5px] text-ink-3">Your runs appear here.</p>;
}

function NoResult({ modelId = "" }: { modelId: string | undefined }) {
  const lastRun = useStore(useSubmissions().states, (states) => states[modelId]);
  if (lastRun?.phase === "unconfirmed" && !lastRun.canSendAgain) {
    return (
      <div className="grid flex-1 place-items-center">
        <EmptyState icon={Image} title="Looking for the job of your last run">
          Its answer did not say whether the service took it. Once the job is found it is shown here.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState icon={Image} title="Nothing on the stage yet">
        Fill in the form and press Run. What comes back is shown here, and stays in{" "}
        <Link to="/history" className="text-ink underline underline-offset-2">
          History
        </Link>
        .
      </EmptyState>
    </div>
  );
}

type CreatePane = "inputs" | "result" | "recent";

const PANES = [
  { value: "inputs", label: "Inputs" },
  { value: "result", label: "Result" },
  { value: "recent", label: "Recent" },
] as const;

/** Three panes side by side; on a phone one at a time, chosen above. */
function CreatePanes({
  pane,
  onPane,
  inputs,
  result,
  recent,
}: {
  pane: CreatePane;
  onPane: (pane: CreatePane) => void;
  inputs: ReactNode;
  result: ReactNode;
  recent: ReactNode;
}) {
  const shown = (name: CreatePane) => (pane === name ? "flex" : "hidden");
  return (
    <div className="flex h-full min-h-0 flex-col short:h-auto short:min-h-full lg:grid lg:grid-cols-[384px_minmax(0,1fr)_148px]">
      <div className="border-line border-b bg-panel px-4 py-3 lg:hidden">
        <Segmented label="Part of the screen" options={PANES} value={pane} onChange={onPane} />
      </div>
      <section
        aria-label="Inputs"
        className={clsx("min-h-0 flex-1 flex-col bg-panel lg:flex lg:border-line lg:border-r", shown("inputs"))}
      >
        {inputs}
      </section>
      <section aria-label="Result" className={clsx("min-h-0 min-w-0 flex-1 flex-col lg:flex", shown("result"))}>
        {result}
      </section>
      <section
        aria-label="Recent jobs"
        className={clsx(
          "min-h-0 flex-1 flex-col overflow-y-auto short:overflow-visible lg:flex lg:border-line lg:border-l",
          shown("recent"),
        )}
      >
        {recent}
      </section>
    </div>
  );
}

/** `/create` without a model: the one used last, else the first of the catalogue, else a way to choose. */
function StartModel({ onPick }: { onPick: () => void }) {
  const ids = useQuery(modelQueries(useApi()).ids());
  if (ids.isPending) return <Skeleton className="m-4 h-14" />;
  if (ids.isError)
    return <ErrorNotice className="m-4" error={ids.error} operation="read" onRetry={() => void ids.refetch()} />;

  const last = readLastModel();
  const modelId = last !== undefined && ids.data.includes(last) ? last : ids.data[0];
  if (modelId !== undefined)
    return <Navigate to="/create/$modelId" params={{ modelId }} search={(old) => old} replace />;
  return (
    <EmptyState icon={Sparkles} title="No models" actions={<Button onClick={onPick}>Open the list</Button>}>
      The service lists no generation models for this key.
    </EmptyState>
  );
}

/** The card of the model and, once its parameters and the draft are read, its form. */
function ModelForm({
  modelId,
  links,
  onPick,
  onModel,
  onJob,
}: {
  modelId: string;
  links: FormLinks;
  onPick: () => void;
  onModel: (id: string) => void;
  onJob: (requestId: string) => void;
}) {
  const detail = useQuery(modelQueries(useApi()).detail(modelId));
  const { schema, failed, retry } = useFormSchema(detail.data, useReadingHints(modelId));
  const starting = useStartingPayload(modelId);
  const isInactive = Object.hasOwn(useInactiveModels(), modelId);
  const card = (
    <>
      <ModelCard id={modelId} onClick={onPick} />
      {isInactive && <InactiveNotice modelId={modelId} onSelect={onModel} />}
    </>
  );

  if (detail.isError) {
    return (
      <div className="flex flex-col gap-4 p-4">
        {card}
        <ErrorNotice error={detail.error} operation="read" onRetry={() => void detail.refetch()} />
        <Button onClick={onPick}>Choose another model</Button>
      </div>
    );
  }
  if (failed) {
    return (
      <div className="flex flex-col gap-4 p-4">
        {card}
        <p role="alert">A part of the form did not arrive. The connection may be down.</p>
        <Button onClick={retry}>Try again</Button>
      </div>
    );
  }
  if (schema === undefined || starting === undefined) {
    return (
      <div className="flex flex-col gap-5 p-4" aria-busy="true">
        {card}
        <Skeleton className="h-28" />
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
      </div>
    );
  }
  return <PayloadForm modelId={modelId} schema={schema} starting={starting} card={card} links={links} onJob={onJob} />;
}

/** The model the person used last on this device, so that Create opens where they left it. */
function readLastModel(): string | undefined {
  return readText(KEYS.lastModel) ?? undefined;
}

function storeLastModel(id: string): void {
  writeText(KEYS.lastModel, id);
}

/** Calls back on the platform's main modifier with a key, wherever the focus is. */
function useModKey(key: string, onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== key)
        return;
      event.preventDefault();
      press();
    }
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [key]);
}
