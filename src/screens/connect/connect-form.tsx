import { useCallback, useEffect, useRef, useState } from "react";
import { type UseFormRegisterReturn, useForm } from "react-hook-form";
import { adviseQueueAddress, checkKey, normalizeAddress } from "#connection/check-connection.ts";
import { keepConnection, useEndedConnection } from "#connection/connection-store.ts";
import { namedOrigins } from "#connection/named-service.ts";
import { custodyOf, dropConnection, openConnection } from "#connection/open-connection.ts";
import { isServedByHost } from "#connection/relay.ts";
import type { Ticketed } from "#connection/stored-connections.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { CheckList } from "./check-list.tsx";
import { useChecks } from "./checks.ts";
import { addressProblem, type ConnectValues, loadValues, saveAddresses } from "./connect-values.ts";
import { KeepChoice } from "./keep-choice.tsx";

/** Long enough to read two results, short enough not to be in the way. */
const OPEN_AFTER_MS = 1200;

/**
 * Key and addresses, checked against both catalogues. When both answer, the studio opens by itself; when only the queue
 * does, it can still be opened.
 */
export function ConnectForm({ onConnected }: { onConnected: () => void }) {
  const ended = useEndedConnection();
  const [defaultValues] = useState(() => loadValues(ended?.connection));
  /** The key is given away with the press of Connect; until the studio opens, it may have to be forgotten again. */
  const opened = useRef<Ticketed | undefined>(undefined);
  const { register, handleSubmit, getValues, watch, clearErrors, formState } = useForm<ConnectValues>({
    defaultValues,
    // A change clears the problems; the next press validates again.
    reValidateMode: "onSubmit",
  });
  const { errors } = formState;
  const [isReading, setIsReading] = useState(false);
  const { checks, start, stop } = useChecks();
  const isRunning =
    checks !== null && [checks.queue, checks.text].some(({ phase }) => phase === "running" || phase === "waiting");
  const canOpen = checks?.queue.phase === "ok";
  const isAllWell = canOpen && checks.text.phase === "ok" && !isReading;

  const open = () => {
    if (!opened.current) return;
    saveAddresses(opened.current.connection);
    keepConnection(opened.current);
    opened.current = undefined;
    onConnected();
  };
  const drop = useCallback(() => {
    if (opened.current) dropConnection(opened.current);
    opened.current = undefined;
  }, []);
  const giveAway = (values: ConnectValues) => async () => {
    drop();
    const passphrase = values.keep ? values.passphrase : undefined;
    opened.current = await openConnection({ ...targetOf(values), isShared: values["all-tabs"], passphrase });
    return opened.current;
  };
  const check = handleSubmit((values) => void start(giveAway(values)));
  const submit = handleSubmit((values) => void (canOpen && !isRunning ? open() : start(giveAway(values))));
  useEffect(() => drop, [drop]);

  const latestOpen = useRef(open);
  useEffect(() => {
    latestOpen.current = open;
  });
  useEffect(() => {
    if (!isAllWell) return;
    const timer = setTimeout(() => latestOpen.current(), OPEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isAllWell]);

  const onChange = () => {
    stop();
    drop();
    clearErrors();
  };

  return (
    <form
      noValidate
      autoComplete="off"
      aria-label="Connect your service"
      onSubmit={submit}
      onChange={onChange}
      className="flex flex-col gap-1"
    >
      <KeyField
        input={register("api-key", { validate: checkKey })}
        error={errors["api-key"]?.message}
        isKept={watch("keep")}
      />
      <div className="flex gap-x-3 max-sm:flex-col">
        <AddressField
          label="Queue address"
          placeholder="https://…/api/v1/queue"
          input={register("queue-address", { validate: addressProblem })}
          error={errors["queue-address"]?.message}
          hint={canOpen || checks === null ? undefined : adviseQueueAddress(getValues("queue-address"))}
        />
        <AddressField
          label="Inference address"
          placeholder="https://…"
          input={register("inference-address", { validate: addressProblem })}
          error={errors["inference-address"]?.message}
        />
      </div>
      {isServedByHost() && (
        <div className="mb-2 flex items-center gap-2 text-ink-2">
          <Checkbox id="all-tabs" {...register("all-tabs")} />
          <label htmlFor="all-tabs">Also in other tabs of this browser</label>
        </div>
      )}
      {custodyOf({ isSandbox: false }) === "worker" && (
        <KeepChoice register={register} getValues={getValues} errors={errors} isKept={watch("keep")} />
      )}
      {checks && <CheckList checks={checks} />}
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
      {!isServedByHost() && <DirectNote onOpenChange={setIsReading} />}
      {!isServedByHost() && namedOrigins().length === 0 && (
        <p className="m-0 mt-1 text-[12px] text-ink-3 leading-[18px]">
          This build names no service, so its content policy lets the page reach any https address.
        </p>
      )}
    </form>
  );
}

/** What it costs that no host of the studio's own stands between this page and the service. */
function DirectNote({ onOpenChange }: { onOpenChange: (isOpen: boolean) => void }) {
  return (
    <details
      onToggle={(event) => onOpenChange(event.currentTarget.open)}
      className="mt-3 text-[12px] text-ink-3 leading-[18px]"
    >
      <summary className="cursor-pointer list-none">
        This page talks to the service directly.{" "}
        <span className="underline underline-offset-2 hover:text-ink">What does that mean?</span>
      </summary>
      <p className="m-0 mt-1 text-ink-2">
        Over HTTP/1.1 a browser may repeat a request by itself when a connection breaks, so one run can become two jobs,
        both charged. A second job is found in the job list and reported as a possible duplicate. Served by its own
        host, Safelight sends each run once.
      </p>
    </details>
  );
}

function targetOf(values: ConnectValues) {
  return {
    key: values["api-key"].trim(),
    queueBaseUrl: normalizeAddress(values["queue-address"]),
    inferenceBaseUrl: normalizeAddress(values["inference-address"]),
  };
}

/** Who has the key after the press of Connect, and what it is used for. */
const CUSTODY = {
  host: "It goes to this studio’s own host, which sends it to the two addresses below and nowhere else. This page forgets it.",
  worker: "A background worker of this page sends it to the two addresses below and nowhere else. A reload forgets it.",
  kept: "A background worker of this page sends it to the two addresses below and nowhere else. This device keeps it sealed.",
  page: "It is sent to the two addresses below and nowhere else. A reload forgets it.",
} as const;

/** The API key, hidden unless asked. Uncontrolled, so that no React state holds it. */
function KeyField({
  input,
  error,
  isKept,
}: {
  input: UseFormRegisterReturn;
  error: string | undefined;
  isKept: boolean;
}) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      label="API key"
      error={error}
      hint={CUSTODY[isKept ? "kept" : custodyOf({ isSandbox: false })]}
      className="mb-3"
    >
      {({ id, describedBy, invalid }) => (
        <div className="relative">
          <TextInput
            {...input}
            mono
            id={id}
            type={isShown ? "text" : "password"}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            className="pr-16"
          />
          <button
            type="button"
            aria-label={isShown ? "Hide key" : "Show key"}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 min-w-10 cursor-pointer px-2.5 text-[12.5px] text-ink-3 hover:text-ink"
          >
            {isShown ? "Hide" : "Show"}
          </button>
        </div>
      )}
    </Field>
  );
}

/** A base address of the service. */
function AddressField({
  label,
  placeholder,
  input,
  error,
  hint,
}: {
  label: string;
  placeholder: string;
  input: UseFormRegisterReturn;
  error: string | undefined;
  hint?: string | undefined;
}) {
  return (
    <Field label={label} error={error} hint={hint} className="min-w-0 flex-1">
      {({ id, describedBy, invalid }) => (
        <TextInput
          {...input}
          mono
          id={id}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={placeholder}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
        />
      )}
    </Field>
  );
}
