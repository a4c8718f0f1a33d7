import { LockKeyhole } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { explainError } from "#api/explain-error.ts";
import { announceForget, createTicketedConnection, deviceSalt, keepConnection } from "#connection/connection-store.ts";
import { workerHolder } from "#connection/custody/worker-holder.ts";
import { waitAfter } from "#connection/custody/worker-messages.ts";
import { changeSealed, forgetSealed, type SealedConnection } from "#connection/sealed-connections.ts";
import { counted } from "#lib/numbers.ts";
import { Button } from "#ui/button.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { toast } from "#ui/toast-store.ts";

const WRONG_PASSPHRASE = "Wrong passphrase.";

/** A key that is stored on this device: open it with its passphrase, or remove it. */
export function UnlockPanel({ sealed, onOpened }: { sealed: SealedConnection; onOpened: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const waitMs = useWait(sealed);

  const unlock = async (event: FormEvent) => {
    event.preventDefault();
    const passphrase = input.current?.value ?? "";
    if (isBusy || waitMs > 0) return;
    if (passphrase === "") return setProblem("Enter the passphrase.");
    setIsBusy(true);
    setProblem(undefined);
    try {
      const result = await unlockConnection(sealed, passphrase);
      if (result.kind === "opened") return onOpened();
      setProblem(result.isEarly ? `Too soon. You can try again in ${durationText(result.waitMs)}.` : WRONG_PASSPHRASE);
    } catch (error) {
      const { title, body, nextStep } = explainError(error, "connect");
      setProblem([title, body, nextStep].join(" "));
    } finally {
      setIsBusy(false);
    }
    if (input.current) input.current.value = "";
    input.current?.focus();
  };
  const forget = () => {
    forgetSealed(sealed.accountId);
    announceForget(sealed.accountId);
    toast({
      tone: "success",
      title: "Key removed",
      body: `The key of ${sealed.name} was removed from this device. Your drafts, jobs and spending stay.`,
    });
  };

  const waitText = waitMs > 0 && !isBusy ? `You can try again in ${durationText(waitMs)}.` : undefined;
  return (
    <form
      noValidate
      autoComplete="off"
      aria-label={`Unlock ${sealed.name}`}
      onSubmit={(event) => void unlock(event)}
      className="rounded-md border border-line bg-panel p-3.5"
    >
      <div className="mb-3 flex items-start gap-2.5">
        <LockKeyhole aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-2" />
        <div className="min-w-0">
          <h2 className="m-0 font-medium text-base text-ink">Unlock with your passphrase</h2>
          <p className="wrap-anywhere m-0 text-ink-2">
            {sealed.name === sealed.host ? sealed.host : `${sealed.name}, ${sealed.host}`}
          </p>
        </div>
      </div>
      <Field label="Passphrase" error={[problem, waitText].filter(Boolean).join(" ") || undefined}>
        {({ id, describedBy, invalid }) => (
          <TextInput
            ref={input}
            id={id}
            type="password"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
          />
        )}
      </Field>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isBusy} aria-disabled={waitMs > 0 || undefined}>
          Unlock
        </Button>
        <Button variant="ghost" onClick={forget}>
          Remove key
        </Button>
      </div>
    </form>
  );
}

/** The time until the next passphrase can be tried, in ms, updated each second. */
function useWait(sealed: SealedConnection): number {
  // Updated only each second, so it may be older than the last try. `unlockWaitMs` then gives the full wait.
  const [nowMs, setNowMs] = useState(() => Date.now());
  const waitMs = unlockWaitMs(sealed, nowMs);
  const isWaiting = waitMs > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return waitMs;
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds > 90 ? counted(Math.ceil(seconds / 60), "minute") : counted(seconds, "second");
}

/** `locked`: not opened; the next try is possible after `waitMs`. `isEarly`: this passphrase was not tried. */
type UnlockResult = { kind: "opened" } | { kind: "locked"; waitMs: number; isEarly: boolean };

/**
 * Opens a key that is stored on this device and makes its connection the current one. Rejects with an `ApiError` where
 * the Worker gives no response, or the key is for another service than this build.
 */
async function unlockConnection(stored: SealedConnection, passphrase: string): Promise<UnlockResult> {
  const { accountId, sealed, wrongTries, lastTryAtMs } = stored;
  const nowMs = Date.now();
  // Counted before the try, so that closing the page in the middle does not give a free try.
  changeSealed(accountId, { wrongTries: wrongTries + 1, lastTryAtMs: nowMs });
  const order = { sealed, passphrase, salt: deviceSalt(), wrongTries, sinceLastMs: nowMs - lastTryAtMs };
  const answer = await workerHolder.unlock(order);
  if (answer.kind === "locked") {
    if (answer.isEarly) changeSealed(accountId, { wrongTries, lastTryAtMs });
    return answer;
  }
  const { handle, queueBaseUrl, inferenceBaseUrl } = answer;
  // If the browser has lost its salt since, the same key has another account id.
  changeSealed(accountId, { accountId: handle.accountId, wrongTries: 0, lastTryAtMs: 0 });
  const addresses = { queueBaseUrl, inferenceBaseUrl };
  const header = stored.usesApiKeyHeader ? { usesApiKeyHeader: true } : {};
  const fields = {
    name: stored.name,
    ...addresses,
    ...header,
    isSandbox: false,
    custody: "worker",
    isShared: false,
  } as const;
  keepConnection(createTicketedConnection(handle, fields));
  return { kind: "opened" };
}

/** The time until the next try for a key, in ms. If the clock was set back, the wait starts again. */
function unlockWaitMs({ wrongTries, lastTryAtMs }: SealedConnection, nowMs: number): number {
  return Math.max(0, waitAfter(wrongTries) - Math.max(0, nowMs - lastTryAtMs));
}
