import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { dropConnection } from "./drop-connection.ts";
import type { HostSettings } from "./host-settings.ts";

type SandboxSettings = Pick<HostSettings, Extract<keyof HostSettings, `sandbox${string}`>>;
type Door = (request: Request, connection: HttpBindings | Http2Bindings) => Promise<Response>;

/**
 * The sandbox behind real HTTP. It is loaded and seeded when the first request comes, so that a host that only serves
 * the studio never pays for it. A lost reply of the sandbox (`Response.error()`) destroys the connection.
 */
export function sandboxDoor(settings: SandboxSettings): Door {
  let opening: ReturnType<typeof openSandbox> | undefined;
  return async (request, connection) => {
    opening ??= openSandbox(settings);
    const answer = await (await opening).fetch(request);
    if (answer.type === "error") return dropConnection(connection);
    // Files that people uploaded share the studio's origin here: nothing in them may run.
    answer.headers.set("X-Content-Type-Options", "nosniff");
    answer.headers.set("Content-Security-Policy", "script-src 'none'; object-src 'none'");
    return answer;
  };
}

async function openSandbox(settings: SandboxSettings) {
  const [{ createSandbox }, { nodeEncoders }] = await Promise.all([
    import("#sandbox/create-sandbox.ts"),
    import("./node-encoders.ts"),
  ]);
  const { sandboxTokensPerSecond: tokensPerSecond } = settings;
  return createSandbox({
    seed: settings.sandboxSeed,
    speed: settings.sandboxSpeed,
    media: nodeEncoders,
    history: settings.sandboxHistory,
    personalities: settings.sandboxPersonalities,
    rateLimits: { perKey: settings.sandboxRateLimit },
    ...(tokensPerSecond === null ? {} : { tokensPerSecond }),
  });
}
