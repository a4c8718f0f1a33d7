import { asRecord, isRecord } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import type { EndpointModel } from "./conversations/thread.ts";
import type { InputForm } from "./request-body.ts";

/** What the answers of one model on one endpoint have shown, so that it is not tried again each time. */
interface EndpointCapabilities {
  /** How /v1/responses takes a conversation. */
  inputForm?: InputForm;
  /** A stream was asked for and the answer came in one piece. */
  isWhole?: boolean;
}

const MAX_ENDPOINTS = 300;

const nameOf = (accountId: string, { endpoint, model }: EndpointModel) => `${accountId}|${endpoint}|${model}`;

/** `accountId` is the connection's key fingerprint: another service may have other capabilities. */
export function getCapabilities(accountId: string, asked: EndpointModel): EndpointCapabilities {
  const raw = readAll()[nameOf(accountId, asked)];
  if (!isRecord(raw)) return {};
  return {
    ...(raw.inputForm === "items" || raw.inputForm === "text" ? { inputForm: raw.inputForm } : {}),
    ...(typeof raw.isWhole === "boolean" ? { isWhole: raw.isWhole } : {}),
  };
}

export function rememberCapability(accountId: string, asked: EndpointModel, found: EndpointCapabilities): void {
  const name = nameOf(accountId, asked);
  const { [name]: _, ...others } = readAll();
  const newest = Object.entries(others).slice(-MAX_ENDPOINTS);
  const all = { ...Object.fromEntries(newest), [name]: { ...getCapabilities(accountId, asked), ...found } };
  writeJson(KEYS.textCapabilities, all);
}

function readAll(): Record<string, unknown> {
  return asRecord(readJson(KEYS.textCapabilities));
}
