import { onTestFinished } from "vitest";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { startServer } from "#host/start-server.ts";
import { PAGE_FOLDER } from "../page-folder.ts";
import { type Answer, send } from "../send.ts";

export const PASSWORD = "correct horse battery";

/** Starts a host for a test, with a password unless the environment says otherwise. It ends with the test. */
export async function startTeamHost(environment: Record<string, string> = {}): Promise<string> {
  return (await startStoppableHost(environment)).url;
}

/** The same, for a test that stops it. `PORT` names the files that it would have at that port; it listens at a free one. */
export async function startStoppableHost(environment: Record<string, string> = {}) {
  const env = { PORT: "0", SAFELIGHT_ACCESS: `password:${PASSWORD}`, ...environment };
  const settings = readHostSettings(env);
  const host = createHost(settings, PAGE_FOLDER);
  const server = await startServer(host.fetch, { ...settings, port: 0 });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= server.close(0).then(() => host.close());
    return stopping;
  };
  onTestFinished(stop);
  return { url: server.url, stop };
}

type Headers = Record<string, string | string[]>;

/** As a browser that goes to a page. */
export function visit(base: string, path: string, headers: Headers = {}): Promise<Answer> {
  const navigation = { Accept: "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
  return send(base, path, { method: "GET", headers: { ...navigation, ...headers } });
}

/** As a browser that sends one of the gate's own forms. */
export function submitForm(
  base: string,
  path: string,
  fields: Record<string, string>,
  headers: Headers = {},
): Promise<Answer> {
  const form = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Sec-Fetch-Site": "same-origin",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
    Origin: base,
  };
  return send(base, path, { headers: { ...form, ...headers }, body: new URLSearchParams(fields).toString() });
}

export const signIn = (base: string, password: string, headers: Headers = {}, to = "/") =>
  submitForm(base, "/access", { password, to }, headers);

/** The `Cookie` header of a browser that got this answer. */
export function cookieOf({ headers }: Answer): string {
  return (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
}
