import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowUpRight, Check } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useChat } from "#chat/chat.ts";
import { textModelQueries } from "#chat/text-model-queries.ts";
import { formatDollars, readTextPrice } from "#chat/text-price.ts";
import { useApi } from "#connection/client.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { isRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { modelQueries } from "#models/model-queries.ts";
import { TextInput } from "#ui/field.tsx";
import { rememberModel } from "../starting-model.ts";
import type { DialogBodyProps } from "../use-dialog.ts";

const MOST_SHOWN = 60;

/** One search over both catalogues (spec 1): a text model is put into the column, a generation model opens Create. */
export function TextModelPicker({ conversation, dialog, onClose }: DialogBodyProps<"model">) {
  const chat = useChat();
  const api = useApi();
  const navigate = useNavigate();
  const texts = useQuery(textModelQueries(api).all());
  const generation = useQuery(modelQueries(api).ids());
  const [text, setText] = useState("");
  const column = conversation.columns.find(({ id }) => id === dialog.columnId);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (id: string) => words.every((word) => id.toLowerCase().includes(word));
  const fittingTexts = (texts.data ?? []).filter(({ id, raw }) => fits(`${id} ${nameOf(raw)}`));
  const fittingGeneration = words.length === 0 ? [] : (generation.data ?? []).filter(fits);
  const typed = text.trim();
  const isKnown = [...(texts.data ?? []).map(({ id }) => id), ...(generation.data ?? [])].includes(typed);

  const choose = (model: string) => {
    if (column === undefined) return;
    rememberModel({ endpoint: column.endpoint, model });
    chat.conversations.dispatch(conversation.id, { kind: "column-changed", columnId: column.id, patch: { model } });
    onClose();
  };
  return (
    <div className="flex flex-col gap-3 pt-0.5">
      <TextInput
        type="search"
        aria-label="Search models"
        placeholder="Text and generation models"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const first = fittingTexts[0];
          if (event.key === "Enter" && first && words.length > 0) choose(first.id);
        }}
      />
      {texts.error && <ErrorNotice error={texts.error} operation="read" onRetry={() => void texts.refetch()} />}
      <Group title="Text models">
        {fittingTexts.slice(0, MOST_SHOWN).map(({ id, raw }) => (
          <Row
            key={id}
            onClick={() => choose(id)}
            isSelected={id === column?.model}
            title={visibleLine(id)}
            detail={visibleLine(detailOf(raw))}
          />
        ))}
        {typed !== "" && !isKnown && (
          <Row onClick={() => choose(typed)} isSelected={false} title={typed} detail="Not listed. Use it anyway." />
        )}
      </Group>
      {fittingGeneration.length > 0 && (
        <Group title="Generation models, in Create">
          {fittingGeneration.slice(0, MOST_SHOWN).map((id) => (
            <Row
              key={id}
              onClick={() => void navigate({ to: "/create/$modelId", params: { modelId: id } })}
              isSelected={false}
              title={visibleLine(id)}
              detail="Opens in Create"
              icon={<ArrowUpRight aria-hidden className="size-4 text-ink-3" />}
            />
          ))}
        </Group>
      )}
      <p role="status" className="m-0 text-[12px] text-ink-3 tabular-nums">
        {texts.isPending
          ? "Loading models"
          : `${fittingTexts.length} text models${words.length > 0 ? `, ${fittingGeneration.length} generation models` : ""}`}
      </p>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="m-0 mb-1 px-2.5 font-medium text-[12px] text-ink-3">{title}</h3>
      <ul aria-label={title} className="m-0 list-none p-0">
        {children}
      </ul>
    </div>
  );
}

function Row(props: { onClick: () => void; isSelected: boolean; title: string; detail: string; icon?: ReactNode }) {
  return (
    <li>
      <button
        type="button"
        aria-current={props.isSelected || undefined}
        onClick={props.onClick}
        className="flex min-h-12 w-full cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5 text-left hover:bg-hover aria-[current=true]:bg-accent-soft"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{props.title}</span>{" "}
          <span className="block truncate text-[12px] text-ink-3 tabular-nums">{props.detail}</span>
        </span>
        {props.isSelected && <Check aria-hidden className="size-4 text-accent-text" />}
        {props.icon}
      </button>
    </li>
  );
}

function nameOf(raw: unknown): string {
  return isRecord(raw) && typeof raw.display_name === "string" ? raw.display_name : "";
}

const MILLION = 1_000_000;

/** A model in the catalogue: its name, its window, its price for a million tokens. */
function detailOf(raw: Parameters<typeof readTextPrice>[0]): string {
  const price = readTextPrice(raw);
  const window = typeof raw.context_length === "number" ? `${raw.context_length.toLocaleString("en-US")} tokens` : "";
  const cost = price
    ? `${formatDollars(price.input * MILLION)} in, ${formatDollars(price.output * MILLION)} out per 1M tokens`
    : "";
  return [nameOf(raw), window, cost].filter((part) => part !== "").join(" · ");
}
