// The running of a form: its price and the press of Run (`useRun`), and the bar that shows them.

import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Folder } from "lucide-react";
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useForm } from "react-hook-form";
import { RefusedError } from "#api/api-error.ts";
import { explainError } from "#api/explain-error.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { getRoughTime, rangeText, useUsualTimes } from "#results/waiting/usual-time.ts";
import { ProjectSelect } from "#runs/ledger/project-select.tsx";
import { MAX_PROJECT_NAME_CHARS, projectName } from "#runs/ledger/projects.ts";
import { SHARED_BALANCE } from "#runs/ledger/spend-limits.ts";
import { useProjects, useSpendLimits } from "#runs/ledger/use-ledger.ts";
import { fetchPrice, type Price, useEstimate } from "#runs/prices/estimate-queries.ts";
import { payloadKey } from "#runs/request-key.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import { useSubmit } from "#runs/submit/submissions.ts";
import { openRunText } from "#runs/submit/submit-words.ts";
import type { Problem } from "#schema-form/check/problems.ts";
import { rememberPrompt } from "#schema-form/controls/prompt-memory.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { useFormPayload, useFormProblems, usePendingUploads } from "#schema-form/form/use-schema-form.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { Button } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { TextInput } from "#ui/field.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { toast } from "#ui/toast-store.ts";
import { createCommands } from "../commands.ts";
import { finishTyping } from "../form-focus.ts";

/** The running of a form: its price, the press of Run and the outcome. */
type FormRun = ReturnType<typeof useRun>;

/**
 * Connects a form with `useSubmit`: the price of its payload, and the press of Run. A press before the price is known
 * waits for it (`useRunWhenPriced`). A press that cannot run moves the focus to the first field with a problem.
 */
export function useRun({
  form,
  schema,
  element,
  promptKey,
  showFields,
  onAccepted,
}: {
  form: FormHandle;
  schema: FormSchema;
  /** The element of the form: the field that has the focus takes over its text before a run. */
  element: RefObject<HTMLFormElement | null>;
  promptKey: string | undefined;
  /** Called before the focus goes to a field. */
  showFields: () => void;
  /** The service has accepted a run of this model. `isOwn`: it was pressed in this form. */
  onAccepted: (requestId: string, isOwn: boolean) => void;
}) {
  const { modelId } = form;
  const payload = useFormPayload(form);
  const problems = useFormProblems(form);
  const pendingUploads = usePendingUploads(form);
  const isValid = problems.length === 0;
  const estimate = useEstimate(isValid ? { model: modelId, payload } : undefined, schema);
  const { price } = estimate;
  const submit = useSubmit(modelId);
  const handledId = useRef<string>(undefined);
  // False for a job that was accepted on an earlier visit: its next seed was drawn then.
  const hasRun = useRef(false);

  const requestId = submit.state.phase === "accepted" ? submit.state.requestId : undefined;
  useEffect(() => {
    if (requestId === undefined || handledId.current === requestId) return;
    handledId.current = requestId;
    onAccepted(requestId, hasRun.current);
    if (hasRun.current) form.drawNextSeeds();
    hasRun.current = false;
  }, [requestId, onAccepted, form]);

  const send = (sentPayload: JsonRecord, priceMicroUsd: MicroUsd) => {
    hasRun.current = true;
    rememberPrompt(textAt(sentPayload, promptKey));
    void submit.submit({ model: modelId, payload: sentPayload }, priceMicroUsd);
  };
  // A file that is dropped while a run waits for its price counts as a change, because the form cannot run meanwhile.
  const canRun = isValid && pendingUploads === 0;
  const waitingRun = useRunWhenPriced({ modelId, payload: canRun ? payload : undefined, onPriced: send });
  const openRun = openRunText(submit.state);

  function press() {
    if (openRun !== undefined || submit.state.phase === "sending" || waitingRun.isWaiting) return;
    waitingRun.forget();
    finishTyping(element.current);
    // `payload` may be older, because what was typed just now may not have rendered yet.
    const pressed = form.getPayload();
    if (form.getProblems().length > 0 || price.state === "failed") {
      showFields();
      void form.focusFirstProblem();
      if (price.state === "failed" && !form.getRefused()) estimate.retry();
    } else if (pendingUploads === 0) {
      if (pressed === payload && price.state === "priced") send(pressed, price.priceMicroUsd);
      else void waitingRun.waitForPrice(pressed);
    }
  }
  // A question about a price belongs to its payload. To confirm it for another payload would be no consent.
  const isQuestionOpen = submit.state.phase === "not-sent" && submit.state.priceMicroUsd !== undefined;
  const isOtherRun = isQuestionOpen && submit.run !== undefined && !sameJson(submit.run.request.payload, payload);
  const { dismiss } = submit;
  const dropQuestion = useEffectEvent(dismiss);
  useEffect(() => {
    if (isOtherRun) dropQuestion();
  }, [isOtherRun]);

  /** `openRun`: why no other run may be submitted before the last one is settled, as a sentence. */
  return { payload, problems, pendingUploads, canRun, estimate, submit, waitingRun, openRun, press };
}

function textAt(payload: JsonRecord, key: string | undefined): string {
  const words = key !== undefined && Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof words === "string" ? words : "";
}

/**
 * A press of Run right after a change: it waits for the price of the payload as it was at the press, and is submitted
 * then, once. Any change of the payload cancels it, as Escape does, and so does a price that does not come.
 */
export function useRunWhenPriced({
  modelId,
  payload,
  onPriced,
}: {
  modelId: string;
  /** The payload as it is now; undefined while it cannot be run. */
  payload: JsonRecord | undefined;
  /** Called once, when the price of the waiting payload is known. */
  onPriced: (payload: JsonRecord, priceMicroUsd: MicroUsd) => void;
}) {
  const api = useApi();
  const client = useQueryClient();
  const [waitingKey, setWaitingKey] = useState<string>();
  const [note, setNote] = useState<string>();
  // The press that waits. A canceled one is not submitted when its price comes later.
  const press = useRef<object>(undefined);

  const end = (why?: string) => {
    press.current = undefined;
    setWaitingKey(undefined);
    setNote(why);
  };
  const cancel = () => end("Run cancelled. Nothing was submitted.");

  async function waitForPrice(pressed: JsonRecord) {
    const thisPress = {};
    press.current = thisPress;
    setNote(undefined);
    setWaitingKey(payloadKey(pressed));
    const request = { model: modelId, payload: pressed };
    const priceMicroUsd = await fetchPrice({ api, client }, request).catch(() => undefined);
    if (press.current !== thisPress) return;
    end(
      priceMicroUsd === undefined ? "There is no price, so the run was cancelled. Nothing was submitted." : undefined,
    );
    if (priceMicroUsd !== undefined) onPriced(pressed, priceMicroUsd);
  }

  const isWaiting = waitingKey !== undefined;
  const isChanged = isWaiting && (payload === undefined || payloadKey(payload) !== waitingKey);
  const onChanged = useEffectEvent(() => {
    end("The form changed, so the run was cancelled. Nothing was submitted.");
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("[aria-modal=true]")) return;
    event.preventDefault();
    cancel();
  });
  useEffect(() => {
    if (isChanged) onChanged();
  }, [isChanged]);
  useEffect(() => {
    if (!isWaiting) return;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isWaiting]);
  useEffect(
    () => () => {
      press.current = undefined;
    },
    [],
  );
  return {
    /** Whether a press waits for its price. */
    isWaiting,
    /** Why the last press that waited was not submitted, as a sentence. */
    note: isWaiting ? undefined : note,
    /** Lets a press of Run for a payload wait until its price is known. */
    waitForPrice,
    cancel,
    /** Removes the note. */
    forget: () => setNote(undefined),
  };
}

interface RunBarProps {
  form: FormHandle;
  run: FormRun;
  /** How many results the run asks for, where the model can make several. */
  count: number;
  /** The plural of a result: "images". */
  plural: string;
  /** What the model makes. */
  kind: string | undefined;
  /** The button that makes a batch of the form, beside the price. */
  batch?: ReactNode;
}

/**
 * The price and the one button that spends it. The estimate is the charge (spec 2), so the button carries it. When it
 * cannot run it stays focusable and the line above shows why. A press while a price is loading waits for it.
 */
export function RunBar({ form, run, count, plural, kind, batch }: RunBarProps) {
  const { problems, pendingUploads, waitingRun, openRun } = run;
  const { price, retry } = run.estimate;
  const { state } = run.submit;
  useFieldRefusals(form, price, state);
  const { limits, todayMicroUsd } = useSpendLimits();
  const isSandbox = useConnection()?.isSandbox;
  const sending = state.phase === "sending";
  const hasFailed = price.state === "failed";
  const isStale = price.state !== "priced";
  const shownMicroUsd = price.state === "pricing" ? price.formerMicroUsd : !hasFailed ? price.priceMicroUsd : undefined;
  const isUploading = problems.length === 0 && !hasFailed && pendingUploads > 0;
  return (
    // The text stands above the buttons: a longer one grows upwards, and Run stays where it is.
    <>
      <div
        className={clsx(
          "narrow:flex-wrap mx-4 mt-3 flex min-h-6 items-center gap-x-2 text-sm text-ink-2",
          hasFailed && "flex-wrap justify-between",
        )}
      >
        <span role="status" className={clsx("wrap-anywhere min-w-0", hasFailed && "basis-full")}>
          {openRun ?? statusLine({ form, run, count, plural })}
        </span>
        {waitingRun.isWaiting && (
          <Button size="sm" variant="ghost" className="-my-1 ml-auto" onClick={waitingRun.cancel}>
            Cancel
          </Button>
        )}
        {!hasFailed && !waitingRun.isWaiting && (
          <span className="ml-auto whitespace-nowrap text-ink-3 tabular-nums">
            Today {formatMicroUsd(todayMicroUsd)}
            {limits.perDayMicroUsd !== undefined && ` of ${formatMicroUsd(limits.perDayMicroUsd)}`}
          </span>
        )}
        {batch}
        {hasFailed && problems.length === 0 && (
          <Button size="sm" variant="ghost" className="ml-auto" onClick={retry}>
            Try again
          </Button>
        )}
      </div>
      {waitingRun.note !== undefined && (
        <p role="status" className="m-0 mx-4 mt-2.5 text-sm text-ink-2">
          {waitingRun.note}
        </p>
      )}
      <div className="mt-2.5 flex flex-col gap-2.5 px-4">
        <ProjectPicker />
        <Button
          variant="primary"
          size="lg"
          className="w-full"
          aria-label="Run"
          {...useCommandProps(createCommands.run)}
          busy={sending || waitingRun.isWaiting}
          aria-disabled={openRun !== undefined || isUploading}
          onClick={openRun === undefined ? run.press : undefined}
        >
          {sending ? "Submitting…" : "Run"}
          {shownMicroUsd !== undefined && problems.length === 0 && (
            <span className={clsx("tabular-nums transition-opacity duration-150", isStale && "opacity-50")}>
              {formatMicroUsd(shownMicroUsd)}
            </span>
          )}
          <Kbd command={createCommands.run} />
        </Button>
        <p className="-mt-1 m-0 text-center text-xs text-ink-3 leading-snug">
          {isSandbox ? "Prices in the sandbox are examples. You pay nothing." : SHARED_BALANCE}{" "}
          <Link to="/prices/$modelId" params={{ modelId: form.modelId }} className="underline">
            Price table
          </Link>
          {/* The time of a slow run. The line has its height from the start, because its text comes late. */}
          {kind === "video" && (
            <span className="block min-h-4">
              <ExpectedTime model={form.modelId} kind={kind} />
            </span>
          )}
        </p>
      </div>
    </>
  );
}

/** The line above Run: what a press waits for, why it cannot run, or what the price is for. */
function statusLine({ form, run, count, plural }: Pick<RunBarProps, "form" | "run" | "count" | "plural">): ReactNode {
  const { problems, pendingUploads, waitingRun } = run;
  const { price } = run.estimate;
  const { state } = run.submit;
  if (state.phase === "sending") return state.step === "checking" ? "Checking the price…" : "Waiting for a response…";
  if (waitingRun.isWaiting) return "Runs as soon as the price loads";
  if (pendingUploads > 0) return `Waiting for ${counted(pendingUploads, "upload")}…`;
  if (problems.length > 0) {
    const fields = problems.length === 1 ? shortLabel(problems[0]) : counted(problems.length, "field");
    if (!problems.every(({ missing }) => missing)) return `Check ${fields}`;
    return problems.length === 1 ? `${fields} needs a value` : `${fields} need a value`;
  }
  // Spec 2: the estimate takes the same body as the submit, so what it refuses the submit would refuse, too.
  if (price.state === "failed") return <PriceProblem error={price.error} form={form} />;
  if (price.state === "pricing") return "Loading the price…";
  if (!price.isExact) return "Estimated price";
  const each = price.priceMicroUsd / count;
  return count > 1 && Number.isInteger(each)
    ? `${formatNumber(count)} ${plural} × ${formatMicroUsd(each)}`
    : "Price for this run";
}

/** The name of the field, where it fits into the line above Run. */
function shortLabel(problem: Problem | undefined): string {
  const label = visibleLine(problem?.label ?? "", 40);
  return label === "" || label.length > 28 ? counted(1, "field") : label;
}

/** Why there is no price, in full or by naming the field that shows it. */
function PriceProblem({ error, form }: { error: unknown; form: FormHandle }) {
  const refused = useSyncExternalStore(form.subscribe, form.getRefused);
  const { body, nextStep } = explainError(error, "estimate");
  if (refused?.missing) return `No price yet: ${refused.message}.`;
  if (refused) return `No price: the service rejected ${refused.label}.`;
  return `No price. ${body} ${nextStep}`;
}

/** Statuses of spec 7 that are about the key, the balance, the model or the rate, not about a parameter. */
const NOT_ABOUT_FIELDS = new Set([401, 402, 403, 404, 405, 408, 429]);

/** Rejections that were put beside a field once. A form that opens again must not show them a second time. */
const shownRejections = new WeakSet<SubmitState>();

/**
 * Puts the service's own words beside the field that they name: why there is no price, and why a run was rejected.
 * Provider errors are passed through with their own status (spec 7, last row), so any other 4xx counts.
 */
function useFieldRefusals(form: FormHandle, price: Price, state: SubmitState): void {
  /** Whether the refusal in the form came from the estimate. */
  const isOfPrice = useRef(false);
  const priceRefusal = price.state === "failed" ? refusalText(price.error) : undefined;
  const hasPrice = price.state === "priced" && price.isExact;
  useEffect(() => {
    if (priceRefusal !== undefined) isOfPrice.current = form.refuse(priceRefusal);
    // A price proves that nothing is refused any more. While it is loading the words stay, so that nothing jumps.
    else if (hasPrice && isOfPrice.current) isOfPrice.current = form.refuse(undefined);
  }, [form, priceRefusal, hasPrice]);
  useEffect(() => {
    if (state.phase !== "rejected" || shownRejections.has(state)) return;
    shownRejections.add(state);
    const message = isAboutFields(state.refusal.status) ? state.refusal.message : undefined;
    if (message === undefined) return;
    isOfPrice.current = false;
    void form.attempt().then(() => form.refuse(message));
  }, [form, state]);
}

const isAboutFields = (status: number) => status >= 400 && status < 500 && !NOT_ABOUT_FIELDS.has(status);

function refusalText(error: Error): string | undefined {
  return error instanceof RefusedError && isAboutFields(error.status) ? error.message : undefined;
}

/**
 * How long a run usually takes this person, else how long its kind takes in general. Empty while times are being read,
 * and where nothing is known.
 */
function ExpectedTime({ model, kind }: { model: string; kind: string }) {
  const times = useUsualTimes();
  const usual = times.of(model, kind);
  return <>{usual ? `Usually ${rangeText(usual)}.` : times.isReading ? "" : getRoughTime(kind)}</>;
}

/** Chooses the project of the next runs: one, none, or a new one. The choice counts for all tabs. */
function ProjectPicker() {
  const { current, isRead, choose } = useProjects();
  const [isNew, setIsNew] = useState(false);
  const select = useRef<HTMLSelectElement>(null);
  useCommands([
    {
      ...createCommands.project,
      icon: Folder,
      run: () => select.current?.focus(),
    },
  ]);
  // As high as the field, so that nothing moves.
  if (!isRead) return <div className={HEIGHT} />;
  if (isNew) {
    return (
      <NewProject
        onEnd={() => {
          setIsNew(false);
          requestAnimationFrame(() => select.current?.focus());
        }}
      />
    );
  }
  return (
    <div className={`flex items-center gap-2 text-sm text-ink-2 ${HEIGHT}`} data-field="">
      <Folder aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <ProjectSelect
        ref={select}
        aria-label="Project"
        className="min-w-0 flex-1"
        projectId={current?.id}
        onChoose={(id) => void choose(id).catch(couldNotSave)}
        extraOption={{ label: "New project", onChoose: () => setIsNew(true) }}
      />
    </div>
  );
}

const HEIGHT = "min-h-6.5 pointer-coarse:min-h-11";

const couldNotSave = () =>
  toast({ title: "Couldn’t save the project", body: "Free some disk space, then try again.", tone: "error" });

function NewProject({ onEnd }: { onEnd: () => void }) {
  const { create } = useProjects();
  const { register, handleSubmit } = useForm({ defaultValues: { name: "" } });
  const save = async ({ name }: { name: string }) => {
    try {
      await create(name);
      onEnd();
    } catch {
      couldNotSave();
    }
  };
  const submit = () => void handleSubmit(save)();
  return (
    // Not a form, because it is inside the model's form.
    <fieldset
      data-field=""
      className={`m-0 flex min-w-0 items-center gap-1.5 border-0 p-0 ${HEIGHT}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" && event.key !== "Enter") return;
        if (event.target instanceof HTMLButtonElement) return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === "Enter") submit();
        else onEnd();
      }}
    >
      <TextInput
        {...register("name", { validate: (text) => projectName(text) !== "" })}
        aria-label="New project name"
        placeholder="New project name"
        autoComplete="off"
        maxLength={MAX_PROJECT_NAME_CHARS}
        // The person chose to write it just now.
        autoFocus
        className="min-h-6.5 min-w-0 flex-1"
      />
      <Button size="sm" onClick={submit}>
        Save
      </Button>
      <Button size="sm" variant="ghost" onClick={onEnd}>
        Cancel
      </Button>
    </fieldset>
  );
}
