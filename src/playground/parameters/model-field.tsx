import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown } from "lucide-react";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { modelCommands } from "#models/commands.ts";
import { formatDollars, readTextPrice } from "#text/answer-spend.ts";
import type { Column } from "#text/conversations/conversation.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { Field, inputClass } from "#ui/field.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { useColumnCommand } from "../messages/message-acts.ts";
import { useDialog } from "../use-dialog.ts";

const MILLION = 1_000_000;

/** The model of a column with its price, and the way to another. */
export function ModelField({ column }: { column: Column }) {
  const { id, model } = column;
  const openDialog = useDialog();
  const command = useColumnCommand(column)(modelCommands.choose);
  const { data } = useQuery({ ...textModelQueries(useApi()).all(), enabled: model !== "" });
  const entry = data?.find((one) => one.id === model);
  const price = entry && readTextPrice(entry.raw);
  const dollars = (each: number) => formatDollars(each * MILLION);
  return (
    <Field
      label="Model"
      group
      errorless
      aside={<Kbd command={modelCommands.choose} />}
      hint={price && `${dollars(price.input)} in, ${dollars(price.output)} out per 1M tokens`}
    >
      {({ describedBy }) => (
        <button
          type="button"
          data-command={command.id}
          aria-label={`Model: ${visibleLine(model) || "none chosen"}`}
          aria-describedby={describedBy}
          onClick={() => openDialog({ kind: "model", columnId: id })}
          className={inputClass(
            "flex min-h-[34px] w-full cursor-pointer items-center gap-2 text-start pointer-coarse:min-h-11",
          )}
        >
          <span className="min-w-0 flex-1 truncate">{visibleLine(model) || "Choose a model"}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-3" />
        </button>
      )}
    </Field>
  );
}
