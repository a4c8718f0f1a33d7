import { defineCommands } from "#ui/commands.ts";

export const spendCommands = defineCommands(
  { group: "Spend", places: ["spend"] },
  {
    limits: { id: "spend.limits", label: "Change limits" },
    export: { id: "spend.export", label: "Export transactions as CSV" },
    more: { id: "spend.more", label: "Show more transactions" },
    table: { id: "spend.table", label: "Show chart as table" },
    unknown: { id: "spend.unknown", label: "Show unknown prices" },
    project: { id: "spend.project", label: "New project" },
    import: { id: "spend.import", label: "Import latest 1,000 jobs" },
    importMore: { id: "spend.import-more", label: "Continue import" },
    importOne: { id: "spend.import-one", label: "Import job by ID" },
  },
);
