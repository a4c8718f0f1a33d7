import { Check, Copy } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { codeSample, SAMPLE_LANGUAGES, type SampleLanguage } from "#api/samples/code-samples.ts";
import { asRecord, type JsonRecord } from "#lib/read.ts";
import { redactAddressesIn } from "#lib/redact-secret.ts";
import { Button } from "#ui/button.tsx";
import { Segmented } from "#ui/segmented.tsx";

/** How long the button shows whether it copied, in milliseconds. */
const COPIED_MS = 2000;

interface CodeViewProps {
  queueBaseUrl: string;
  modelId: string;
  payload: JsonRecord;
}

/** A program that runs the settings from submit to download. It reads the key from `$API_KEY`. */
export function CodeView({ queueBaseUrl, modelId, payload }: CodeViewProps) {
  const [language, setLanguage] = useState<SampleLanguage>("curl");
  const [copied, setCopied] = useState<"yes" | "no">();
  const text = useMemo(
    // A program may be passed on, so what signs the URLs of files is taken out.
    () => codeSample(language, { queueBaseUrl, model: modelId, payload: asRecord(redactAddressesIn(payload)) }),
    [language, queueBaseUrl, modelId, payload],
  );
  useEffect(() => {
    if (copied === undefined) return;
    const timer = setTimeout(() => setCopied(undefined), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied("yes");
    } catch {
      setCopied("no");
    }
  }
  return (
    <div className="flex min-h-0 flex-col gap-2.5">
      <div className="flex items-center gap-2">
        <Segmented
          label="Language"
          options={SAMPLE_LANGUAGES}
          value={language}
          onChange={setLanguage}
          className="flex-1"
        />
        <Button variant="outline" onClick={() => void copy()}>
          {copied === "yes" ? (
            <Check aria-hidden="true" className="size-4" />
          ) : (
            <Copy aria-hidden="true" className="size-4" />
          )}
          {copied === "yes" ? "Copied" : "Copy"}
        </Button>
      </div>
      <p role="status" className="m-0 text-xs text-ink-3">
        {copied === "no"
          ? "Couldn’t copy. Select the text and copy it yourself."
          : "Set the API_KEY environment variable first."}
      </p>
      <section aria-label="Code">
        {/* Focusable, so that the keyboard can scroll it. */}
        <textarea
          readOnly
          spellCheck={false}
          aria-label={`Code in ${SAMPLE_LANGUAGES.find((each) => each.value === language)?.label}`}
          value={text}
          rows={24}
          wrap="off"
          className="block max-h-[60dvh] w-full resize-y overflow-auto rounded-sm border border-line bg-well p-3 font-mono text-xs text-ink leading-relaxed"
        />
      </section>
    </div>
  );
}
