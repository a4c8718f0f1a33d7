import { useQueries, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useLocation, useNavigate, useParams, useRouter } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Box, Image, Sparkles } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import type { MediaItem } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { formatDateTime } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { modelCommands } from "#models/commands.ts";
import { useInactiveModels } from "#models/inactive-models.ts";
import { ModelCard } from "#models/model-card.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { JobStatus } from "#runs/job-status.tsx";
import { type TrackedJob, useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { statusWords } from "#runs/status-words.ts";
import { isUnderWay, type Run, useShownRun } from "#runs/submit/submissions.ts";
import { useFormSchema } from "#schema-form/form/use-schema-form.ts";
import { useReadingHints } from "#schema-form/read/reading-hints.ts";
import { readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { lazyPart } from "#ui/lazy-part.tsx";
import { Notice } from "#ui/notice.tsx";
import { Beginnings } from "./beginnings.tsx";
import { type CreatePane, CreatePanes, useAskedPane, useResultInView } from "./create-panes.tsx";
import { useStartingDraft } from "./drafts.ts";
import { PayloadForm } from "./payload-form.tsx";
import { type FormLinks, usePrefill } from "./prefill.tsx";
import { ResultBatch } from "./result-batch.tsx";

// Loaded later: the form is usable before the part that waits for, shows and downloads results.
const ResultStage = lazyPart(() => import("./result-stage.tsx").then((module) => module.ResultStage));

// Loaded when needed, because it brings the virtual list.
const ModelPicker = lazyPart(() => import("#models/model-picker.tsx").then((module) => module.ModelPicker));

const route = getRouteApi("/studio/create");
const CREATE_PATH = /^\/create(\/|$)/;

/** `/create/$modelId`: a model's form, its price and Run; beside it the result of one job and the recent jobs. */
export function CreateScreen() {
  const modelId = useParams({ from: "/studio/create/$modelId", shouldThrow: false })?.modelId;
  const search = route.useSearch();
  const navigate = useNavigate();
  const router = useRouter();
  // A person may be on the way to another screen, which is still loading, when a run is accepted. The job is not shown
  // then, but once the person has turned back.
  const isHere = useLocation({ select: ({ pathname }) => CREATE_PATH.test(pathname) });
  const [waitingJob, setWaitingJob] = useState<string>();
  const [pane, setPane] = useState<CreatePane>("inputs");
  const [picking, setPicking] = useState(false);
  const [pickedType, setPickedType] = useState<string>();
  const hasJobs = useTrackedJobs().length > 0;
  const [isNew] = useState(() => readText(KEYS.prompts) === null);
  const [pending, lookAway] = usePendingRun(modelId, search.job);
  useResultInView(pending, setPane);
  useAskedPane(search.job, setPane);
  const links = usePrefill(modelId, search);
  const prefillId = links.prefill?.id;
  useEffect(() => {
    if (prefillId !== undefined) setPane("inputs");
  }, [prefillId]);
  useCommands([
    {
      ...modelCommands.choose,
      icon: Box,
      detail: modelId === undefined ? undefined : `now ${visibleLine(modelId, 60)}`,
      run: () => setPicking(true),
    },
  ]);

  function openModel(id: string) {
    links.carryTo(id);
    void navigate({ to: "/create/$modelId", params: { modelId: id }, search: search.job ? { job: search.job } : {} });
  }
  function beginWith(id: string) {
    setPane("inputs");
    void navigate({ to: "/create/$modelId", params: { modelId: id }, search: {} });
  }
  function showJob(job: string) {
    setPane("result");
    if (modelId === undefined) return;
    if (!CREATE_PATH.test(router.state.location.pathname)) setWaitingJob(job);
    else void navigate({ to: "/create/$modelId", params: { modelId }, search: { job }, replace: true });
  }
  const showWaitingJob = useEffectEvent(() => {
    setWaitingJob(undefined);
    if (waitingJob !== undefined) showJob(waitingJob);
  });
  useEffect(() => {
    if (isHere) showWaitingJob();
  }, [isHere]);

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
              onAccepted={(job, isOwn) => {
                if (isOwn || pending || search.job === undefined) showJob(job);
              }}
            />
          )
        }
        result={
          <>
            {pending === undefined &&
              search.job === undefined &&
              (isNew && !hasJobs ? (
                <Beginnings
                  modelId={modelId}
                  onModel={beginWith}
                  onPick={(type) => {
                    setPickedType(type);
                    setPicking(true);
                  }}
                />
              ) : (
                <ResultBatch modelId={modelId}>
                  <NothingRun />
                </ResultBatch>
              ))}
            <ResultStage pending={pending} requestId={search.job} />
          </>
        }
        recent={
          hasJobs ? (
            <RecentList
              selected={pending ? undefined : search.job}
              onSelect={(job) => {
                lookAway();
                showJob(job);
              }}
            />
          ) : (
            <NoRecent />
          )
        }
      />
      <ModelPicker
        key={pickedType}
        open={picking}
        onOpenChange={setPicking}
        selected={modelId === undefined ? [] : [modelId]}
        startType={pickedType}
        withTextModels
        onSelect={openModel}
      />
    </>
  );
}

/**
 * The run of a model that is shown in place of a result: from the press of Run until its job is in view, or until the
 * person opens another job (`lookAway`). An unconfirmed run of an earlier visit is shown while the address names no
 * job.
 */
function usePendingRun(
  modelId: string | undefined,
  requestId: string | undefined,
): [pending: Run | undefined, lookAway: () => void] {
  const run = useShownRun(modelId);
  const [startedId, setStartedId] = useState<number>();
  const [leftId, setLeftId] = useState<number>();
  if (run === undefined) return [undefined, () => {}];
  const { id, state } = run;
  if (isUnderWay(run) && id !== startedId) setStartedId(id);
  // The job is in view. From now on the address alone decides what is shown.
  if (startedId !== undefined && state.phase === "accepted" && state.requestId === requestId) setStartedId(undefined);
  const isMine = id === startedId || requestId === undefined;
  const isShown =
    isUnderWay(run) ||
    (isMine && state.phase === "unconfirmed") ||
    // The address does not name the job yet.
    (id === startedId && state.phase === "accepted" && state.requestId !== requestId);
  return [isShown && id !== leftId ? run : undefined, () => setLeftId(id)];
}

function NoRecent() {
  return <p className="m-0 p-3 text-center text-sm text-ink-3">Your jobs appear here.</p>;
}

/** Shown in place of a result while there is none. */
function NothingRun() {
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState icon={Image} title="Your result will appear here">
        Fill in the form and press Run, or choose a recent job. All jobs are in{" "}
        <Link to="/history" className="text-ink underline underline-offset-2">
          History
        </Link>
        .
      </EmptyState>
    </div>
  );
}

/** The card of the model and, once its parameters and the draft are read, its form. */
function ModelForm({
  modelId,
  links,
  onPick,
  onModel,
  onAccepted,
}: {
  modelId: string;
  links: FormLinks;
  onPick: () => void;
  onModel: (id: string) => void;
  onAccepted: (requestId: string, isOwn: boolean) => void;
}) {
  const detail = useQuery(modelQueries(useApi()).detail(modelId));
  const schema = useFormSchema(detail.data, useReadingHints(modelId));
  const isInactive = Object.hasOwn(useInactiveModels(), modelId);
  const isKnown = schema !== undefined;
  const starting = useStartingDraft(modelId, isKnown);
  // Whichever way the model was opened: by the list, a link or a result.
  useEffect(() => {
    if (isKnown) writeText(KEYS.lastModel, modelId);
  }, [isKnown, modelId]);
  const card = (
    <>
      <ModelCard id={modelId} onClick={onPick} />
      {isInactive && <InactiveNotice modelId={modelId} onSelect={onModel} />}
    </>
  );

  // An open form stays, although its parameters could not be read again.
  if (detail.isError && detail.data === undefined) {
    return (
      <div className="flex flex-col gap-4 p-4">
        {card}
        <ErrorNotice error={detail.error} operation="read" onRetry={() => void detail.refetch()} />
        <Button onClick={onPick}>Choose another model</Button>
      </div>
    );
  }
  if (schema === undefined || starting === undefined) return <FormSkeleton card={card} />;
  return <PayloadForm {...{ modelId, kind: detail.data?.type, schema, starting, card, links, onPick, onAccepted }} />;
}

/** `/create` without a model: the one used last, else the first of the model list, else a way to choose. */
function StartModel({ onPick }: { onPick: () => void }) {
  const ids = useQuery(modelQueries(useApi()).ids());
  if (ids.isPending) return <FormSkeleton card={<Skeleton className="h-15.5 shrink-0 rounded-md" />} />;
  if (ids.isError)
    return <ErrorNotice className="m-4" error={ids.error} operation="read" onRetry={() => void ids.refetch()} />;

  const last = readLastModel();
  const modelId = last !== undefined && ids.data.includes(last) ? last : ids.data[0];
  if (modelId !== undefined) return <OpenModel modelId={modelId} />;
  return (
    <EmptyState icon={Sparkles} title="No models" actions={<Button onClick={onPick}>Choose model</Button>}>
      The service lists no image, video or audio models for this key.
    </EmptyState>
  );
}

/** The path of Create without a model. */
const START_PATH = /^\/create\/?$/;

/**
 * Opens the form of a model in place of `/create`. Not while the person is on the way to another screen, which may
 * still be loading: then the form opens only if the person turns back.
 */
function OpenModel({ modelId }: { modelId: string }) {
  const router = useRouter();
  const isHere = useLocation({ select: ({ pathname }) => START_PATH.test(pathname) });
  useEffect(() => {
    // The URL may have changed since this rendered.
    if (!isHere || !START_PATH.test(router.state.location.pathname)) return;
    void router.navigate({ to: "/create/$modelId", params: { modelId }, search: (old) => old, replace: true });
  }, [router, isHere, modelId]);
  return <FormSkeleton card={<Skeleton className="h-15.5 shrink-0 rounded-md" />} />;
}

/** Placeholders of the first fields and of Run, until a form is known. */
function FormSkeleton({ card }: { card: ReactNode }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col" aria-busy="true">
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-hidden p-4">
        {card}
        <Skeleton className="h-28 shrink-0" />
        <Skeleton className="h-9 shrink-0" />
        <Skeleton className="h-9 shrink-0" />
      </div>
      <div className="flex flex-col gap-2.5 border-line border-t px-4 pt-3 pb-19">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-10 rounded-md" />
      </div>
    </div>
  );
}

/** The model the person used last on this device, so that Create opens where they left it. */
function readLastModel(): string | undefined {
  return readText(KEYS.lastModel) ?? undefined;
}

/** Other models that are offered in place of an inactive one. */
const MAX_OFFERED = 3;
/** Each detail is a request of its own (spec 4.1), so only those with the most similar names are read. */
const MAX_READ = 8;

/** Says that a model was inactive on its last request, and offers others of its type. Renders nothing if it was not. */
function InactiveNotice({ modelId, onSelect }: { modelId: string; onSelect: (id: string) => void }) {
  const since = useInactiveModels()[modelId]?.atMs;
  const others = useOthersOfItsKind(modelId, since !== undefined);
  if (since === undefined) return null;
  return (
    <Notice
      tone="info"
      title="This model may be inactive"
      actions={others.map((id) => (
        <Button key={id} size="sm" onClick={() => onSelect(id)}>
          Use {visibleLine(id)}
        </Button>
      ))}
    >
      <p>The service reported it inactive on {formatDateTime(since / 1000)}. You can still run it.</p>
    </Notice>
  );
}

/** Models of the same type as this one, those with the most similar names first. */
function useOthersOfItsKind(modelId: string, enabled: boolean): string[] {
  const queries = modelQueries(useApi());
  const inactive = useInactiveModels();
  const ids = useQuery({ ...queries.ids(), enabled });
  const own = useQuery({ ...queries.detail(modelId), enabled });
  const near = (ids.data ?? [])
    .filter((id) => id !== modelId && !Object.hasOwn(inactive, id))
    .map((id) => ({ id, likeness: likenessOf(id, modelId) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_READ)
    .map(({ id }) => id);
  const details = useQueries({ queries: near.map((id) => ({ ...queries.detail(id), enabled })) });
  const type = own.data?.type;
  return near.filter((_, index) => type !== undefined && details[index]?.data?.type === type).slice(0, MAX_OFFERED);
}

/** How many letters the beginnings of two ids have in common. */
function likenessOf(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length]?.toLowerCase() === b[length]?.toLowerCase()) length += 1;
  return length;
}

const MAX_RECENT = 24;

interface RecentProps {
  selected: string | undefined;
  onSelect: (requestId: string) => void;
}

/**
 * The jobs of this browser, latest first, as small images to go back to; those without one show status and prompt.
 */
function RecentList({ selected, onSelect }: RecentProps) {
  const jobs = useTrackedJobs().slice(0, MAX_RECENT);
  if (jobs.length === 0) {
    return <p className="m-0 p-3 text-center text-sm text-ink-3">Your jobs appear here.</p>;
  }
  return (
    <ul className="m-0 grid list-none grid-cols-3 gap-2.5 p-3 lg:grid-cols-1">
      {jobs.map((job) => (
        <li key={job.requestId}>
          <button
            type="button"
            aria-label={`${titleOf(job)}, ${statusWords(job.status).word}`}
            aria-current={job.requestId === selected || undefined}
            onClick={() => onSelect(job.requestId)}
            className={clsx(
              "relative grid aspect-[16/10] w-full place-items-center overflow-hidden rounded-md border border-line bg-raised p-0",
              "aria-[current]:outline-2 aria-[current]:outline-accent aria-[current]:outline-offset-2",
            )}
          >
            <Thumb job={job} item={job.media[0]} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Thumb({ job, item }: { job: TrackedJob; item: MediaItem | undefined }) {
  const isDeleted = useIsMediaDeleted(job.requestId);
  if (item !== undefined && item.kind !== "audio") {
    return (
      <span className="absolute inset-0">
        <CachedThumb item={item} alt="" createdAtSeconds={job.createdAtSeconds} isDeleted={isDeleted} isSmall />
      </span>
    );
  }
  return (
    <span className="grid w-full justify-items-center px-2 text-xs leading-snug">
      <JobStatus status={job.status} />
      <span dir="auto" className="wrap-anywhere mt-0.5 line-clamp-2 text-balance text-center text-ink-3">
        {titleOf(job)}
      </span>
    </span>
  );
}

/** The title of a job, as in the queue: the prompt, else the model. */
const titleOf = ({ model, payload, requestId }: TrackedJob) =>
  visibleLine(jobPrompt(payload) ?? model ?? requestId, 120);
