import { useState } from "react";
import {
  DEFAULT_NAME_TEMPLATE,
  mediaFileName,
  NAME_TOKENS,
  setNameTemplate,
  useNameTemplate,
} from "#media/download/file-name.ts";
import { Button } from "#ui/button.tsx";
import { Field, TextInput } from "#ui/field.tsx";

const SAMPLE = {
  requestId: "3f2a9c1e",
  model: "some-model",
  payload: { prompt: "A lighthouse keeper’s study at dusk, storm outside, warm lamp", seed: 4711 },
};

/** The template of every downloaded file's name, with the name that it makes. */
export function NameTemplateField() {
  const template = useNameTemplate();
  const [nowMs] = useState(() => Date.now());
  const job = { ...SAMPLE, createdAtSeconds: nowMs / 1000 };
  const preview = mediaFileName({ job, index: 0, extension: "png", template });
  const add = (token: string) => setNameTemplate(`${template || DEFAULT_NAME_TEMPLATE}-{${token}}`);
  return (
    <div className="max-w-[520px]">
      <Field label="File names" note="{prompt:40} takes the first 40 characters">
        {({ id, describedBy }) => (
          <TextInput
            id={id}
            aria-describedby={describedBy}
            spellCheck={false}
            placeholder={DEFAULT_NAME_TEMPLATE}
            value={template}
            onChange={(event) => setNameTemplate(event.target.value)}
          />
        )}
      </Field>
      <div data-field="" className="mt-2 flex flex-wrap gap-1.5">
        {NAME_TOKENS.map((token) => (
          <Button key={token} size="sm" aria-label={`Add ${token}`} onClick={() => add(token)}>
            {`{${token}}`}
          </Button>
        ))}
        {template !== "" && (
          <Button size="sm" variant="ghost" onClick={() => setNameTemplate("")}>
            As it was
          </Button>
        )}
      </div>
      <p className="m-0 mt-2.5 text-[12.5px] text-ink-2">
        For example{" "}
        <output aria-label="Example" className="wrap-anywhere font-mono text-[12px] text-ink">
          {preview}
        </output>
      </p>
    </div>
  );
}
