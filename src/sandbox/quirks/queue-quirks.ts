import { DELIVERY_QUIRKS } from "./delivery-quirks.ts";
import { ERROR_QUIRKS } from "./error-quirks.ts";
import { JOB_QUIRKS } from "./job-quirks.ts";
import { LIST_QUIRKS } from "./list-quirks.ts";
import { MODEL_QUIRKS } from "./model-quirks.ts";
import { OUTCOME_QUIRKS } from "./outcome-quirks.ts";
import type { Quirk } from "./quirk.ts";

/** Every quirk of the queue half. They apply in this order, whatever the order they are chosen in. */
export const QUIRKS: readonly Quirk[] = [
  ...JOB_QUIRKS,
  ...OUTCOME_QUIRKS,
  ...LIST_QUIRKS,
  ...MODEL_QUIRKS,
  ...ERROR_QUIRKS,
  ...DELIVERY_QUIRKS,
];
