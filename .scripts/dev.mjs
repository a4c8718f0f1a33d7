// npm run dev: the studio with hot reload, the sandbox on the same origin.
import { ensureInstalled, projectRoot } from "./ensure-installed.mjs";

await ensureInstalled();
const { createServer } = await import("vite");
const server = await createServer({
  root: projectRoot,
  clearScreen: false,
  logLevel: "warn",
  server: { host: process.env.HOST ?? "127.0.0.1", port: Number(process.env.PORT ?? 4173), strictPort: true },
});
try {
  await server.listen();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
const { local = [], network = [] } = server.resolvedUrls ?? {};
process.stdout.write(`Safelight is ready at ${[...local, ...network][0]?.replace(/\/$/, "")}\n`);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void server.close().then(() => process.exit(0)));
