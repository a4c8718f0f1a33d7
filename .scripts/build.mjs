// npm run build
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";

await ensureInstalled();
await ensureBuilt();

if (!process.env.SAFELIGHT_SERVICE) {
  process.stderr.write(
    "SAFELIGHT_SERVICE is not set: where a plain file host gives out dist/, its page may reach any https address. See .deploy/README.md.\n",
  );
}
