import { type FormEvent, useEffect, useRef, useState } from "react";
import { adviseQueueAddress, checkAddress, normalizeAddress } from "#connection/check-address.ts";
import { checkKey } from "#connection/check-key.ts";
import { connect } from "#connection/connection-store.ts";
import { Button } from "#ui/button.tsx";
import { AddressField } from "./address-field.tsx";
import { CheckList } from "./check-list.tsx";
import { KeyField } from "./key-field.tsx";
import { loadAddresses, saveAddresses } from "./last-addresses.ts";
import { hasStorageNote } from "./storage-check.tsx";
import { routesOf, useChecks } from "./use-checks.ts";

/** Long enough to read two results, short enough not to be in the way. */
const OPEN_AFTER_MS = 1200;
/** With a note about storage there is more to read, and a question to ask. */
const OPEN_AFTER_NOTE_MS = 4000;

interface Problems {
  key?: string | undefined;
  queue?: string | undefined;
  inference?: string | undefined;
}

/**
 * Key and addresses, checked against both catalogues. When both answer, the studio opens by itself; when only the queue
 * does, it can still be opened.
 */
export function ConnectForm({ onConnected }: { onConnected: () => void }) {
  const keyInput = useRef<HTMLInputElement>(null);
  const queueInput = useRef<HTMLInputElement>(null);
  const inferenceInput = useRef<HTMLInputElement>(null);
  const [initial] = useState(loadAddresses);
  const [problems, setProblems] = useState<Problems>({});
  const [isHeld, setIsHeld] = useState(false);
  const { checks, start, stop } = useChecks();
  const isRunning =
    checks !== null && [checks.queue, checks.text].some(({ phase }) => phase === "running" || phase === "waiting");
  const canOpen = checks?.queue.phase === "ok";
  const isAllWell = canOpen && checks.text.phase === "ok" && checks.storage !== undefined && !isHeld;
  const openAfterMs = checks?.storage && hasStorageNote(checks.storage) ? OPEN_AFTER_NOTE_MS : OPEN_AFTER_MS;

  const values = () => ({
    key: keyInput.current?.value.trim() ?? "",
    queueBaseUrl: normalizeAddress(queueInput.current?.value ?? ""),
    inferenceBaseUrl: normalizeAddress(inferenceInput.current?.value ?? ""),
  });

  const open = async () => {
    const target = values();
    saveAddresses(target);
    await connect({ ...target, ...(checks === null ? {} : { routes: routesOf(checks) }) });
    onConnected();
  };

  const check = () => {
    const target = values();
    const found: Problems = {
      key: checkKey(target.key),
      queue: checkAddress(target.queueBaseUrl),
      inference: checkAddress(target.inferenceBaseUrl),
    };
    setProblems(found);
    const first = found.key ? keyInput : found.queue ? queueInput : found.inference ? inferenceInput : undefined;
    if (first !== undefined) first.current?.focus();
    else void start(target);
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (canOpen && !isRunning) void open();
    else check();
  };

  const latestOpen = useRef(open);
  useEffect(() => {
    latestOpen.current = open;
  });
  useEffect(() => {
    if (!isAllWell) return;
    const timer = setTimeout(() => void latestOpen.current(), openAfterMs);
    return () => clearTimeout(timer);
  }, [isAllWell, openAfterMs]);

  const onChange = () => {
    stop();
    setProblems({});
    setIsHeld(false);
  };

  return (
    <form
      noValidate
      autoComplete="off"
      aria-label="Connect your service"
      onSubmit={onSubmit}
      onChange={onChange}
      className="flex flex-col gap-1"
    >
      <KeyField ref={keyInput} error={problems.key} />
      <div className="flex gap-x-3 max-sm:flex-col">
        <AddressField
          ref={queueInput}
          label="Queue address"
          name="queue-address"
          placeholder="https://…/api/v1/queue"
          defaultValue={initial.queueBaseUrl}
          error={problems.queue}
          hint={canOpen || checks === null ? undefined : adviseQueueAddress(queueInput.current?.value ?? "")}
        />
        <AddressField
          ref={inferenceInput}
          label="Inference address"
          name="inference-address"
          placeholder="https://…"
          defaultValue={initial.inferenceBaseUrl}
          error={problems.inference}
        />
      </div>
      {checks && <CheckList checks={checks} onWhy={() => setIsHeld(true)} />}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" size="lg" busy={isRunning} className="min-w-48 flex-1">
          {canOpen && !isRunning ? "Open the studio" : "Connect"}
        </Button>
        {checks && !isRunning && !isAllWell && (
          <Button size="lg" onClick={check}>
            Check again
          </Button>
        )}
      </div>
    </form>
  );
}
