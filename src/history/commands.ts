import { defineCommands } from "#ui/commands.ts";

export const historyCommands = {
  ...defineCommands(
    { group: "Find", places: ["history"] },
    {
      search: { id: "history.search", label: "Search jobs", keys: "/" },
      searchHelp: { id: "history.search-help", label: "Search terms" },
      clearFilters: { id: "history.clear-filters", label: "Clear filters" },
      grid: { id: "history.grid", label: "View as grid" },
      table: { id: "history.table", label: "View as table" },
      refresh: { id: "history.refresh", label: "Refresh jobs" },
      searchOlder: { id: "history.search-older", label: "Search older jobs" },
      expiring: { id: "history.expiring", label: "Show files that expire this week" },
      archiveExpiring: { id: "history.archive-expiring", label: "Save files that expire this week" },
      downloadExpiring: { id: "history.download-expiring", label: "Download files that expire this week" },
      zip: { id: "history.zip", label: "Download all jobs" },
      folder: { id: "history.folder", label: "Save all jobs to folder" },
    },
  ),
  ...defineCommands(
    { group: "Selected jobs", places: ["history"] },
    {
      selectAll: { id: "history.select-all", label: "Select all jobs" },
      clearSelection: { id: "selection.clear", label: "Clear selection", keys: "esc" },
      collect: { id: "selection.collect", label: "Add to collection" },
      addToBatch: { id: "selection.batch", label: "Add to batch" },
      saveSelected: { id: "selection.folder", label: "Save to folder" },
    },
  ),
};
