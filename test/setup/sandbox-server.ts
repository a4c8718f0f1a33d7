import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { createSandbox, type Sandbox } from "#sandbox/create-sandbox.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";

export interface SandboxServer {
  sandbox: Sandbox;
  origin: string;
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  close(): void;
}

/**
 * A fresh sandbox behind the `fetch` of this process: any address with `/sandbox/` in its path is answered by it, and any
 * other request is an error. Close it at the end of the test.
 */
export function startSandboxServer(options: SandboxOptions & { origin?: string } = {}): SandboxServer {
  const origin = options.origin ?? "http://localhost:4173";
  const sandbox = createSandbox({ ...options, origin });
  const server = setupServer(
    http.all("*/sandbox/*", async ({ request }) => {
      const response = await sandbox.fetch(request);
      return response.type === "error" ? HttpResponse.error() : response;
    }),
  );
  server.listen({ onUnhandledRequest: "error" });
  return {
    sandbox,
    origin,
    queueBaseUrl: `${origin}/sandbox/api/v1/queue`,
    inferenceBaseUrl: `${origin}/sandbox`,
    close: () => server.close(),
  };
}
