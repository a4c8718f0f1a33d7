import { Lock } from "lucide-react";
import { type ClipboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { adviseQueueAddress } from "#connection/check-connection.ts";
import { getCustody } from "#connection/connection-store.ts";
import { canSeal } from "#connection/custody/sealed-key.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import type { Half } from "./checks.ts";
import { maskKey, type Pasted, type Problems, readPaste } from "./connect-values.ts";

/** Under the key's field: who gets the key, and where it is sent. */
const CUSTODY = {
  host: "The Safelight server stores it and sends it only to the two URLs below. This page doesn’t have it.",
  worker: "A background worker of this page sends it only to the two URLs below. Reloading removes it.",
  stored: "A background worker of this page sends it only to the two URLs below. This device stores it encrypted.",
  page: "It is sent only to the two URLs below. Reloading removes it.",
} as const;

/** The field of the API key, which is hidden by default. Uncontrolled, so that no React state contains the key. */
export function KeyField({ error, storesKey }: { error: string | undefined; storesKey: boolean }) {
  const [isShown, setIsShown] = useState(false);
  const hint = (
    <span className="flex items-start gap-1.75">
      <Lock aria-hidden="true" className="mt-0.75 size-3 shrink-0" />
      <span className="text-pretty">{CUSTODY[storesKey ? "stored" : getCustody({ isSandbox: false })]}</span>
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
            className="absolute inset-y-0 right-0 min-w-10 cursor-pointer px-2.5 text-sm text-ink-3 hover:text-ink"
          >
            {isShown ? "Hide" : "Show"}
          </button>
        </div>
      )}
    </Field>
  );
}

interface AddressFieldProps {
  name: `${Half}-address`;
  defaultValue: string;
  error: string | undefined;
  /** The address whose check failed. The field may then show a hint about it. */
  failed?: string | undefined;
}

const ADDRESS = {
  "queue-address": { label: "Queue URL", placeholder: "https://…/api/v1/queue" },
  "inference-address": { label: "Inference URL", placeholder: "https://…" },
} as const;

/** The field of one of the two base addresses. */
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

/** The header of the key for the messages endpoint (spec 5.3). Collapsed: nearly every service takes a bearer token. */
export function HeaderChoice({
  isApiKeyHeader,
  onChange,
}: {
  isApiKeyHeader: boolean;
  onChange: (isApiKeyHeader: boolean) => void;
}) {
  return (
    <details open={isApiKeyHeader || undefined} className="mb-2 text-sm text-ink-2">
      <summary className="w-fit cursor-pointer pointer-coarse:min-h-11 pointer-coarse:content-center hover:text-ink">
        Advanced
      </summary>
      <fieldset className="m-0 mt-2 min-w-0 border-0 p-0">
        <legend className="mb-1 p-0">Messages key header</legend>
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
              <span className="font-mono text-xs">{label}</span>
            </label>
          ))}
        </div>
        {isApiKeyHeader && getCustody({ isSandbox: false }) !== "host" && (
          <p className="m-0 mt-1 text-xs text-ink-3 leading-normal">
            This page sends requests directly to the service, so the service must allow this header for web pages
            (CORS).
          </p>
        )}
      </fieldset>
    </details>
  );
}

/** The disadvantage of a page that sends requests directly, without the Safelight server. */
export function DirectNote({ onOpenChange }: { onOpenChange: (isOpen: boolean) => void }) {
  return (
    <details
      onToggle={(event) => onOpenChange(event.currentTarget.open)}
      className="mt-3 text-xs text-ink-3 leading-normal"
    >
      <summary className="cursor-pointer list-none">
        This page sends requests directly to the service.{" "}
        <span className="underline underline-offset-2 hover:text-ink">What does this mean?</span>
      </summary>
      <p className="m-0 mt-1 text-ink-2">
        Over HTTP/1.1, a browser may repeat a request when a connection breaks. One run can then become two jobs, and
        both are charged. Safelight finds the second job in the job list and reports a possible duplicate. With its own
        server, each run is submitted only once.
      </p>
    </details>
  );
}

const INPUTS = [
  { name: "passphrase", label: "Passphrase" },
  { name: "passphrase-again", label: "Repeat passphrase" },
] as const;

/**
 * Without a host a reload loses the key, unless the person stores it on this device with a passphrase. The fields are
 * uncontrolled, so that no state contains the passphrase.
 */
export function StoreChoice({
  problems,
  storesKey,
  onChange,
}: {
  problems: Problems;
  storesKey: boolean;
  onChange: (storesKey: boolean) => void;
}) {
  return (
    <fieldset className="m-0 mb-1 min-w-0 border-0 p-0">
      <legend className="sr-only">Save key</legend>
      <div className="flex items-center gap-2 pointer-coarse:min-h-11 text-ink-2">
        <Checkbox
          id="keep-key"
          name="keep"
          checked={storesKey}
          onChange={(event) => onChange(event.currentTarget.checked)}
          disabled={!canSeal()}
        />
        <label htmlFor="keep-key">Save on this device, encrypted with a passphrase</label>
      </div>
      {!canSeal() && (
        <p className="m-0 mt-1 text-xs text-ink-3 leading-normal">
          The key can’t be saved: browsers offer encryption only on https pages.
        </p>
      )}
      {storesKey && (
        <>
          <p className="m-0 mt-1 mb-2 text-xs text-ink-3 leading-normal">
            After a reload, enter the passphrase to unlock the key. If you lose the passphrase, enter the key again.
          </p>
          <div className="flex gap-x-3 max-sm:flex-col">
            {INPUTS.map(({ name, label }) => (
              <Field key={name} label={label} error={problems[name]} className="min-w-0 flex-1">
                {({ id, describedBy, invalid }) => (
                  <TextInput
                    id={id}
                    name={name}
                    type="password"
                    autoComplete="off"
                    autoCapitalize="off"
                    spellCheck={false}
                    aria-describedby={describedBy}
                    aria-invalid={invalid || undefined}
                  />
                )}
              </Field>
            ))}
          </div>
        </>
      )}
    </fieldset>
  );
}

/** More characters than any example has. `readPaste` reads as many. */
const MAX_CHARACTERS = 20_000;
/** A keyboard adds at most this many characters at once, such as a composed letter. More are a paste. */
const MAX_TYPED = 3;

export interface PasteBoxHandle {
  /** Inserts a text that was pasted elsewhere on the screen. */
  take: (text: string) => void;
  /** Reads text that was typed and not read yet. Returns whether there was any. */
  flush: () => boolean;
}

/**
 * A box for any text with an address or a key in it. A key does not stay in the box: only its last four characters are
 * shown. The box is uncontrolled, so that no state of the page contains the key.
 */
export function PasteBox({
  onFound,
  ref,
}: {
  /** Called with what was found in the box. `isWhole`: the text was pasted at once, not typed letter by letter. */
  onFound: (pasted: Pasted, options: { isWhole: boolean }) => void;
  ref?: Ref<PasteBoxHandle>;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  /** The length of the text at the last event, to tell typing from pasting. */
  const lastLength = useRef(0);
  const isRead = useRef(true);

  /** Inserts a text at the selection and reads the whole box. */
  function insert(text: string): void {
    const box = area.current;
    if (!box) return;
    const pasted = readPaste(text);
    const shown = text.slice(0, MAX_CHARACTERS);
    box.setRangeText(
      pasted.key === undefined ? shown : maskKey(shown, pasted.key),
      box.selectionStart,
      box.selectionEnd,
      "end",
    );
    // The box may also contain an earlier address, or a key that was typed.
    const whole = readPaste(box.value);
    if (whole.key !== undefined) box.value = maskKey(box.value, whole.key);
    markRead(box);
    onFound(pasted.key === undefined ? whole : { ...pasted, addresses: whole.addresses }, { isWhole: true });
  }

  function read(options: { isWhole: boolean }): void {
    const box = area.current;
    if (!box) return;
    const pasted = readPaste(box.value);
    if (pasted.key !== undefined) box.value = maskKey(box.value, pasted.key);
    markRead(box);
    if (box.value.trim() !== "") onFound(pasted, options);
  }

  function markRead(box: HTMLTextAreaElement): void {
    lastLength.current = box.value.length;
    isRead.current = true;
  }

  const flush = () => {
    const isNew = !isRead.current;
    if (isNew) read({ isWhole: false });
    return isNew;
  };
  useImperativeHandle(ref, () => ({ take: insert, flush }));
  const latest = useRef(insert);
  useEffect(() => {
    latest.current = insert;
  });
  useEffect(() => {
    // So that a paste anywhere on the screen goes into the box.
    const onPaste = (event: globalThis.ClipboardEvent) => {
      const isInField = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");
      const text = isInField ? "" : (event.clipboardData?.getData("text/plain") ?? "");
      if (text.trim() !== "") latest.current(text);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);

  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text/plain");
    if (text === "") return;
    event.preventDefault();
    insert(text);
  };

  return (
    <Field label="Paste a URL, or a curl command from the service’s docs">
      {({ id, describedBy }) => (
        <TextArea
          ref={area}
          mono
          id={id}
          rows={5}
          aria-describedby={describedBy}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder={'curl https://api.example.com/api/v1/queue/apikey/models \\\n  -H "Authorization: Bearer …"'}
          className="max-h-60 leading-relaxed"
          onPaste={onPaste}
          onInput={(event) => {
            const { length } = event.currentTarget.value;
            const added = length - lastLength.current;
            const isWhole = added > MAX_TYPED;
            // A browser may send several events for one change.
            if (added !== 0) isRead.current = false;
            lastLength.current = length;
            // Text that was dropped or filled in comes without a paste event.
            if (isWhole) read({ isWhole });
          }}
          onBlur={({ relatedTarget }) => {
            // Not when a button is pressed: the layout must not move before the click. Connect reads the box itself.
            if (!(relatedTarget instanceof HTMLButtonElement)) flush();
          }}
        />
      )}
    </Field>
  );
}
