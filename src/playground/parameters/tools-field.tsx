import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { inputClass, TextArea } from "#ui/field.tsx";

interface ToolsFieldProps {
  id: string;
  describedBy: string | undefined;
  tools: readonly unknown[];
  /** A definition that needs no pasting. */
  known?: JsonRecord | undefined;
  /** Undefined where none is left: the field is then not sent. */
  onChange: (tools: readonly unknown[] | undefined) => void;
}

/** The definitions of tools that go along, by their names. Another one is pasted as JSON. */
export function ToolsField({ id, describedBy, tools, known, onChange }: ToolsFieldProps) {
  const [isAdding, setIsAdding] = useState(false);
  const put = (next: readonly unknown[]) => onChange(next.length === 0 ? undefined : next);
  const canAddKnown = known && !tools.some((tool) => nameOf(tool) === nameOf(known));
  const keyed = tools.map((tool, at) => ({ at, key: `${at} ${nameOf(tool)}`, name: nameOf(tool) }));
  return (
    <div data-field className="flex flex-col gap-1.5">
      <div
        className={inputClass("flex min-h-[34px] flex-wrap items-center gap-1.5 px-1.5 py-1 pointer-coarse:min-h-11")}
      >
        {keyed.map(({ at, key, name }) => (
          <span
            key={key}
            className="inline-flex max-w-full items-center gap-0.5 rounded-[5px] bg-hover ps-1.5 font-mono text-[12px]"
          >
            <span className="truncate">{name}</span>
            <button
              type="button"
              aria-label={`Remove tool ${name}`}
              onClick={() => put(tools.filter((_, other) => other !== at))}
              className="grid size-6 shrink-0 cursor-pointer place-items-center rounded-[5px] text-ink-3 hover:text-ink pointer-coarse:size-11"
            >
              <X aria-hidden className="size-3" />
            </button>
          </span>
        ))}
        <button
          type="button"
          id={id}
          aria-expanded={isAdding}
          onClick={() => setIsAdding(!isAdding)}
          className="flex min-h-6 cursor-pointer items-center gap-1 rounded-[5px] px-1 text-[12.5px] text-ink-3 hover:text-ink pointer-coarse:min-h-11"
        >
          <Plus aria-hidden className="size-3" /> Add
        </button>
        {canAddKnown && (
          <button
            type="button"
            title="The model then proposes runs by calling this tool. Batch opens them."
            aria-label={`Add tool ${nameOf(known)}`}
            onClick={() => put([...tools, known])}
            className="flex min-h-6 cursor-pointer items-center gap-1 rounded-[5px] px-1 font-mono text-[12px] text-ink-3 hover:text-ink pointer-coarse:min-h-11"
          >
            <Plus aria-hidden className="size-3" /> {nameOf(known)}
          </button>
        )}
      </div>
      {isAdding && (
        <AddTool
          describedBy={describedBy}
          onAdd={(added) => {
            put([...tools, ...added]);
            setIsAdding(false);
          }}
        />
      )}
    </div>
  );
}

function AddTool({
  describedBy,
  onAdd,
}: {
  describedBy: string | undefined;
  onAdd: (tools: readonly JsonRecord[]) => void;
}) {
  const statusId = useId();
  const { control, register, handleSubmit } = useForm({ defaultValues: { text: "" } });
  const text = useWatch({ control, name: "text" });
  const isUnreadable = readTools(text) === undefined;
  const isWrong = text.trim() !== "" && isUnreadable;
  const add = handleSubmit((values) => onAdd(readTools(values.text) ?? []));
  return (
    <>
      <TextArea
        aria-label="Definition of a tool"
        aria-describedby={[describedBy, isWrong && statusId].filter(Boolean).join(" ") || undefined}
        aria-invalid={isWrong}
        mono
        rows={4}
        className="max-h-[30dvh]"
        spellCheck={false}
        autoFocus
        placeholder={'{ "name": "tide_table", … }'}
        {...register("text")}
      />
      <div className="flex items-center gap-2">
        <span id={statusId} role="status" className="min-w-0 flex-1 text-[12px] text-failed">
          {isWrong && "Enter a JSON object or a list of them."}
        </span>
        <Button size="sm" aria-disabled={isUnreadable} onClick={add}>
          Add tool
        </Button>
      </div>
    </>
  );
}

/** One definition or several; undefined where the text is neither. */
function readTools(text: string): JsonRecord[] | undefined {
  const parsed = text.trim() === "" ? undefined : tryParseJson(text);
  const list = Array.isArray(parsed) ? parsed : [parsed];
  return list.length > 0 && list.every(isRecord) ? list : undefined;
}

/** What a definition calls the tool, in the forms of the endpoints. */
function nameOf(tool: unknown): string {
  if (!isRecord(tool)) return "unnamed";
  const inner = isRecord(tool.function) ? tool.function.name : undefined;
  const name = [tool.name, inner, tool.type].find((one) => typeof one === "string" && one !== "");
  return visibleLine(String(name ?? "unnamed"), 60);
}
