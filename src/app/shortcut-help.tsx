import { useCommandStore } from "#ui/command-store.ts";
import { Dialog } from "#ui/dialog.tsx";
import { shortcutLabel } from "#ui/shortcut-label.ts";
import { groupCommands } from "./group-commands.ts";

interface ShortcutHelpProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The keys that work on this screen now. */
export function ShortcutHelp({ open, onOpenChange }: ShortcutHelpProps) {
  const commands = useCommandStore((state) => state.commands);
  const groups = groupCommands(commands.filter(({ keys }) => keys));
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="Keyboard shortcuts"
      description="Single keys rest while you type in a field."
    >
      {groups.map((group) => (
        <section key={group.name} className="mt-2">
          <h3 className="m-0 py-1 font-medium text-[11.5px] text-ink-3">{group.name}</h3>
          <dl className="m-0">
            {group.commands.map(({ id, label, keys = "" }) => (
              <div key={id} className="flex items-center justify-between gap-4 py-1.5">
                <dt>{label}</dt>
                <dd className="m-0 rounded-[4px] border border-line-strong px-1.5 font-mono text-[11.5px] text-ink-2">
                  {shortcutLabel(keys)}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
