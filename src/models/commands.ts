import { defineCommands } from "#ui/commands.ts";

export const modelCommands = defineCommands(
  { group: "Model", places: ["create", "prices", "playground"] },
  { choose: { id: "model.choose", label: "Choose model", keys: "mod+m" } },
);
