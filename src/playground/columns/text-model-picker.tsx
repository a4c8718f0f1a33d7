import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import { useState } from "react";
import { useApi } from "#connection/client.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { counted } from "#lib/numbers.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { modelQueries } from "#models/model-queries.ts";
import { priceWords, readTextPrice } from "#text/answer-spend.ts";
import { useChat } from "#text/chat.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { Picker, type PickerItem, PickerRow } from "#ui/picker.tsx";
import { rememberModel } from "../new-conversation.ts";
import type { DialogBodyProps } from "../use-dialog.ts";

/**
 * One search over both model lists (spec 1). A text model becomes the column's model; a generation model opens Create.
 */
export function TextModelPicker({ conversation, dialog, onClose }: DialogBodyProps<"model">) {
  const chat = useChat();
  const api = useApi();
  const navigate = useNavigate();
  const texts = useQuery(textModelQueries(api).all());
  const generation = useQuery(modelQueries(api).ids());
  const [text, setText] = useState("");
  const column = conversation.columns.find(({ id }) => id === dialog.columnId);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (id: string) => words.every((word) => id.toLowerCase().includes(word));
  const fittingTexts = (texts.data ?? []).filter(({ id, raw }) => matches(`${id} ${displayName(raw)}`));
  const fittingGeneration = words.length === 0 ? [] : (generation.data ?? []).filter(matches);
  const typed = text.trim();
  const isKnown = [...(texts.data ?? []).map(({ id }) => id), ...(generation.data ?? [])].includes(typed);

  const choose = (model: string) => {
    if (column === undefined) return;
    rememberModel({ endpoint: column.endpoint, model });
    chat.conversations.dispatch(conversation.id, { kind: "column-changed", columnId: column.id, patch: { model } });
    onClose();
  };
  const textItem = (model: string, detail: string): ModelItem => ({
    id: `text ${model}`,
    title: model,
    group: "Text models",
    detail,
    onPick: () => choose(model),
  });
  const items: ModelItem[] = [
    ...fittingTexts.map(({ id, raw }) => ({ ...textItem(id, modelDetail(raw)), isListed: true })),
    ...(typed === "" || isKnown ? [] : [textItem(typed, "Not listed. Use it anyway.")]),
    ...fittingGeneration.map((id) => ({
      id: `create ${id}`,
      title: id,
      group: "Generation models, in Create",
      detail: "Opens in Create",
      isElsewhere: true,
      onPick: () => void navigate({ to: "/create/$modelId", params: { modelId: id } }),
    })),
  ];
  return (
    <div className="pt-0.5">
      <Picker
        label="Models"
        placeholder="Search text and generation models"
        search={text}
        onSearch={setText}
        items={items}
        selected={column ? [`text ${column.model}`] : []}
        onPick={({ onPick }) => onPick()}
        // An item that is not listed, or opens another screen, must be clicked.
        canPickWithEnter={({ isListed }) => isListed === true}
        row={({ title, detail, isElsewhere }) => (
          <PickerRow
            title={visibleLine(title)}
            detail={visibleLine(detail)}
            aside={isElsewhere && <ArrowUpRight aria-hidden="true" className="size-4 text-ink-3" />}
          />
        )}
        filters={
          texts.error && <ErrorNotice error={texts.error} operation="read" onRetry={() => void texts.refetch()} />
        }
        empty={() => null}
        status={
          texts.isPending
            ? "Loading models…"
            : [
                counted(fittingTexts.length, "text model"),
                ...(words.length > 0 ? [counted(fittingGeneration.length, "generation model")] : []),
              ].join(", ")
        }
      />
    </div>
  );
}

interface ModelItem extends PickerItem {
  title: string;
  detail: string;
  /** Whether it is a listed text model. */
  isListed?: boolean;
  /** Whether it opens another screen. */
  isElsewhere?: boolean;
  onPick: () => void;
}

function displayName(raw: unknown): string {
  return isRecord(raw) && typeof raw.display_name === "string" ? raw.display_name : "";
}

/** The second line of a model: its name, its context length, and its price for a million tokens. */
function modelDetail(raw: JsonRecord): string {
  const price = readTextPrice(raw);
  const context = typeof raw.context_length === "number" ? counted(raw.context_length, "token") : "";
  const cost = price ? priceWords(price) : "";
  return [displayName(raw), context, cost].filter((part) => part !== "").join(" · ");
}
