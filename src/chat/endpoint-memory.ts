import { isRecord } from "#lib/json.ts";
import { safeLocalStorage } from "#lib/safe-storage.ts";
import type { Asked } from "./conversation.ts";
import type { InputForm } from "./request-body.ts";

/** What a service showed of itself for one model, so that it is not found out anew each time. */
export interface EndpointHabits {
  /** How /v1/responses takes a conversation. */
  inputForm?: InputForm;
  /** A stream was asked for and the answer came in one piece. */
  isWhole?: boolean;
}

const KEY = "safelight:text-habits";
const MOST = 300;

const nameOf = (accountId: string, { endpoint, model }: Asked) => `${accountId}|${endpoint}|${model}`;

/** `accountId` is the connection's key fingerprint: another service has other habits. */
export function habitsOf(accountId: string, asked: Asked): EndpointHabits {
  const raw = readAll()[nameOf(accountId, asked)];
  if (!isRecord(raw)) return {};
  return {
    ...(raw.inputForm === "items" || raw.inputForm === "text" ? { inputForm: raw.inputForm } : {}),
    ...(typeof raw.isWhole === "boolean" ? { isWhole: raw.isWhole } : {}),
  };
}

export function rememberHabit(accountId: string, asked: Asked, habit: EndpointHabits): void {
  const name = nameOf(accountId, asked);
  const { [name]: _, ...others } = readAll();
  const kept = Object.entries(others).slice(-MOST);
  const habits = { ...Object.fromEntries(kept), [name]: { ...habitsOf(accountId, asked), ...habit } };
  safeLocalStorage.setItem(KEY, JSON.stringify(habits));
}

function readAll(): Record<string, unknown> {
  try {
    const raw: unknown = JSON.parse(safeLocalStorage.getItem(KEY) ?? "{}");
    return isRecord(raw) ? raw : {};
  } catch {
    return {};
  }
}
