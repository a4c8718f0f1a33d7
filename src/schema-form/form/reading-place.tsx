import { useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { visibleText } from "#lib/visible-text.ts";
import { Button, FoldButton } from "#ui/button.tsx";
import { TextArea } from "#ui/field.tsx";
import type { AnswerPath, FormSchema } from "../read/field.ts";
import { rememberPlace } from "../read/place-store.ts";
import { placeWords, readSchema } from "../read/read-schema.ts";
import { AnswerTree } from "./answer-tree.tsx";

/** Characters of the answer that are shown as text. */
const MAX_TEXT = 40_000;
const MAX_OFFERED = 2;

const countOf = (fields: number) => (fields === 1 ? "1 field" : `${fields} fields`);

/** Above a form that may be the wrong one: says so, and offers the places that could be meant instead. */
export function ReadingDoubt({ schema }: { schema: FormSchema }) {
  const service = useConnection()?.queueBaseUrl ?? "";
  const others = (schema.others ?? []).filter(({ count }) => count > 0).slice(0, MAX_OFFERED);
  return (
    <div
      role="status"
      aria-label="Field mapping is uncertain"
      className="mb-3 flex flex-col items-start gap-2 text-[12.5px]"
    >
      <p className="wrap-anywhere m-0 text-ink-2">
        {schema.place && `The fields of this form come from ${placeWords(schema.place.path)}. `}
        {others.length > 0
          ? "Another part of the response may be the right one."
          : "These may not be the model’s parameters. Compare them with its documentation."}
      </p>
      {others.map(({ path, count }) => (
        <Button key={JSON.stringify(path)} size="sm" onClick={() => rememberPlace(service, path)}>
          Use {placeWords(path)} ({countOf(count)})
        </Button>
      ))}
    </div>
  );
}

/** Where the form was read from, and the tree to point at another place. It is remembered for the service. */
export function ReadingPlaceChoice({ schema }: { schema: FormSchema }) {
  const [isOpen, setOpen] = useState(false);
  const service = useConnection()?.queueBaseUrl ?? "";
  if (schema.answer === undefined) return null;
  return (
    <div className="flex flex-col items-start gap-2">
      {schema.place && (
        <p className="wrap-anywhere m-0 text-ink-3">
          {schema.isChosen ? "Chosen by you: " : "Found at "}
          {placeWords(schema.place.path)}.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {schema.place ? "Choose another place" : "Choose the list of parameters"}
        </Button>
        {schema.isChosen && (
          <Button size="sm" onClick={() => rememberPlace(service, undefined)}>
            Use automatic detection
          </Button>
        )}
      </div>
      {isOpen && <PlaceTree schema={schema} />}
    </div>
  );
}

function PlaceTree({ schema }: { schema: FormSchema }) {
  const service = useConnection()?.queueBaseUrl ?? "";
  const [missed, setMissed] = useState<string>();
  function choose(path: AnswerPath) {
    const read = readSchema(schema.answer, { place: path });
    const isThere = read.isChosen === true && read.fields.length > 0;
    setMissed(isThere ? undefined : placeWords(path));
    if (isThere) rememberPlace(service, read.place?.path ?? path);
  }
  return (
    <div className="flex w-full min-w-0 flex-col gap-1.5">
      <p className="m-0 text-ink-3">
        Choose the part that lists the parameters. The studio then uses the same place for other models of this service.
      </p>
      <AnswerTree schema={schema} onChoose={choose} />
      <p role="status" className="wrap-anywhere m-0 min-h-[18px] text-ink-2">
        {missed !== undefined && `There are no parameters at ${missed}.`}
      </p>
    </div>
  );
}

/** Beside the JSON editor where no list of parameters was found: what the service says, as a tree and as text. */
export function AnswerBeside({ schema }: { schema: FormSchema }) {
  const [isTextOpen, setTextOpen] = useState(true);
  if (schema.answer === undefined) return null;
  const text = JSON.stringify(schema.answer, null, 2) ?? "";
  const rest = text.length > MAX_TEXT ? "\n… The rest is not shown." : "";
  const shown = visibleText(text.slice(0, MAX_TEXT)) + rest;
  return (
    <section aria-label="Response of the service" className="flex flex-col gap-2 text-[12.5px]">
      <FoldButton isOpen={isTextOpen} onOpenChange={setTextOpen} className="rounded-sm text-ink-2">
        Raw response about this model
      </FoldButton>
      {isTextOpen && (
        <TextArea mono readOnly rows={12} spellCheck={false} aria-label="Response as text" value={shown} />
      )}
      <ReadingPlaceChoice schema={schema} />
    </section>
  );
}
