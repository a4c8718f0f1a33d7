import { defineCommands } from "#ui/commands.ts";

export const priceCommands = defineCommands(
  { group: "Price table", places: ["prices"] },
  {
    csv: { id: "prices.csv", label: "Copy CSV" },
    picture: { id: "prices.picture", label: "Download image", keys: "d" },
    swap: { id: "prices.swap", label: "Swap rows and columns", keys: "c" },
    refresh: { id: "prices.refresh", label: "Refresh prices" },
    compare: { id: "prices.compare", label: "Compare all models" },
    addToBatch: { id: "prices.batch", label: "Add to new batch", keys: "b" },
    use: { id: "prices.use", label: "Use in Create" },
  },
);
