import { defineCommands } from "#ui/commands.ts";

export const createCommands = {
  ...defineCommands(
    { group: "Run", places: ["create"] },
    {
      run: { id: "create.run", label: "Run", keys: "mod+enter", spends: true },
      cancelRun: { id: "create.cancel-run", label: "Cancel waiting run" },
      prompt: { id: "create.prompt", label: "Go to prompt", keys: "/" },
      improve: { id: "create.improve", label: "Improve prompt" },
      presets: { id: "create.presets", label: "Presets", keys: "p" },
      project: { id: "create.project", label: "Choose project" },
      begin: { id: "create.begin", label: "Start with example", isPerItem: true },
      batch: { id: "create.batch", label: "Open as batch" },
    },
  ),
  ...defineCommands(
    { group: "View", places: ["create"] },
    {
      viewForm: { id: "create.view-form", label: "View as form" },
      viewJson: { id: "create.view-json", label: "View as JSON" },
      viewCode: { id: "create.view-code", label: "View as code" },
    },
  ),
};
