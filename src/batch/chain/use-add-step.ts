import { useEffect, useRef, useState } from "react";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import type { ChainResult } from "./chain-results.ts";
import { isInput, prepareInputs } from "./prepare-inputs.ts";
import type { StepPlan } from "./step-rows.ts";

/** How far the inputs of a step are. */
type AddState =
  | { phase: "idle" }
  | { phase: "preparing"; words: string }
  /** Why some results cannot be used, as sentences by the key of the result. */
  | { phase: "failed"; problems: ReadonlyMap<string, string> };

interface AddStep {
  state: AddState;
  /** The address of a result as an input, where it has one already. */
  addressOf: (result: ChainResult, use: StepPlan["use"]) => string | undefined;
  /**
   * Stores what a step needs, then gives the results that have an address. Undefined where some could not be stored: then
   * the state says why. Never rejects.
   */
  prepare: (plan: Pick<StepPlan, "results" | "use">) => Promise<boolean>;
}

/** Stores the inputs of a step. What was stored stays known while the dialog is open; closing it stops the rest. */
export function useAddStep(): AddStep {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const [state, setState] = useState<AddState>({ phase: "idle" });
  const [known] = useState(() => new Map<string, string>());
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, []);
  // A file of a clip and its last frame are two inputs.
  const place = ({ key }: ChainResult, use: StepPlan["use"]) => `${use} ${key}`;
  return {
    state,
    addressOf: (result, use) => (isInput(result, use) ? result.file.url : known.get(place(result, use))),
    async prepare({ results, use }) {
      const { signal } = stop.current;
      const open = results.filter((result) => !isInput(result, use) && !known.has(place(result, use)));
      const what = use === "last-frame" ? "last frame" : "file";
      const stored = new Map<string, string>();
      try {
        const problems = await prepareInputs(open, stored, {
          api,
          accountId,
          use,
          signal,
          onStep: (at, phase) => {
            const verb = phase === "reading" ? "Reading" : "Uploading";
            setState({ phase: "preparing", words: `${verb} ${what} ${at} of ${open.length}` });
          },
        });
        setState(problems.size > 0 ? { phase: "failed", problems } : { phase: "idle" });
        return problems.size === 0;
      } catch {
        // Closed meanwhile.
        return false;
      } finally {
        for (const result of open) {
          const address = stored.get(result.key);
          if (address !== undefined) known.set(place(result, use), address);
        }
      }
    },
  };
}
