import { defineCommands } from "#ui/commands.ts";

/** The way from a form to a batch: the batch's own commands are in `src/batch/commands.ts`. */
export const newBatchCommands = defineCommands(
  { group: "Run", places: ["create"] },
  { batch: { id: "create.batch", label: "Run a batch" } },
);
