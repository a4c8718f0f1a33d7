import { Check, CircleAlert, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import { RefusedError } from "#api/api-error.ts";
import { counted, formatDecimals, formatNumber } from "#lib/numbers.ts";
import { Button } from "#ui/button.tsx";
import { Spinner, StatusDot } from "#ui/indicators.tsx";
import {
  type CandidateAddresses,
  type CheckState,
  type Checks,
  type CheckWords,
  explainCheck,
  type Half,
  type Offer,
} from "./checks.ts";

/** The result of a paste, with only the last four characters of the key. */
export interface Found {
  /** Undefined where the text contains no URL. */
  candidates: CandidateAddresses | undefined;
  keyHint: string | undefined;
  /** Whether the text has a placeholder for a key, and no key. */
  hasPlaceholder: boolean;
}

interface FoundPanelProps {
  found: Found;
  checks: Checks | null;
  onOffer: (half: Half, offer: Offer) => void;
}

/** The URLs and the key that were found in a paste, each with the result of its check. */
export function FoundPanel({ found: { candidates, keyHint, hasPlaceholder }, checks, onOffer }: FoundPanelProps) {
  if (candidates === undefined && keyHint === undefined) {
    return (
      <p role="status" className="m-0 text-ink-2">
        {hasPlaceholder ? "No URL or key found, only a placeholder for a key." : "No URL or key found."} Paste a URL
        that starts with https://, or a whole curl command.
      </p>
    );
  }
  const isRefused = checks !== null && isKeyRefused(checks);
  const isSame = checks !== null && haveSameProblem(checks);
  const rowProps = (half: Half) => ({ half, candidates, checks, onOffer, isRefused });
  return (
    <section aria-labelledby="found" className="flex flex-col gap-1.5">
      <h2 id="found" className="m-0 font-medium text-sm">
        Found in your paste
      </h2>
      <ul aria-live="polite" aria-labelledby="found" className="m-0 list-none overflow-hidden rounded-md bg-panel p-0">
        {candidates && <HalfRow label="Queue URL" {...rowProps("queue")} />}
        <KeyRow keyHint={keyHint} hasPlaceholder={hasPlaceholder} checks={checks} isRefused={isRefused} />
        {candidates && <HalfRow label="Inference URL" {...rowProps("inference")} isSame={isSame} />}
      </ul>
    </section>
  );
}

/** Whether the service responded, but rejected the key. The problem is then shown at the key, not at a URL. */
function isKeyRefused({ queue, inference }: Checks): boolean {
  return queue.phase !== "ok" && inference.phase !== "ok" && [queue, inference].some(isUnauthorized);
}

function isUnauthorized(state: CheckState): boolean {
  return (
    state.phase === "failed" &&
    state.error instanceof RefusedError &&
    state.error.status === 401 &&
    state.error.hostReason === undefined
  );
}

function Row({ sign, label, value, status }: { sign: ReactNode; label: string; value: string; status: ReactNode }) {
  return (
    <div className="grid min-h-10 grid-cols-[--spacing(4.5)_minmax(0,1fr)_auto] items-center gap-x-2.5 px-3.5 py-1.5 text-sm sm:grid-cols-[--spacing(4.5)_--spacing(30.5)_minmax(0,1fr)_auto]">
      <span className="grid size-4.5 place-items-center">{sign}</span>
      <span className="text-ink-2">{label}</span>
      <span title={value} className="truncate font-mono text-sm max-sm:order-last max-sm:col-span-2 max-sm:col-start-2">
        {value}
      </span>
      <span className="text-sm text-ink-3 tabular-nums">{status}</span>
    </div>
  );
}

const GOOD = (
  <span className="grid size-4.5 place-items-center rounded-full bg-success/20 text-success">
    <Check aria-hidden="true" strokeWidth={3} className="size-3" />
  </span>
);
const BAD = <CircleAlert aria-hidden="true" className="size-4.5 text-failed" />;
const OPEN = <CircleDashed aria-hidden="true" className="size-4 text-ink-3" />;

function Failed({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-failed">
      <StatusDot tone="failed" />
      {children}
    </span>
  );
}

const ROW = "border-line not-first:border-t";
const BLOCK =
  "grid items-center gap-x-4 gap-y-2 bg-failed-soft py-3 pr-3.5 pl-10.5 text-sm sm:grid-cols-[minmax(0,1fr)_auto]";

function KeyRow({
  keyHint,
  hasPlaceholder,
  checks,
  isRefused,
}: Pick<Found, "keyHint" | "hasPlaceholder"> & { checks: Checks | null; isRefused: boolean }) {
  const isAccepted = checks !== null && [checks.queue, checks.inference].some(({ phase }) => phase === "ok");
  const missing = hasPlaceholder ? "Placeholder" : "None";
  const failed = checks && [checks.queue, checks.inference].find(isUnauthorized);
  const words = checks && isRefused && failed?.phase === "failed" ? explainCheck("queue", failed, checks) : undefined;
  const status = keyHint === undefined ? "Enter your key below" : isAccepted ? "Accepted" : undefined;
  return (
    <li className={ROW}>
      <Row
        sign={isAccepted ? GOOD : isRefused ? BAD : OPEN}
        label="Key"
        value={keyHint === undefined ? missing : `····${keyHint}`}
        status={isRefused ? <Failed>Rejected</Failed> : status}
      />
      {words && (
        <div className={BLOCK}>
          <div className="min-w-0 sm:col-span-2">
            <b className="font-medium">{words.title}</b>
            <p className="wrap-anywhere m-0 text-ink-2">
              {words.body} {words.nextStep}
            </p>
          </div>
        </div>
      )}
    </li>
  );
}

interface HalfRowProps {
  half: Half;
  label: string;
  candidates: CandidateAddresses | undefined;
  checks: Checks | null;
  onOffer: FoundPanelProps["onOffer"];
  isRefused: boolean;
  /** Whether the row of the other half shows the same problem. */
  isSame?: boolean;
}

function HalfRow({ half, label, candidates, checks, onOffer, isRefused, isSame = false }: HalfRowProps) {
  const state = checks?.[half];
  const isKeyRefusal = isRefused && state !== undefined && isUnauthorized(state);
  const words = checks && state && "error" in state && !isKeyRefusal ? explainCheck(half, state, checks) : undefined;
  return (
    <li className={ROW}>
      <Row
        sign={signOf(state, isKeyRefusal)}
        label={label}
        value={state?.address ?? candidates?.[half][0] ?? ""}
        status={statusOf(state, isKeyRefusal)}
      />
      {state && words && !isSame && (
        <div className={BLOCK}>
          <div className="min-w-0">
            <b className="font-medium">{words.title}</b>
            <p className="wrap-anywhere m-0 text-ink-2">{nextWords(words, state)}</p>
          </div>
          <OfferButton half={half} words={words} onOffer={onOffer} />
        </div>
      )}
    </li>
  );
}

function signOf(state: CheckState | undefined, isKeyRefusal: boolean): ReactNode {
  if (state?.phase === "ok") return GOOD;
  if (state?.phase === "failed" && !isKeyRefusal) return BAD;
  return state?.phase === "running" || state?.phase === "waiting" ? <Spinner /> : OPEN;
}

function statusOf(state: CheckState | undefined, isKeyRefusal: boolean): ReactNode {
  if (state === undefined) return "Not checked yet";
  if (state.phase === "ok") return counted(state.count, "model");
  if (state.phase === "running") return "Checking…";
  if (state.phase === "waiting") return "Waiting…";
  return isKeyRefusal ? "Reachable" : <Failed>Check failed</Failed>;
}

interface CheckListProps {
  checks: Checks;
  /** Called when the person presses the button beside a problem. */
  onOffer: (half: Half, offer: Offer) => void;
}

/** Both checks with their results: the number of models and the time, or what is wrong and what to do. */
export function CheckList({ checks, onOffer }: CheckListProps) {
  const isSame = haveSameProblem(checks);
  return (
    <ul
      aria-label="Checks"
      aria-live="polite"
      className="m-0 flex list-none flex-col gap-2 rounded-md border border-line bg-panel p-3.5"
    >
      <CheckItem name="Queue" half="queue" checks={checks} onOffer={onOffer} />
      <CheckItem name="Text" half="inference" checks={checks} onOffer={onOffer} isSame={isSame} />
    </ul>
  );
}

interface CheckItemProps extends CheckListProps {
  name: string;
  half: Half;
  /** Whether the other check shows the same problem. */
  isSame?: boolean;
}

function CheckItem({ name, half, checks, onOffer, isSame = false }: CheckItemProps) {
  const state = checks[half];
  return (
    <li className="grid grid-cols-[--spacing(3.5)_1fr_auto] items-start gap-x-2.5">
      <span className="flex h-5 items-center">
        <Sign state={state} />
      </span>
      {state.phase === "running" && <span className="text-ink-2">{name}: checking…</span>}
      {state.phase === "ok" && (
        <>
          <span>
            {name}, {counted(state.count, "model")}
          </span>
          <span className="text-ink-3 tabular-nums">{formatNumber(state.tookMs)} ms</span>
        </>
      )}
      {"error" in state && (
        <div className="col-span-2 min-w-0">
          {isSame ? (
            <span>{name}: same problem</span>
          ) : (
            <Problem name={name} half={half} state={state} checks={checks} onOffer={onOffer} />
          )}
        </div>
      )}
    </li>
  );
}

function Sign({ state }: { state: CheckState }) {
  if (state.phase === "running") return <Spinner />;
  if (state.phase === "ok") return <StatusDot tone="success" label="Reachable:" />;
  return state.phase === "waiting" ? (
    <StatusDot tone="unconfirmed" label="Waiting:" />
  ) : (
    <StatusDot tone="failed" label="Failed:" />
  );
}

/** Why a check failed and what to do, with a button for it where there is one. */
function Problem({
  name,
  half,
  state,
  checks,
  onOffer,
}: CheckItemProps & { state: Extract<CheckState, { error: unknown }> }) {
  const { error } = state;
  const words = explainCheck(half, state, checks);
  return (
    <>
      <span>
        {name}: {words.title}
      </span>
      {error instanceof RefusedError && error.hostReason === undefined && (
        <span className="text-ink-3 tabular-nums"> {error.status}</span>
      )}
      <p className="wrap-anywhere m-0 text-ink-2">{nextWords(words, state)}</p>
      <OfferButton half={half} words={words} onOffer={onOffer} className="mt-1.5" />
    </>
  );
}

/** The text below the title of a problem: what happened, and what to do now. */
function nextWords({ body, nextStep }: CheckWords, state: CheckState): string {
  const next = state.phase === "waiting" ? `Trying again in ${formatDecimals(state.retryInMs / 1000, 1)} s.` : nextStep;
  return body === "" ? next : `${body} ${next}`;
}

function OfferButton({
  half,
  words: { offer },
  onOffer,
  className,
}: {
  half: Half;
  words: CheckWords;
  onOffer: CheckListProps["onOffer"];
  className?: string;
}): ReactNode {
  if (!offer) return null;
  return (
    <Button size="sm" className={className} onClick={() => onOffer(half, offer)}>
      {offer.kind === "swap" ? "Swap URLs" : `Use ${offer.host}`}
    </Button>
  );
}

/** Whether both checks failed with the same words, which are then shown only once. */
function haveSameProblem(checks: Checks): boolean {
  const { queue, inference } = checks;
  if (queue.phase !== "failed" || inference.phase !== "failed") return false;
  const [first, second] = [explainCheck("queue", queue, checks), explainCheck("inference", inference, checks)];
  return first.title === second.title && nextWords(first, queue) === nextWords(second, inference);
}
