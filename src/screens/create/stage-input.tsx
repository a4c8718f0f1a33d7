import { useState } from "react";
import type { MediaItem } from "#api/types.ts";
import { AsInput } from "#jobs/reuse/as-input.tsx";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { Button } from "#ui/button.tsx";

/** Gives the file on the stage to another model. Nothing for a file without an address of its own. */
export function StageInput({ item, requestId }: { item: MediaItem; requestId: string }) {
  const [asked, setAsked] = useState<{ makes?: "video" }>();
  const isDeleted = useIsMediaDeleted(requestId);
  if (isDeleted || !/^https?:/i.test(item.url)) return null;
  return (
    <span className="flex gap-2">
      <Button size="sm" onClick={() => setAsked({})}>
        Use as input
      </Button>
      {item.kind === "image" && (
        <Button size="sm" onClick={() => setAsked({ makes: "video" })}>
          Animate with…
        </Button>
      )}
      {asked && <AsInput item={item} {...asked} onClose={() => setAsked(undefined)} />}
    </span>
  );
}
