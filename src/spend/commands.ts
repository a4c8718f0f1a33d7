import { defineCommands } from "#ui/commands.ts";

export const spendCommands = defineCommands(
  { group: "Spend", places: ["spend"] },
  {
    limits: { id: "spend.limits", label: "Change the limits" },
    export: { id: "spend.export", label: "Export CSV" },
    more: { id: "spend.more", label: "Show more of the ledger" },
    table: { id: "spend.table", label: "Show the chart as table" },
    unknown: { id: "spend.unknown", label: "Show unknown prices" },
    project: { id: "spend.project", label: "New project" },
    import: { id: "spend.import", label: "Import the last jobs" },
    importMore: { id: "spend.import-more", label: "Continue the import" },
    importOne: { id: "spend.import-one", label: "Import a job by its ID" },
  },
);
