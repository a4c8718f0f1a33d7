import { answerRequest } from "./answer-request.ts";
import { createContext, OPENING_BALANCE } from "./create-context.ts";
import { jobEndpoints } from "./endpoints/job-endpoints.ts";
import { mediaEndpoints } from "./endpoints/media-endpoints.ts";
import { modelEndpoints } from "./endpoints/model-endpoints.ts";
import { settingsEndpoints } from "./endpoints/settings-endpoints.ts";
import { submitEndpoints } from "./endpoints/submit-endpoints.ts";
import { uploadEndpoints } from "./endpoints/upload-endpoints.ts";
import { type Inspection, inspectSandbox, type RequestLogEntry } from "./inspection.ts";
import { PERSONALITIES } from "./personalities.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import type { EndpointGroup, SandboxContext } from "./sandbox-context.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import type { SandboxSettings } from "./settings.ts";
import { textEndpoints } from "./text/text-endpoints.ts";

export interface Sandbox {
  /**
   * Answers every path below `/sandbox/`. A lost reply is `Response.error()`: a door over real HTTP must then destroy
   * the connection without an answer, as it must when the body of an answer ends in an error.
   */
  fetch(request: Request): Promise<Response>;
  /** What really happened: money, jobs, requests. For tests and simulations. */
  inspect(): Inspection;
  /** Changes settings while it runs, as `PUT /sandbox/settings` does. Throws on a wrong value. */
  configure(patch: Partial<SandboxSettings>): void;
}

/** Each group of endpoints; the order is that of matching. */
const GROUPS: readonly ((context: SandboxContext) => EndpointGroup)[] = [
  modelEndpoints,
  submitEndpoints,
  jobEndpoints,
  uploadEndpoints,
  mediaEndpoints,
  textEndpoints,
  settingsEndpoints,
];

const LOGGED_REQUESTS = 10_000;

/**
 * The whole service of the specification in memory, deterministic from its seed and its clock.
 *
 * What it does not do stands in `limits.ts`, sentence by sentence, and in the studio's Settings.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const context = createContext(options);
  const groups = GROUPS.map((make) => make(context));
  for (const id of groups.flatMap((group) => group.textModelIds ?? [])) context.textModelIds.add(id);
  // Those of a group come first: they know its answers best, and cutting or hiding an answer comes last.
  context.personalities.push(...groups.flatMap((group) => group.personalities ?? []), ...PERSONALITIES);
  const { personalities = [], faults = [], rateLimits = {}, tokensPerSecond = null } = options;
  context.settings.change({ personalities, faults, rateLimits, tokensPerSecond });

  const routes = groups.flatMap((group) => group.routes);
  const limiter = createRateLimiter(context.clock.realNow);
  const log: RequestLogEntry[] = [];
  return {
    async fetch(request) {
      const { response, entry } = await answerRequest({ context, routes, limiter, origin: options.origin }, request);
      log.push(entry);
      if (log.length > LOGGED_REQUESTS) log.shift();
      return response;
    },
    inspect: () => inspectSandbox(context, options.openingBalanceMicroUsd ?? OPENING_BALANCE, log),
    configure: (patch) => context.settings.change({ ...patch }),
  };
}
