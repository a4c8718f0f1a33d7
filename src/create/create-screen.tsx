import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useLocation, useNavigate, useParams, useRouter } from "@tanstack/react-router";
import { Box, Image } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useApi } from "#connection/client.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { visibleLine } from "#lib/visible-text.ts";
import { modelCommands } from "#models/commands.ts";
import { useInactiveModels } from "#models/inactive-models.ts";
import { ModelCard } from "#models/model-card.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { useFormSchema } from "#schema-form/form/use-form-schema.ts";
import { useReadingHints } from "#schema-form/read/place-store.ts";
import { readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { lazyPart } from "#ui/lazy-part.tsx";
import { Beginnings } from "./beginnings.tsx";
import { type CreatePane, CreatePanes, useAskedPane, useResultInView } from "./create-panes.tsx";
import { useStartingDraft } from "./drafts.ts";
import { InactiveNotice } from "./inactive-notice.tsx";
import { PayloadForm } from "./payload-form.tsx";
import { RecentList } from "./recent-list.tsx";
import { ResultBatch } from "./result-batch.tsx";
import { usePendingRun } from "./run/use-run.ts";
import { FormSkeleton, StartModel } from "./start-model.tsx";
import { type FormLinks, usePrefill } from "./use-prefill.ts";

// What waits for, shows and downloads results: the form is usable before it.
const ResultStage = lazyPart(() => import("./result-stage.tsx").then((module) => module.ResultStage));

// It brings the virtual list.
const ModelPicker = lazyPart(() => import("#models/model-picker.tsx").then((module) => module.ModelPicker));

const route = getRouteApi("/studio/create");
const CREATE_PATH = /^\/create(\/|$)/;

/** `/create/$modelId`: a model's form, its price and Run; beside it the result of one job and the recent jobs. */
export function CreateScreen() {
  const modelId = useParams({ from: "/studio/create/$modelId", shouldThrow: false })?.modelId;
  const search = route.useSearch();
  const navigate = useNavigate();
  const router = useRouter();
  // Who is on the way to another screen, whose code is still to come, is not called back to a run that was accepted
  // meanwhile. It is shown to one who turns back before that screen came.
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
        selectedId={modelId}
        startType={pickedType}
        onSelect={openModel}
      />
    </>
  );
}

function NoRecent() {
  return <p className="m-0 p-3 text-center text-[12.5px] text-ink-3">Your runs appear here.</p>;
}

/** Before the first run: what will stand here. */
function NothingRun() {
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState icon={Image} title="Your result will appear here">
        Fill in the form and press Run, or choose one of your recent jobs. You find all results in{" "}
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
  // However one came to it: by the list, a link or a result.
  useEffect(() => {
    if (isKnown) writeText(KEYS.lastModel, modelId);
  }, [isKnown, modelId]);
  const card = (
    <>
      <ModelCard id={modelId} onClick={onPick} />
      {isInactive && <InactiveNotice modelId={modelId} onSelect={onModel} />}
    </>
  );

  // A form that is open stays where its parameters could not be read again.
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
