import { redactKey } from "#lib/redact-secret.ts";
import { findSecret, type SecretFinding } from "#lib/secret-shape.ts";
import { toast } from "#ui/toast-store.ts";
import { getConnection } from "./connection-store.ts";

/** Texts that look like a key and that the person allowed to be sent. They are gone with the page. */
const allowed = new Set<string>();

/**
 * Finds a key in a text or a JSON value that is to be sent or stored: the current connection's own, or a text that
 * looks like the key of some service and was not allowed by the person.
 */
export function findKey(value: unknown): SecretFinding | undefined {
  return findSecret(value, getConnection()?.keyShape, allowed);
}

/** Lets a text that looks like a key be sent from now on. Has no effect for the connection's own key. */
export function allowKey(finding: SecretFinding): void {
  if (finding.kind === "similar") allowed.add(finding.found);
}

/** A JSON value without the current connection's own key, so that it may be stored. The same object if it has none. */
export function redactOwnKey<T>(value: T): T {
  return redactKey(value, getConnection()?.keyShape);
}

/** Says why something was not sent or not saved. `what` is "text", "file name" and the like. */
export function keyFindingWords(
  finding: SecretFinding,
  what = "text",
  done: "sent" | "saved" = "sent",
): { title: string; body: string } {
  if (finding.kind === "own") {
    return { title: `This ${what} contains your API key`, body: `Nothing was ${done}. Remove the key and try again.` };
  }
  const start = finding.found.slice(0, 6);
  return {
    title: `This ${what} may contain an API key`,
    body: `It contains text that starts with “${start}”. Nothing was ${done}. Remove it, or send it if it isn’t a key.`,
  };
}

/** `keyFindingWords` as one line under a field. The notice beside Run shows what looks like a key. */
export function keyFindingSentence(finding: SecretFinding, what = "text"): string {
  const { title, body } = keyFindingWords(finding, what);
  return finding.kind === "own" ? `${title}. ${body}` : `${title}. Nothing was sent.`;
}

/** Why a value must not be sent, as a sentence; undefined where it may be sent. */
export function keySentence(value: unknown): string | undefined {
  const finding = findKey(value);
  return finding && keyFindingSentence(finding);
}

/**
 * Whether a value must not be saved because it contains the current connection's own key. A toast says so. `what` is
 * "batch" and the like.
 */
export function refuseToSave(value: unknown, what: string): boolean {
  const finding = findKey(value);
  if (finding?.kind !== "own") return false;
  toast({ tone: "error", ...keyFindingWords(finding, what, "saved") });
  return true;
}
