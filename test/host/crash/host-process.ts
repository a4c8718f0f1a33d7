// The host of the crash tests: all but the page, in a process of its own that may be killed.
import { createHost } from "../../../src/host/create-host.ts";
import { readHostSettings } from "../../../src/host/host-settings.ts";
import { startServer } from "../../../src/host/start-server.ts";

const settings = readHostSettings(process.env);
const host = createHost(settings, undefined, { isForSession: () => true });
const server = await startServer(host.fetch, settings);
process.stdout.write(`${server.url}\n`);
