export { runAudits } from "./audit.ts";
export { reconcile } from "./reconcile.ts";
export { resumeIntents } from "./resume.ts";
