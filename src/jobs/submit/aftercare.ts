export { runAudits } from "./audit.ts";
export { pruneOutbox } from "./prune-outbox.ts";
export { reconcile } from "./reconcile.ts";
export { resumeIntents } from "./resume.ts";
