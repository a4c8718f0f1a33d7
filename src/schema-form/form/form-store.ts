import { createFormControl } from "react-hook-form";
import type { JsonRecord } from "#lib/json.ts";
import { checkPayload, type Problem } from "../check/check-payload.ts";
import { numberFromText } from "../check/number-text.ts";
import { problemFromMessage } from "../check/problem-from-message.ts";
import type { Field, FormSchema } from "../read/field.ts";
import { fieldNames } from "../read/field-names.ts";
import { withKey } from "../read/own-value.ts";
import { sameJson } from "../read/same-json.ts";
import { randomSeed } from "./random-seed.ts";
import {
  payloadFromSlots,
  REST,
  type Rest,
  Slot,
  type SlotValues,
  slotsFromPayload,
  startingValue,
  UNSENT,
  withStartingValues,
} from "./slot.ts";

/** What a row shows beside its control. Equal views are the same object, so a keystroke that changes none re-renders none. */
export interface FieldView {
  message: string | undefined;
  changed: boolean;
  /** Grows whenever the value was set from outside the control. */
  version: number;
  /** Only other payloads have this key: the row is not shown. */
  hidden: boolean;
  /** Its pattern could not be run to an end: only the service can check the value. */
  unchecked: boolean;
}

export type FormStore = ReturnType<typeof createFormStore>;

const NO_VIEW: FieldView = { message: undefined, changed: false, version: 0, hidden: false, unchecked: false };
const CONTENT_ROLES = new Set(["prompt", "negative-prompt", "image", "video", "audio", "file", "mask"]);

/** Whether a value differs from what the service would apply. A prompt or a picture is content, not a change. */
function isChanged(field: Field, slot: Slot): boolean {
  if (!slot.sent) return false;
  if (field.defaultValue !== undefined) return !sameJson(slot.value, field.defaultValue);
  return !field.required && !CONTENT_ROLES.has(field.role ?? "");
}

const slotOf = (value: unknown): Slot => (value instanceof Slot ? value : UNSENT);
const sameSlot = (a: Slot, b: Slot) => a.sent === b.sent && sameJson(a.value, b.value);

const NOTHING: ReadonlySet<string> = new Set();
/** Locked seeds by model: a form that is left and opened again keeps what its lock promised. */
const lockedSeeds = new Map<string, Set<string>>();
let created = 0;

/**
 * One form: react-hook-form holds the values under position names, and this store tells each row apart, so that a
 * keystroke checks the payload once and re-renders one field at most.
 */
export function createFormStore(modelId: string, schema: FormSchema, initialPayload: JsonRecord = {}) {
  created += 1;
  const id = `form${created}`;
  const start = slotsFromPayload(schema, withStartingValues(schema, initialPayload));
  const form = createFormControl<SlotValues>({ defaultValues: start });
  const names = fieldNames(schema);
  const fieldOf = new Map(schema.fields.map((field, position) => [names[position] ?? "", field]));
  const known = new Set(schema.fields.map((field) => field.key));
  const conditional = [...fieldOf].flatMap(([name, { applies }]) => (applies ? [[name, applies] as const] : []));
  const defaults = Object.fromEntries(
    schema.fields.filter((field) => field.defaultValue !== undefined).map((field) => [field.key, field.defaultValue]),
  );
  const everything = new Set<() => void>();
  const byField = new Map<string, Set<() => void>>();
  const views = new Map<string, FieldView>();
  let viewsVersion = 0;
  /** The fields that had something to say when last looked at. */
  let said: readonly string[] = [];
  const touched = new Set<string>();
  const blockers = new Map<string, { name: string; message: string }>();
  const locked = lockedSeeds.get(modelId) ?? new Set<string>();
  lockedSeeds.set(modelId, locked);
  let attempted = false;
  let edited = Object.keys(initialPayload).length > 0;
  let revealed = 0;
  let patternProblems: readonly Problem[] = [];
  let unchecked: ReadonlySet<string> = NOTHING;
  let refused: Problem | undefined;
  let payload = payloadFromSlots(schema, start);
  /** Undefined until the payload, as it now is, has been checked. */
  let checked: readonly Problem[] | undefined;

  const slot = (name: string): Slot => slotOf(form.control._formValues[name]);

  function problems(): readonly Problem[] {
    if (checked) return checked;
    const blocked = [...blockers.values()].map(({ name, message }): Problem => {
      const field = fieldOf.get(name);
      return { name, label: field?.label ?? "", path: field ? [field.key] : [], message, missing: false };
    });
    checked = [...blocked, ...checkPayload(schema, payload), ...patternProblems];
    return checked;
  }

  /** The first thing to say at each field: a service's refusal last, and what is missing only in its time. */
  function visibleMessages(): Map<string, string> {
    const messages = new Map<string, string>();
    for (const { name, message, missing } of refused ? [...problems(), refused] : problems()) {
      const isDue = !missing || attempted || touched.has(name);
      if (isDue && !messages.has(name)) messages.set(name, message);
    }
    return messages;
  }

  /** Fields that this payload has no use for. What is sent or has a problem is never out of sight. */
  function hiddenNames(messages: ReadonlyMap<string, string>): ReadonlySet<string> {
    if (conditional.length === 0) return NOTHING;
    const values = { ...defaults, ...payload };
    const isIdle = (name: string) =>
      !slot(name).sent && !messages.has(name) && !problems().some((p) => p.name === name);
    return new Set(conditional.filter(([name, applies]) => isIdle(name) && !applies(values)).map(([name]) => name));
  }

  /** Recomputes the views and tells those whose view is another one. `changed`: whose values are other ones. */
  function refresh(changed: ReadonlySet<string>, isOutside = false): void {
    checked = undefined;
    const messages = visibleMessages();
    const hidden = hiddenNames(messages);
    // Only these can look different: a form of hundreds of fields is not gone through at every key.
    const candidates = new Set([...changed, ...messages.keys(), ...said, ...conditional.map(([name]) => name)]);
    said = [...messages.keys()];
    for (const name of candidates) {
      const field = fieldOf.get(name);
      if (!field) continue;
      const old = views.get(name) ?? NO_VIEW;
      const isNew = changed.has(name);
      const next: FieldView = {
        message: messages.get(name),
        changed: isNew ? isChanged(field, slot(name)) : old.changed,
        version: old.version + (isNew && isOutside ? 1 : 0),
        hidden: hidden.has(name),
        unchecked: unchecked.has(name),
      };
      if (sameJson(old, next)) continue;
      views.set(name, next);
      viewsVersion += 1;
      for (const listener of byField.get(name) ?? []) listener();
    }
    for (const listener of everything) listener();
  }

  // Until someone subscribes, the control answers with its defaults.
  form.subscribe({ formState: {}, callback: () => undefined });

  // As RHF's own Controller reads them: `setValue` compares, copies and tells subscribers, at each key, and there are none.
  function put(name: string, value: Slot | Rest): void {
    form.control._formValues[name] = value;
  }
  const sent = names.filter((name) => slot(name).sent);
  // Most forms start with nothing in them: then nothing looks different.
  if (sent.length > 0 || conditional.length > 0) refresh(new Set(sent));

  /** What the service refused is old news once its field changed. */
  function forget(name: string): void {
    if (refused?.name === name) refused = undefined;
  }

  function setPayload(next: JsonRecord): void {
    edited = true;
    const slots = slotsFromPayload(schema, next);
    const different = names.filter((name) => !sameSlot(slot(name), slotOf(slots[name])));
    for (const name of [...different, REST]) put(name, slots[name] ?? UNSENT);
    payload = payloadFromSlots(schema, form.control._formValues);
    refresh(new Set(different), true);
  }

  return {
    id,
    modelId,
    schema,
    form,
    names,
    field: (name: string) => fieldOf.get(name),
    getPayload: () => payload,
    getProblems: problems,
    getValue: (name: string): unknown => slot(name).value,
    getView: (name: string) => views.get(name) ?? NO_VIEW,
    /** Another number whenever any field's view is another one. */
    getViewsVersion: () => viewsVersion,
    /** The message at a place inside a field, such as `f3/0/width`: parts inside a field show their own. */
    messageAt(place: string): string | undefined {
      const [name, ...inside] = place.split("/");
      const found = problems().find(
        (problem) => problem.name === name && problem.path.slice(1).join("/") === inside.join("/"),
      );
      return found && (!found.missing || attempted) ? found.message.replace(`${found.label}: `, "") : undefined;
    },
    subscribe(listener: () => void) {
      everything.add(listener);
      return () => void everything.delete(listener);
    },
    subscribeField(name: string, listener: () => void) {
      const listeners = byField.get(name) ?? new Set();
      byField.set(name, listeners.add(listener));
      return () => void listeners.delete(listener);
    },
    /** Sets one field; `undefined` takes the key out. `isLocal`: the control already shows it. */
    change(name: string, value: unknown, isLocal = false) {
      forget(name);
      const next = value === undefined ? UNSENT : new Slot(true, value);
      if (sameSlot(slot(name), next)) return;
      edited = true;
      put(name, next);
      const key = fieldOf.get(name)?.key ?? "";
      // A key that is sent and stays so keeps its place: the other fields need not be asked again.
      if (next.sent && Object.hasOwn(payload, key)) payload = withKey(payload, key, value);
      else payload = payloadFromSlots(schema, form.control._formValues);
      refresh(new Set([name]), !isLocal);
    },
    /** The person left the field: what is missing may be said now. */
    touch(name: string) {
      if (touched.has(name)) return;
      touched.add(name);
      refresh(NOTHING);
    },
    /** The person pressed Run: everything missing is said. */
    attempt() {
      attempted = true;
      refresh(NOTHING);
    },
    /** A locked seed is kept for the next run. */
    isLocked: (name: string) => locked.has(fieldOf.get(name)?.key ?? name),
    lock(name: string, keep: boolean) {
      const key = fieldOf.get(name)?.key ?? name;
      if (keep) locked.add(key);
      else locked.delete(key);
      for (const listener of everything) listener();
    },
    /** After an accepted run: every seed that was sent and is not locked is drawn anew. */
    drawNextSeeds() {
      for (const name of names) {
        const field = fieldOf.get(name);
        if (field?.kind !== "number" || field.role !== "seed" || this.isLocked(name) || !slot(name).sent) continue;
        this.change(name, numberFromText(field, String(randomSeed(field))));
      }
    },
    /** Keys that are sent and that no field is for, as one text: equal texts re-render nothing. */
    getUnknownKeys: (): string => JSON.stringify(Object.keys(payload).filter((key) => !known.has(key))),
    /** Whether Run was pressed: from then on everything missing is said. */
    isAttempted: () => attempted,
    /** Grows with every wish to see a field that may be folded away. */
    getRevealed: () => revealed,
    reveal(name: string) {
      if (fieldOf.get(name)?.advanced) revealed += 1;
      for (const listener of everything) listener();
    },
    /** A control holds text that is no value yet, such as broken JSON. Undefined lifts it. */
    block(place: string, name: string, message: string | undefined) {
      if (message === undefined ? !blockers.delete(place) : blockers.get(place)?.message === message) return;
      if (message !== undefined) blockers.set(place, { name, message });
      refresh(NOTHING);
    },
    /** What patterns said, and the fields whose pattern was stopped. */
    setPatternProblems(found: readonly Problem[], stopped: readonly string[]) {
      const affected = new Set([...unchecked, ...stopped]);
      if (found.length === 0 && patternProblems.length === 0 && affected.size === 0) return;
      patternProblems = found;
      unchecked = new Set(stopped);
      refresh(affected);
    },
    /**
     * Puts the service's own words beside the field that they name, until that field changes. They do not keep the
     * form from running: only the service knows whether it would refuse again. Returns whether a field was named.
     */
    refuse(message: string | undefined): boolean {
      const named = message === undefined ? undefined : problemFromMessage(schema, message);
      // Of an empty form nothing is said before the person had a chance to fill it in.
      refused = named && { ...named, missing: !edited };
      refresh(NOTHING);
      if (refused && (attempted || !refused.missing)) this.reveal(refused.name);
      return refused !== undefined;
    },
    /** What the service refused and where, until that field changes. */
    getRefused: () => refused,
    setPayload,
    resetField(name: string) {
      const field = fieldOf.get(name);
      touched.delete(name);
      this.change(name, field ? startingValue(field) : undefined);
    },
    reset() {
      touched.clear();
      attempted = false;
      setPayload(withStartingValues(schema, {}));
      edited = false;
    },
  };
}
