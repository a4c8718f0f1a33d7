import { useSyncExternalStore } from "react";
import type { FormStore } from "./form-store.ts";

/** Says which keys are sent that the form has no field for: they came from JSON or from another job. */
export function UnknownKeys({ store }: { store: FormStore }) {
  const keys = useSyncExternalStore(store.subscribe, store.getUnknownKeys);
  const unknown = JSON.parse(keys) as string[];
  if (unknown.length === 0) return null;
  return (
    <p className="m-0 mt-2 text-[12px] text-ink-3">
      Also sent, not in this model's parameters:{" "}
      {unknown.map((key, position) => (
        <span key={key}>
          {position > 0 && ", "}
          <code className="font-mono text-[11.5px] text-ink-2">{key || '""'}</code>
        </span>
      ))}
    </p>
  );
}
