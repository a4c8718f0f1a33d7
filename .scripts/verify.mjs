// npm run verify: whether dist/ and dist-host/ are, byte for byte, what was built.
import { projectRoot } from "./ensure-installed.mjs";
import { findChanges } from "./release-files.mjs";

const changes = findChanges(process.argv[2] ?? projectRoot);
for (const change of changes) console.error(change);
if (changes.length > 0) process.exit(1);
console.log("dist/ and dist-host/ are as they were built.");
