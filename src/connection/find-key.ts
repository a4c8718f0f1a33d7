import { redactKey } from "#lib/redact-secret.ts";
import { findSecret, type SecretFinding } from "#lib/secret-shape.ts";
import { toast } from "#ui/toast-store.ts";
import { getConnection } from "./connection-store.ts";

/** What a person said is no key, or may be sent all the same. As long as the page lives; nothing is drawn from it. */
const allowed = new Set<string>();

/**
 * The key in a text or in a JSON value that is to be sent or stored: the current connection's own, or what looks like
 * some service's and was not allowed by the person.
 */
export function findKey(value: unknown): SecretFinding | undefined {
  return findSecret(value, getConnection()?.keyShape, allowed);
}

/** The person sends it all the same. Has no effect on the connection's own key. */
export function allowKey(finding: SecretFinding): void {
  if (finding.kind === "similar") allowed.add(finding.found);
}

/** A JSON value as it may be stored: without the current connection's own key. Without it, the same object. */
export function redactOwnKey<T>(value: T): T {
  return redactKey(value, getConnection()?.keyShape);
}

/** What is said instead of sending, or of saving. `what` is "text", "file name" and the like. */
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
    body: `It contains ${start}… Nothing was ${done}. Remove it, or send it if it is not a key.`,
  };
}

/** The same in a line under a field. What may be no key is named in the notice beside Run. */
export function keyFindingSentence(finding: SecretFinding, what = "text"): string {
  const { title, body } = keyFindingWords(finding, what);
  return finding.kind === "own" ? `${title}. ${body}` : `${title}. Nothing was sent.`;
}

/** Why a value must not be sent, as a sentence; undefined where it may. */
export function keySentence(value: unknown): string | undefined {
  const finding = findKey(value);
  return finding && keyFindingSentence(finding);
}

/**
 * Whether a value that is to be saved holds the current connection's own key, which must not be on the disk. Says so in a
 * toast. `what` is "batch" and the like.
 */
export function refuseToSave(value: unknown, what: string): boolean {
  const finding = findKey(value);
  if (finding?.kind !== "own") return false;
  toast({ tone: "error", ...keyFindingWords(finding, what, "saved") });
  return true;
}
