import { getRouteApi, useRouter } from "@tanstack/react-router";
import { ChevronDown, FlaskConical } from "lucide-react";
import { type ClipboardEvent, type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import {
  type Connection,
  dropConnection,
  endConnection,
  endLabel,
  getCustody,
  keepConnection,
  openConnection,
  openSandbox,
  type Ticketed,
  useConnection,
  useConnections,
  useEndedConnection,
} from "#connection/connection-store.ts";
import { hasSandbox, isServedByHost } from "#connection/relay.ts";
import { useSealedConnections } from "#connection/sealed-connections.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Notice } from "#ui/notice.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { CheckList, type Found, FoundPanel } from "./check-results.tsx";
import { type CandidateAddresses, type Half, isBusy, type Offer, useChecks } from "./checks.ts";
import {
  AddressField,
  DirectNote,
  HeaderChoice,
  KeyField,
  PasteBox,
  type PasteBoxHandle,
  StoreChoice,
} from "./connect-fields.tsx";
import {
  candidatesFrom,
  findConnectProblems,
  getCandidates,
  loadValues,
  type Pasted,
  type Problems,
  readPaste,
  readValues,
  safeBack,
  saveAddresses,
} from "./connect-values.ts";
import { UnlockPanel } from "./unlock-panel.tsx";

const route = getRouteApi("/connect");

/** The screen for a visitor without a connection: the sandbox in one press, or a key and two addresses. */
export function ConnectScreen() {
  const router = useRouter();
  const { back } = route.useSearch();
  const connection = useConnection();
  const locked = useLocked();
  const leave = (home?: string) => router.history.push(safeBack(back, home));
  return (
    // The page begins at a fixed line, so that nothing above moves when the result of a paste makes it longer. In two
    // columns, an empty form (about 590 px) then stands a little above the middle.
    <main className="grid min-h-dvh content-start justify-items-center bg-canvas px-4 pt-[clamp(40px,11dvh,150px)] pb-10 text-ink lg:pt-[max(40px,40dvh-236px)] short:pt-6">
      <div className="grid w-full max-w-140 gap-x-14 gap-y-5 lg:w-auto lg:max-w-none lg:grid-cols-[--spacing(140)_--spacing(74)]">
        <header className="flex flex-col gap-5 lg:col-span-2">
          <div className="flex items-center gap-2.5 font-semibold text-base tracking-tight">
            <img src="/favicon.svg" alt="" width={18} height={18} />
            Safelight
          </div>
          <h1 className="m-0 font-semibold text-xl leading-tight tracking-tighter">Connect your service</h1>
        </header>
        <div className="flex min-w-0 flex-col gap-5">
          {connection && <CurrentConnection connection={connection} onOpen={() => leave()} />}
          {locked.length === 0 && <EndedNotice />}
          {locked.map((sealed) => (
            <UnlockPanel key={sealed.accountId} sealed={sealed} onOpened={() => leave()} />
          ))}
          <ConnectForm onConnected={leave} />
        </div>
        <aside className="flex min-w-0 flex-col gap-3.5 lg:pt-6.5">
          <FindHelp />
          {hasSandbox() && <SandboxOffer onOpened={() => leave()} />}
        </aside>
      </div>
    </main>
  );
}

const STEPS = [
  ["URLs.", "Open the service’s docs, copy a curl example, and paste it here."],
  ["Key.", "Sign in to the service and open “API keys”. Create a key if the list is empty."],
  ["Only one URL?", "Paste that one. Safelight looks for the other on the same host."],
] as const;

/** Where to find URLs and key. Collapsed on a phone, where it would push the sandbox out of sight. */
function FindHelp() {
  const isPhone = useIsPhone();
  return (
    <details open={!isPhone} className="group rounded-md bg-panel px-4.5 py-4">
      <summary className="flex cursor-pointer list-none items-center font-semibold text-base leading-snug [&::-webkit-details-marker]:hidden">
        Where to find these
        <ChevronDown
          aria-hidden="true"
          className="ml-auto size-4 text-ink-3 transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <ol className="m-0 mt-3.5 flex list-none flex-col gap-3.5 p-0 text-sm text-ink-2 leading-normal">
        {STEPS.map(([name, what], index) => (
          <li key={name} className="grid grid-cols-[--spacing(5)_1fr] gap-2.5">
            <span
              aria-hidden="true"
              className="size-5 rounded-full bg-hover text-center font-medium text-xs text-ink-2 leading-relaxed"
            >
              {index + 1}
            </span>
            <span className="text-pretty">
              <b className="font-medium text-ink">{name}</b> {what}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Opens the sandbox, which has every screen and needs no key. */
function SandboxOffer({ onOpened }: { onOpened: () => void }) {
  const enter = async () => {
    await openSandbox();
    onOpened();
  };
  return (
    <section aria-label="Sandbox" className="rounded-md bg-panel px-4.5 py-4">
      <h2 className="m-0 font-semibold text-base leading-snug">No API key?</h2>
      <p className="m-0 mt-1 mb-3 text-pretty text-sm text-ink-2 leading-normal">
        Try every screen with sample jobs. Free demo.
      </p>
      <Button size="lg" variant="outline" className="w-full" onClick={() => void enter()}>
        <FlaskConical size={16} aria-hidden="true" />
        Open sandbox
      </Button>
    </section>
  );
}

/** The current connection: continue with it, or end it. */
function CurrentConnection({ connection, onOpen }: { connection: Connection; onOpen: () => void }) {
  return (
    <Notice
      tone="info"
      title={`Connected to ${connection.name}`}
      actions={
        <>
          <Button size="sm" onClick={onOpen}>
            Continue
          </Button>
          <Button size="sm" variant="ghost" onClick={() => void endConnection(connection)}>
            {endLabel(connection)}
          </Button>
        </>
      }
    >
      {!connection.isSandbox && (
        <>
          The key ends in <span className="font-mono text-xs">{connection.keyHint}</span>.{" "}
        </>
      )}
      A new key is added as another connection.
    </Notice>
  );
}

/**
 * Keys that are stored on this device, encrypted, and not unlocked in this tab. Only the worker of a page without a host
 * can unlock them; a host stores keys itself.
 */
function useLocked() {
  const connections = useConnections();
  const sealed = useSealedConnections();
  if (getCustody({ isSandbox: false }) !== "worker") return [];
  return sealed.filter(({ accountId }) => connections.every(({ connection }) => connection.accountId !== accountId));
}

/** Why the person has to enter the key again. The URLs are in the form already. */
function EndedNotice() {
  const ended = useEndedConnection();
  if (!ended) return null;
  const { connection, reason } = ended;
  return (
    <Notice tone="warning" title={connection ? `Disconnected from ${connection.name}` : "Enter your key again"}>
      {reason} Jobs keep running, and everything saved on this device stays.
      {connection && " Enter the key again. The URLs are filled in."}
    </Notice>
  );
}

/** Long enough to read two results, short enough not to annoy. */
const OPEN_AFTER_MS = 1200;
/** The name of the input for the address of each half. */
const FIELDS: Record<Half, `${Half}-address`> = { queue: "queue-address", inference: "inference-address" };

/**
 * The form for key and addresses. A paste that has them, and Connect, check them against both model lists.
 * A check opens a connection, because the key goes to its holder first. Safelight opens with that connection: by itself
 * if both halves answer after Connect, on another press if one does. A change of key, address or passphrase drops it.
 *
 * The fields are uncontrolled, because one of them contains the key. `onConnected` gets the screen to open where not all
 * screens work.
 */
function ConnectForm({ onConnected }: { onConnected: (home?: string) => void }) {
  const ended = useEndedConnection();
  const [defaults] = useState(() => loadValues(ended?.connection));
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<PasteBoxHandle>(null);
  /** The connection that the last check opened. `open` takes it out at once, so a double press opens it only once. */
  const opened = useRef<Ticketed | undefined>(undefined);
  /** Counts up with each `drop`, so that a connection that opens too late is dropped as well. */
  const dropCount = useRef(0);
  /** Whether the key came from the paste box. It may then be sent to pasted addresses without a press of Connect. */
  const isKeyPasted = useRef(false);
  /** The addresses that pastes suggested for both halves. */
  const pastedCandidates = useRef<CandidateAddresses | undefined>(undefined);
  const [problems, setProblems] = useState<Problems>({});
  const [found, setFound] = useState<Found | null>(null);
  /** Whether the person wants the key stored on this device, encrypted with a passphrase. */
  const [storesKey, setStoresKey] = useState(false);
  const [isApiKeyHeader, setIsApiKeyHeader] = useState(defaults["api-key-header"]);
  const [isReadingNote, setIsReadingNote] = useState(false);
  /** Whether Connect was pressed: Safelight then opens after the checks that are under way. */
  const [isPressed, setIsPressed] = useState(false);
  /** The same for functions that were made before the press, such as those of a check that is under way. */
  const isPressedNow = useRef(false);
  const press = (isOn: boolean) => {
    isPressedNow.current = isOn;
    setIsPressed(isOn);
  };
  const { checks, start, stop } = useChecks();
  const isRunning = checks !== null && (isBusy(checks.queue) || isBusy(checks.inference));
  const works = { queue: checks?.queue.phase === "ok", inference: checks?.inference.phase === "ok" };
  const canOpen = !isRunning && (works.queue || works.inference);
  const isAllWell = works.queue && works.inference;

  const values = () => readValues(form.current as HTMLFormElement);
  const write = (name: string, value: string) => {
    const input = form.current?.elements.namedItem(name);
    if (input instanceof HTMLInputElement && value !== "") input.value = value;
  };
  const drop = useCallback(() => {
    dropCount.current += 1;
    if (opened.current) dropConnection(opened.current);
    opened.current = undefined;
  }, []);
  useEffect(() => drop, [drop]);

  /** Makes the opened connection the current one and leaves this screen. */
  const open = () => {
    const ticketed = opened.current;
    if (!ticketed) return;
    const isShared = values()["all-tabs"] && ticketed.connection.custody === "host";
    const connection = { ...ticketed.connection, isShared, ...(isApiKeyHeader ? { usesApiKeyHeader: true } : {}) };
    saveAddresses(connection);
    keepConnection({ ...ticketed, connection });
    opened.current = undefined;
    onConnected(works.queue ? undefined : "/playground");
  };

  /** Gives the key to its holder for a check. It is encrypted only after Connect, because that takes up to a second. */
  const giveKey = async (addresses: Record<Half, string>) => {
    drop();
    const startCount = dropCount.current;
    const { keep: storesKey, passphrase, "api-key": key } = values();
    const ticketed = await openConnection({
      key,
      queueBaseUrl: addresses.queue,
      inferenceBaseUrl: addresses.inference,
      passphrase: storesKey && isPressedNow.current ? passphrase : undefined,
    });
    if (startCount === dropCount.current) opened.current = ticketed;
    else dropConnection(ticketed);
    return ticketed;
  };

  /** Checks the form, or points at the first input with a problem. Addresses that were found go into their inputs. */
  const check = async (candidates = pastedCandidates.current) => {
    const entered = values();
    // Before Connect the key is not encrypted, so the passphrase may still be incomplete.
    const newProblems = findConnectProblems(isPressedNow.current ? entered : { ...entered, keep: false });
    setProblems(newProblems);
    const [firstField] = Object.keys(newProblems);
    if (firstField !== undefined) {
      stop();
      press(false);
      const input = form.current?.elements.namedItem(firstField);
      if (input instanceof HTMLElement) input.focus();
      return;
    }
    const results = await start(getCandidates(entered, candidates), giveKey);
    for (const half of ["queue", "inference"] as const) {
      if (!results) continue;
      const wasEmpty = entered[FIELDS[half]].trim() === "";
      if (results[half].phase === "ok" || wasEmpty) write(FIELDS[half], results[half].address);
    }
  };

  /**
   * A press of Connect, or of "Continue":
   * - Opens at once where a finished check covers everything: at least one half answers, nothing was typed into the box
   *   since, and the key is encrypted if the person wants it stored.
   * - Waits for a check that is under way, if it covers everything: `opensByItself` follows it.
   * - Checks, or starts the check again, in all other cases.
   */
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const hasNewText = box.current?.flush() === true;
    const mustEncrypt = storesKey && opened.current?.sealed === undefined;
    const isCovered = !hasNewText && !mustEncrypt;
    press(true);
    if (isCovered && canOpen && opened.current !== undefined) open();
    else if (!isCovered || !isRunning) void check();
  };

  const onChange = ({ target }: FormEvent) => {
    const name = target instanceof HTMLInputElement ? target.name : "";
    if (name === "" || name === "all-tabs" || name === "api-key-header") return;
    if (name === "api-key") isKeyPasted.current = false;
    stop();
    drop();
    press(false);
    setProblems({});
    if (name === "api-key" || name.endsWith("-address")) setFound(null);
  };

  const onPasted = (
    { addresses, key, hasPlaceholder, usesApiKeyHeader }: Pasted,
    { isWhole }: { isWhole: boolean },
  ) => {
    const pasted = addresses.length > 0 ? candidatesFrom(addresses) : undefined;
    if (pasted === undefined && key === undefined && !isWhole) return;
    stop();
    drop();
    press(false);
    setProblems({});
    if (key !== undefined) {
      write("api-key", key);
      isKeyPasted.current = true;
    }
    const candidates = pasted ?? pastedCandidates.current;
    pastedCandidates.current = candidates;
    write("queue-address", candidates?.queue[0] ?? "");
    write("inference-address", candidates?.inference[0] ?? "");
    if (usesApiKeyHeader && addresses.some((address) => /\/v1\/messages$/.test(address))) setIsApiKeyHeader(true);
    const keyHint = isKeyPasted.current ? values()["api-key"].slice(-4) : undefined;
    setFound({ candidates, keyHint, hasPlaceholder });
    if (isWhole && isKeyPasted.current && candidates !== undefined) void check(candidates);
  };

  /** Moves a whole command that was pasted into a one-line field to the box. */
  const onPaste = (event: ClipboardEvent) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const text = event.clipboardData.getData("text/plain").trim();
    if (!/\s/.test(text) || readPaste(text).addresses.length === 0) return;
    event.preventDefault();
    box.current?.take(text);
  };

  /** Follows an offer beside a failed check: to swap the addresses, or to use another one for this half. */
  const onOffer = (half: Half, offer: Offer) => {
    const entered = values();
    stop();
    drop();
    if (offer.kind === "swap") {
      write("queue-address", entered["inference-address"]);
      write("inference-address", entered["queue-address"]);
      setFound(null);
      // Pasted candidates were found for the other half, so only the two swapped addresses are tried.
      return void check({ queue: [], inference: [] });
    }
    const offered = candidatesFrom([offer.base]);
    write(FIELDS[half], offered[half][0] ?? "");
    if (offer.kind === "use") {
      const candidates = { queue: [], inference: [], ...pastedCandidates.current, [half]: offered[half] };
      pastedCandidates.current = candidates;
      setFound(found && { ...found, candidates });
      return void check(candidates);
    }
    // A guess: a host that the person did not name gets the key only after a press of Connect.
    const other: Half = half === "queue" ? "inference" : "queue";
    write(FIELDS[other], offered[other][0] ?? "");
    pastedCandidates.current = offered;
    setFound(found && { ...found, candidates: offered });
  };

  // The timer calls the latest `open`, which has the latest states.
  const latest = useRef({ open });
  useEffect(() => {
    latest.current = { open };
  });
  const opensByItself = isAllWell && isPressed && !isReadingNote;
  useEffect(() => {
    if (!opensByItself) return;
    const timer = setTimeout(() => latest.current.open(), OPEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [opensByItself]);

  const failedQueue = checks?.queue.phase === "failed" && found === null ? checks.queue.address : undefined;
  return (
    <form
      ref={form}
      noValidate
      autoComplete="off"
      aria-label="Connect your service"
      onSubmit={submit}
      onChange={onChange}
      onPaste={onPaste}
      className="flex min-w-0 flex-col gap-1"
    >
      <PasteBox ref={box} onFound={onPasted} />
      {found && (
        <div className="mb-3 empty:hidden">
          <FoundPanel found={found} checks={checks} onOffer={onOffer} />
        </div>
      )}
      <KeyField error={problems["api-key"]} storesKey={storesKey} />
      <div className="mt-2 flex gap-x-3 max-sm:flex-col">
        <AddressField
          name="queue-address"
          defaultValue={defaults["queue-address"]}
          error={problems["queue-address"]}
          failed={failedQueue}
        />
        <AddressField
          name="inference-address"
          defaultValue={defaults["inference-address"]}
          error={problems["inference-address"]}
        />
      </div>
      {isServedByHost() && (
        <div className="mb-2 flex items-center gap-2 text-ink-2">
          <Checkbox id="all-tabs" name="all-tabs" defaultChecked={defaults["all-tabs"]} />
          <label htmlFor="all-tabs">Use in all tabs of this browser</label>
        </div>
      )}
      {getCustody({ isSandbox: false }) === "worker" && (
        <StoreChoice problems={problems} storesKey={storesKey} onChange={setStoresKey} />
      )}
      <HeaderChoice isApiKeyHeader={isApiKeyHeader} onChange={setIsApiKeyHeader} />
      {checks && found === null && <CheckList checks={checks} onOffer={onOffer} />}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" size="lg" busy={isRunning && isPressed} className="min-w-48 flex-1">
          {canOpen && isPressed ? "Continue" : "Connect"}
        </Button>
        {checks && !isRunning && !(isAllWell && !isReadingNote) && (
          <Button size="lg" onClick={() => void check()}>
            Check again
          </Button>
        )}
      </div>
      {canOpen && !isAllWell && (
        <p className="m-0 mt-1.5 text-center text-sm text-ink-3">
          {works.queue
            ? "Images, video and audio work now. Playground needs the inference URL."
            : "Playground works now. Images, video and audio need the queue URL."}
        </p>
      )}
      {!isServedByHost() && <DirectNote onOpenChange={setIsReadingNote} />}
    </form>
  );
}
