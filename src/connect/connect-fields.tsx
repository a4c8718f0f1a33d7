import { Lock } from "lucide-react";
import { useState } from "react";
import { adviseQueueAddress } from "#connection/check-connection.ts";
import { getCustody } from "#connection/open-connection.ts";
import { Field, TextInput } from "#ui/field.tsx";

/** Who has the key after the press of Connect, and what it is used for. */
const CUSTODY = {
  host: "The studio’s server stores it and sends it only to the two addresses below. This page does not keep it.",
  worker: "A background worker of this page sends it only to the two addresses below. A reload removes it.",
  stored: "A background worker of this page sends it only to the two addresses below. This device stores it encrypted.",
  page: "It is sent only to the two addresses below. A reload removes it.",
} as const;

/** The API key, hidden unless asked. Uncontrolled, so that no React state holds it. */
export function KeyField({ error, isStored }: { error: string | undefined; isStored: boolean }) {
  const [isShown, setIsShown] = useState(false);
  const hint = (
    <span className="flex items-start gap-[7px]">
      <Lock aria-hidden="true" className="mt-[3px] size-3 shrink-0" />
      <span className="text-pretty">{CUSTODY[isStored ? "stored" : getCustody({ isSandbox: false })]}</span>
    </span>
  );
  return (
    <Field label="API key" error={error} hint={hint}>
      {({ id, describedBy, invalid }) => (
        <div className="relative">
          <TextInput
            mono
            id={id}
            name="api-key"
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

interface AddressFieldProps {
  name: "queue-address" | "inference-address";
  defaultValue: string;
  error: string | undefined;
  /** The address that was checked without success: it may be advised upon. */
  failed?: string | undefined;
}

const ADDRESS = {
  "queue-address": { label: "Queue address", placeholder: "https://…/api/v1/queue" },
  "inference-address": { label: "Inference address", placeholder: "https://…" },
} as const;

/** A base address of the service. */
export function AddressField({ name, defaultValue, error, failed }: AddressFieldProps) {
  const { label, placeholder } = ADDRESS[name];
  const hint = name === "queue-address" && failed !== undefined ? adviseQueueAddress(failed) : undefined;
  return (
    <Field label={label} error={error} hint={hint} className="min-w-0 flex-1">
      {({ id, describedBy, invalid }) => (
        <TextInput
          mono
          id={id}
          name={name}
          defaultValue={defaultValue}
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

const HEADERS = [
  { value: "bearer", label: "Authorization: Bearer" },
  { value: "x-api-key", label: "x-api-key" },
] as const;

/** In which header the key goes to the messages endpoint (spec 5.3). Folded away: nearly every service takes the first. */
export function HeaderChoice({
  isApiKeyHeader,
  onChange,
}: {
  isApiKeyHeader: boolean;
  onChange: (isApiKeyHeader: boolean) => void;
}) {
  return (
    <details open={isApiKeyHeader || undefined} className="mb-2 text-[12.5px] text-ink-2">
      <summary className="w-fit cursor-pointer pointer-coarse:min-h-11 pointer-coarse:content-center hover:text-ink">
        Advanced
      </summary>
      <fieldset className="m-0 mt-2 min-w-0 border-0 p-0">
        <legend className="mb-1 p-0">Key header for /v1/messages</legend>
        <div className="flex flex-wrap gap-x-5">
          {HEADERS.map(({ value, label }) => (
            <label key={value} className="flex min-h-7 items-center gap-2 pointer-coarse:min-h-11">
              <input
                type="radio"
                name="api-key-header"
                value={value}
                checked={isApiKeyHeader === (value === "x-api-key")}
                onChange={() => onChange(value === "x-api-key")}
                className="accent-accent"
              />
              <span className="font-mono text-[12px]">{label}</span>
            </label>
          ))}
        </div>
        {isApiKeyHeader && getCustody({ isSandbox: false }) !== "host" && (
          <p className="m-0 mt-1 text-[12px] text-ink-3 leading-[18px]">
            This page sends requests directly to the service, so the service must allow this header for web pages
            (CORS).
          </p>
        )}
      </fieldset>
    </details>
  );
}

/** What it costs that no host of the studio's own stands between this page and the service. */
export function DirectNote({ onOpenChange }: { onOpenChange: (isOpen: boolean) => void }) {
  return (
    <details
      onToggle={(event) => onOpenChange(event.currentTarget.open)}
      className="mt-3 text-[12px] text-ink-3 leading-[18px]"
    >
      <summary className="cursor-pointer list-none">
        This page sends requests directly to the service.{" "}
        <span className="underline underline-offset-2 hover:text-ink">What does this mean?</span>
      </summary>
      <p className="m-0 mt-1 text-ink-2">
        Over HTTP/1.1, a browser may repeat a request when a connection breaks. One run can then become two jobs, and
        both are charged. The studio finds a second job in the job list and reports it as a possible duplicate. With its
        own server, Safelight sends each run only once.
      </p>
    </details>
  );
}
