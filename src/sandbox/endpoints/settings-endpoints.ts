import type { Route } from "../authenticate.ts";
import { DOCUMENTED_INPUTS } from "../documented-inputs.ts";
import type { EndpointGroup, SandboxContext } from "../sandbox-context.ts";

/**
 * Outside the specified service: the sandbox's own settings, its time, its documented inputs, and what it charged. No key
 * is asked for.
 */
export function settingsEndpoints(context: SandboxContext): EndpointGroup {
  const answer = () =>
    Response.json({
      ...context.settings.read(),
      nowMs: context.clock.now(),
      available: context.quirks.map(({ name, explanation }) => ({ name, explanation })),
      documentedInputs: DOCUMENTED_INPUTS,
    });
  const read: Route = { name: "settings", family: "settings", method: "GET", path: "/settings", handle: answer };
  const change: Route = {
    name: "change-settings",
    family: "settings",
    method: "PUT",
    path: "/settings",
    readsJson: true,
    handle({ body }) {
      context.settings.change(body);
      return answer();
    },
  };
  const charges: Route = {
    name: "charges",
    family: "settings",
    method: "GET",
    path: "/settings/charges",
    handle() {
      context.settle();
      return Response.json({ entries: context.ledger.entries() });
    },
  };
  return { routes: [read, change, charges] };
}
