import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, useEffect, useState } from "react";
import { OnDemand } from "#ui/on-demand.tsx";
import { type CreatePane, CreatePanes } from "./create-panes.tsx";
import { readCreateSearch } from "./create-search.ts";
import { rememberLastModel } from "./last-model.ts";
import { ModelForm } from "./model-form.tsx";
import { RecentStrip } from "./recent-strip.tsx";
import { Stage } from "./stage.tsx";
import { StartModel } from "./start-model.tsx";
import { useArrival } from "./use-arrival.ts";
import { useModKey } from "./use-mod-key.ts";

// What the form does not need at once is loaded when it is asked for: the first load stays small.
const ModelPicker = lazy(() =>
  import("#models/model-picker.tsx").then(({ ModelPicker: component }) => ({ default: component })),
);

/** `/create/$modelId`: a model's form, its price and Run; beside it the job on the stage and the recent ones. */
export function CreateScreen() {
  const { modelId } = useParams({ strict: false });
  const search = readCreateSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [pane, setPane] = useState<CreatePane>("inputs");
  const [picking, setPicking] = useState(false);
  const links = useArrival(modelId, search);
  const arrivalId = links.arrival?.id;
  useEffect(() => {
    if (arrivalId !== undefined) setPane("inputs");
  }, [arrivalId]);
  useModKey("m", () => setPicking(true));

  function openModel(id: string) {
    rememberLastModel(id);
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
            <ModelForm key={modelId} modelId={modelId} links={links} onPick={() => setPicking(true)} onJob={showJob} />
          )
        }
        result={<Stage requestId={search.job} />}
        recent={<RecentStrip selected={search.job} onSelect={showJob} />}
      />
      <OnDemand when={picking}>
        <ModelPicker open={picking} onOpenChange={setPicking} selectedId={modelId} onSelect={openModel} />
      </OnDemand>
    </>
  );
}
