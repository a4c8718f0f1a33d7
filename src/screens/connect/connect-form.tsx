import { useEffect, useRef, useState } from "react";
import { type UseFormRegisterReturn, useForm } from "react-hook-form";
import { adviseQueueAddress, checkAddress, checkKey, normalizeAddress } from "#connection/check-connection.ts";
import { connect } from "#connection/connection-store.ts";
import { isServedByHost } from "#connection/relay.ts";
import { asRecord, asText } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { Button } from "#ui/button.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { CheckList } from "./check-list.tsx";
import { useChecks } from "./checks.ts";

/** Long enough to read two results, short enough not to be in the way. */
const OPEN_AFTER_MS = 1200;

/** Under the names of the inputs. The key is in no default, no state and no address: it is read when it is needed. */
interface Values {
  "api-key": string;
  "queue-address": string;
  "inference-address": string;
}

const addressProblem = (address: string) => checkAddress(normalizeAddress(address));

/**
 * Key and addresses, checked against both catalogues. When both answer, the studio opens by itself; when only the queue
 * does, it can still be opened.
 */
export function ConnectForm({ onConnected }: { onConnected: () => void }) {
  const [defaultValues] = useState(loadDefaults);
  const { register, handleSubmit, getValues, clearErrors, formState } = useForm<Values>({
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

  const open = async () => {
    const target = targetOf(getValues());
    saveAddresses(target);
    await connect(target);
    onConnected();
  };
  const check = handleSubmit((values) => void start(targetOf(values)));
  const submit = handleSubmit((values) => void (canOpen && !isRunning ? open() : start(targetOf(values))));

  const latestOpen = useRef(open);
  useEffect(() => {
    latestOpen.current = open;
  });
  useEffect(() => {
    if (!isAllWell) return;
    const timer = setTimeout(() => void latestOpen.current(), OPEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isAllWell]);

  const onChange = () => {
    stop();
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
      <KeyField input={register("api-key", { validate: checkKey })} error={errors["api-key"]?.message} />
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

function targetOf(values: Values) {
  return {
    key: values["api-key"].trim(),
    queueBaseUrl: normalizeAddress(values["queue-address"]),
    inferenceBaseUrl: normalizeAddress(values["inference-address"]),
  };
}

/** The API key, hidden unless asked. Uncontrolled, so that no React state holds it. */
function KeyField({ input, error }: { input: UseFormRegisterReturn; error: string | undefined }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      label="API key"
      error={error}
      hint={`Sent only to the two addresses below${isServedByHost() ? ", through this studio’s host" : ""}. Kept until this tab closes.`}
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

/** The addresses used last on this device, read back as untrusted text. The key is never among them. */
function loadDefaults(): Values {
  const stored = asRecord(readJson(KEYS.addresses));
  const address = (value: unknown) => (asText(value) ?? "").slice(0, 500);
  return {
    "api-key": "",
    "queue-address": address(stored.queueBaseUrl),
    "inference-address": address(stored.inferenceBaseUrl),
  };
}

function saveAddresses({ queueBaseUrl, inferenceBaseUrl }: { queueBaseUrl: string; inferenceBaseUrl: string }): void {
  writeJson(KEYS.addresses, { queueBaseUrl, inferenceBaseUrl });
}
