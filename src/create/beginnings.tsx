import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { AudioLines, Clapperboard, Image, type LucideIcon, MessageSquareText } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Api } from "#api/create-api.ts";
import type { ModelDetail } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { getConnection, useConnection } from "#connection/connection-store.ts";
import { getAccountUploads } from "#media/upload/uploads.ts";
import { useInactiveModels } from "#models/inactive-models.ts";
import { modelQueries } from "#models/model-queries.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { getSchemaPlace } from "#schema-form/read/reading-hints.ts";
import { commandFor, useCommands } from "#ui/commands.ts";
import { Spinner } from "#ui/indicators.tsx";
import { createCommands } from "./commands.ts";
import { putIntoDraft } from "./drafts.ts";
import { focusPrompt } from "./form-focus.ts";

type Beginning = { label: string; icon: LucideIcon; illustration: string; prompt: string } & (
  | { kind: FitFor["kind"] }
  | { kind: "text" }
);

const BEGINNINGS: readonly Beginning[] = [
  {
    kind: "image",
    label: "Image",
    icon: Image,
    illustration: "/examples/image.webp",
    prompt: "A lighthouse at dusk, its lamp just lit, warm light on calm water, 35mm film still",
  },
  {
    kind: "video",
    label: "Video",
    icon: Clapperboard,
    illustration: "/examples/video.webp",
    prompt: "A red kite rises over dunes, the camera follows it slowly, clear afternoon light",
  },
  {
    kind: "audio",
    label: "Audio",
    icon: AudioLines,
    illustration: "/examples/audio.webp",
    prompt: "A calm piano melody with soft rain in the background",
  },
  {
    kind: "text",
    label: "Text",
    icon: MessageSquareText,
    illustration: "/examples/text.webp",
    prompt: "Write a product description for a hand-made desk lamp, in 80 words.",
  },
];

const EXAMPLES = new Set(BEGINNINGS.map(({ prompt }) => prompt));

interface BeginningsProps {
  modelId: string | undefined;
  /** Opens the form of a model, with nothing carried over. */
  onModel: (modelId: string) => void;
  /** Called where no model was found for an example, so that the person chooses one of its kind. */
  onPick: (kind: FitFor["kind"]) => void;
}

/**
 * Before the first run: one example of each kind. Choosing one opens a model for it and puts the prompt into its form,
 * where the person has not written one. Nothing is submitted.
 */
export function Beginnings(props: BeginningsProps) {
  const { begin, busyWith } = useBegin(props);
  useCommands(
    BEGINNINGS.map((beginning) => ({
      ...commandFor(createCommands.begin, beginning.kind),
      label: `Start with example: ${beginning.label}`,
      icon: beginning.icon,
      run: () => void begin(beginning),
    })),
  );
  return (
    <div className="m-auto w-full max-w-160 px-6 py-10 max-sm:px-4 min-[125rem]:max-w-310">
      <h2 className="m-0 text-center font-semibold text-lg">Start with example</h2>
      <p className="m-0 mt-1.5 mb-6 text-balance text-center text-ink-2">
        Fills in the form for you. Nothing runs until you press Run.
      </p>
      <ul className="m-0 grid list-none grid-cols-2 gap-4 p-0 max-sm:gap-3 min-[125rem]:grid-cols-4">
        {BEGINNINGS.map((beginning) => (
          <li key={beginning.kind}>
            <BeginningTile
              beginning={beginning}
              isBusy={busyWith === beginning.kind}
              onBegin={() => void begin(beginning)}
            />
          </li>
        ))}
      </ul>
      <p className="m-0 mt-6 text-center text-sm text-ink-3">
        Your results appear here and in{" "}
        <Link to="/history" className="text-ink-2 underline underline-offset-2">
          History
        </Link>
        . The images above are illustrations.
      </p>
    </div>
  );
}

function BeginningTile({
  beginning: { kind, label, icon: Icon, illustration, prompt },
  isBusy,
  onBegin,
}: {
  beginning: Beginning;
  isBusy: boolean;
  onBegin: () => void;
}) {
  return (
    <button
      type="button"
      data-command={commandFor(createCommands.begin, kind).id}
      aria-label={`${label}: ${prompt}`}
      aria-busy={isBusy}
      onClick={onBegin}
      className="group flex h-full w-full cursor-pointer flex-col overflow-hidden rounded-md border border-line bg-panel p-0 text-left transition-[border-color] duration-150 hover:border-line-strong"
    >
      {/* The box has a size of its own, so that an image that does not load leaves its place free. */}
      <span className="block aspect-[8/5] w-full bg-raised">
        <img src={illustration} alt="" loading="lazy" className="block size-full object-cover" />
      </span>
      <span className="flex flex-col gap-1 px-3.5 pt-3 pb-3.5 max-sm:px-3">
        <span className="flex items-center gap-2 font-medium">
          {isBusy ? <Spinner label="Finding a model…" /> : <Icon aria-hidden="true" className="size-4 text-ink-3" />}
          {label}
        </span>
        <span className="text-sm text-ink-2 leading-snug">{prompt}</span>
      </span>
    </button>
  );
}

function useBegin({ modelId, onModel, onPick }: BeginningsProps) {
  const accountId = useConnection()?.accountId ?? "";
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const inactive = useInactiveModels();
  const [busyWith, setBusyWith] = useState<Beginning["kind"]>();
  /** Counts the presses, so that only the last one has an effect; leaving the screen counts, too. */
  const pressCount = useRef(0);
  useEffect(
    () => () => {
      pressCount.current += 1;
    },
    [],
  );

  async function begin({ kind, prompt }: Beginning): Promise<void> {
    pressCount.current += 1;
    const ownCount = pressCount.current;
    if (kind === "text") {
      await navigate({ to: "/playground", search: { ask: prompt } });
      return;
    }
    setBusyWith(kind);
    const found = await findModelFor({
      kind,
      client,
      api,
      first: modelId,
      isInactive: (id) => Object.hasOwn(inactive, id),
    });
    // Another one was chosen meanwhile, or the screen was left.
    if (ownCount !== pressCount.current) return;
    setBusyWith(undefined);
    if (!found) {
      onPick(kind);
      return;
    }
    const { promptKey } = found;
    const form = await putIntoDraft(accountId, found.modelId, getAccountUploads(api, accountId), (payload) => {
      const before = payload[promptKey];
      const isWrittenByPerson = typeof before === "string" && before.trim() !== "" && !EXAMPLES.has(before);
      return isWrittenByPerson ? payload : { ...payload, [promptKey]: prompt };
    }).catch(() => undefined);
    if (ownCount !== pressCount.current) return;
    onModel(found.modelId);
    // Without an open form, gives up the focus: the form that opens takes it where nothing else has it.
    if (form) focusPrompt(form);
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }
  return { begin, busyWith };
}

/** A model that makes `kind` from a prompt alone, and the key of its prompt. */
interface FitFor {
  kind: "image" | "video" | "audio";
  modelId: string;
  promptKey: string;
}

/** A model list may have hundreds of models, and each detail is a request of its own. */
const MAX_ASKED = 24;
/** Details that are asked for at once. */
const AT_ONCE = 4;

/**
 * The first model of the service that makes `kind` and needs nothing but a prompt: `first` if it does, then those whose
 * details are cached, then `MAX_ASKED` others, those with the kind in their id first. Undefined where none is found.
 */
async function findModelFor({
  kind,
  client,
  api,
  first,
  isInactive,
}: {
  kind: FitFor["kind"];
  client: QueryClient;
  api: Api;
  first: string | undefined;
  isInactive: (id: string) => boolean;
}): Promise<FitFor | undefined> {
  const queries = modelQueries(api);
  const ids = await client.ensureQueryData(queries.ids()).catch(() => []);
  const isCached = (id: string) => client.getQueryData(queries.detail(id).queryKey) !== undefined;
  const isNamedAfterKind = (id: string) => id.toLowerCase().includes(kind);
  const rank = (id: string) => (id === first ? 0 : isCached(id) ? 1 : isNamedAfterKind(id) ? 2 : 3);
  const candidates = ids
    .filter((id) => !isInactive(id))
    .sort((a, b) => rank(a) - rank(b))
    .filter((id, index, all) => isCached(id) || index - all.filter(isCached).length < MAX_ASKED);
  for (let start = 0; start < candidates.length; start += AT_ONCE) {
    const batch = candidates.slice(start, start + AT_ONCE);
    const details = await Promise.all(
      batch.map((id) => client.ensureQueryData(queries.detail(id)).catch(() => undefined)),
    );
    const found = details.flatMap((detail) => (detail ? (fitOf(detail, kind) ?? []) : []))[0];
    if (found) return found;
  }
  return undefined;
}

/** The model, where it makes `kind` and needs nothing but a prompt. */
function fitOf(detail: ModelDetail, kind: FitFor["kind"]): FitFor | undefined {
  if (detail.type !== kind) return undefined;
  const { fields } = readSchema(detail.raw, { place: getSchemaPlace(getConnection()?.queueBaseUrl) });
  const prompt = fields.find(({ role }) => role === "prompt");
  const needsMore = fields.some((field) => field !== prompt && field.required && field.defaultValue === undefined);
  return prompt && !needsMore ? { kind, modelId: detail.id, promptKey: prompt.key } : undefined;
}
