// npm run build
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";

await ensureInstalled();
await ensureBuilt();

if (!process.env.SAFELIGHT_SERVICE) {
  process.stderr.write(
    "SAFELIGHT_SERVICE is not set: on a plain file host, the page can connect to any https URL. See .deploy/README.md.\n",
  );
}
