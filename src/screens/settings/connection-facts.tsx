import { useState } from "react";
import type { Connection } from "#connection/connection.ts";
import { Button } from "#ui/button.tsx";
import { ForgetKeyDialog } from "./forget-key-dialog.tsx";

/** Who the studio talks to. Of the key only the last four characters are ever shown. */
export function ConnectionFacts({ connection }: { connection: Connection }) {
  const [isAsking, setIsAsking] = useState(false);
  const facts = [
    ["Name", connection.name],
    ["Queue address", connection.queueBaseUrl],
    ["Inference address", connection.inferenceBaseUrl],
    [
      "Key",
      connection.isSandbox ? "The sandbox's own, nothing is charged" : `····${connection.keyHint}, kept for this tab`,
    ],
  ];
  return (
    <>
      <dl className="m-0 grid gap-x-6 gap-y-0.5 sm:gap-y-2 sm:grid-cols-[140px_minmax(0,1fr)]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3 max-sm:text-[12.5px]">{name}</dt>
            <dd className="wrap-anywhere m-0 max-sm:mb-2.5">{value}</dd>
          </div>
        ))}
      </dl>
      <Button className="mt-4" onClick={() => setIsAsking(true)}>
        {connection.isSandbox ? "Leave the sandbox" : "Disconnect and forget the key"}
      </Button>
      <ForgetKeyDialog open={isAsking} onOpenChange={setIsAsking} connection={connection} />
    </>
  );
}
