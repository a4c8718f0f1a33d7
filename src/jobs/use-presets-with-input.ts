import { useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import type { JsonRecord } from "#lib/json.ts";
import { allPresets } from "#storage/presets.ts";
import { addressesIn } from "./shared-inputs.ts";

/** Names of the presets that hold one of the inputs of these payloads; looked for while `isWanted`. */
export function usePresetsWithInput(payloads: readonly (JsonRecord | undefined)[], isWanted: boolean): string[] {
  const accountId = useConnection()?.accountId ?? "";
  const inputs = payloads.flatMap((payload) => addressesIn(payload)).join("\n");
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    if (!isWanted || inputs === "") return;
    let isCurrent = true;
    const wanted = new Set(inputs.split("\n"));
    allPresets(accountId)
      .then((presets) => {
        const using = presets.filter((preset) => addressesIn(preset.payload).some((address) => wanted.has(address)));
        if (isCurrent) setNames(using.map(({ name, modelId }) => `${name} (${modelId})`));
      })
      // Without what this browser keeps there are no presets that could be named.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [accountId, inputs, isWanted]);
  return isWanted && inputs !== "" ? names : [];
}
