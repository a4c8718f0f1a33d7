import { useState } from "react";
import { counted } from "#lib/numbers.ts";
import { FoldButton } from "#ui/button.tsx";
import { Select } from "#ui/field.tsx";
import type { Field, FormSchema, Role } from "../read/field.ts";
import { correctRole, useRoleCorrections } from "../read/reading-hints.ts";
import { ReadingPlaceChoice } from "./reading-place.tsx";

const READINGS: Record<FormSchema["reading"], string> = {
  parameters: "a list of parameters",
  "json-schema": "a JSON Schema",
  openapi: "an OpenAPI document",
  map: "a map of parameters",
  table: "a table of parameters",
  empty: "an empty list of parameters",
  none: "no known format",
};

/**
 * Shows how the model's listing was read; when opened, where it stands, what was left out and what each field is for.
 */
export function ReadingPanel({ modelId, schema }: { modelId: string; schema: FormSchema }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label="Field mapping" className="text-sm">
      <FoldButton isOpen={isOpen} onOpenChange={setOpen} className="rounded-sm text-ink-3">
        Field mapping (advanced): {counted(schema.fields.length, "field")} from {READINGS[schema.reading]}
      </FoldButton>
      {isOpen && <ReadingDetails modelId={modelId} schema={schema} />}
    </section>
  );
}

const ROLE_WORDS: Partial<Record<Role, string>> = {
  prompt: "Prompt",
  "negative-prompt": "Negative prompt",
  seed: "Seed",
  image: "Image",
  video: "Video",
  audio: "Audio",
  mask: "Mask",
  count: "Count",
  "aspect-ratio": "Aspect ratio",
  size: "Size",
  width: "Width",
  height: "Height",
  resolution: "Resolution",
  duration: "Duration",
  file: "File",
};

const intoView = (element: HTMLElement | null) => element?.scrollIntoView?.({ block: "nearest" });

/** The roles that a field of its kind can have. */
function rolesFor(field: Field): Role[] {
  if (field.kind === "text" || field.kind === "media")
    return ["prompt", "negative-prompt", "image", "video", "audio", "mask"];
  if (field.kind === "number") return ["seed", "count"];
  return field.kind === "choice" ? ["count"] : [];
}

/**
 * Where a form was read from and what was left out of it; a choice of another place, remembered for the service, and of
 * a role per field, remembered for the model.
 */
function ReadingDetails({ modelId, schema }: { modelId: string; schema: FormSchema }) {
  const { roles = {} } = useRoleCorrections(modelId);
  const fields = schema.fields.filter((field) => rolesFor(field).length > 0);
  return (
    // It stands at the end of the form: what opens would be out of sight.
    <div ref={intoView} className="flex flex-col gap-2 pt-1 pb-3 pl-5">
      {schema.fields.length > 0 && <ReadingPlaceChoice schema={schema} />}
      {schema.notes.length > 0 && (
        <ul className="m-0 flex list-none flex-col gap-1 p-0 text-ink-3">
          {[...new Set(schema.notes)].map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {fields.length > 0 && <p className="m-0 text-ink-3">Choose what a field is for if it was detected wrongly.</p>}
      {fields.map((field) => (
        <div key={field.key} className="flex items-center gap-2">
          <span className="wrap-anywhere min-w-0 flex-1 text-ink-2">{field.label}</span>
          <Select
            compact
            className="w-48 flex-none"
            aria-label={`${field.label} role`}
            value={Object.hasOwn(roles, field.key) ? roles[field.key] : ""}
            onChange={(event) => {
              const chosen = rolesFor(field).find((role) => role === event.target.value);
              correctRole(modelId, field.key, event.target.value === "none" ? "none" : chosen);
            }}
          >
            <option value="">
              {field.role ? `Detected: ${ROLE_WORDS[field.role] ?? field.role}` : "Detected: none"}
            </option>
            {rolesFor(field).map((role) => (
              <option key={role} value={role}>
                {ROLE_WORDS[role]}
              </option>
            ))}
            <option value="none">None</option>
          </Select>
        </div>
      ))}
    </div>
  );
}
