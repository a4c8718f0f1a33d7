import { defineCommands } from "#ui/commands.ts";

export const settingsCommands = defineCommands(
  { group: "Settings", places: ["settings"] },
  {
    export: { id: "settings.export", label: "Export local data" },
    import: { id: "settings.import", label: "Import local data" },
    deleteData: { id: "settings.delete-data", label: "Delete local data" },
    requests: { id: "settings.requests", label: "Show requests" },
    diagnostics: { id: "settings.diagnostics", label: "Save diagnostics" },
  },
);
