import { useRouter } from "@tanstack/react-router";
import { Link2 } from "lucide-react";
import { useState } from "react";
import { getConnection, keyOf } from "#connection/connection-store.ts";
import { rememberedUploads } from "#media/upload-memory.ts";
import type { FormStore } from "#schema-form/form/form-store.ts";
import { Button } from "#ui/button.tsx";
import { sharablePayload } from "./sharable-payload.ts";
import { writeSharedPayload } from "./shared-payload.ts";

/** Copies a link that opens this model with the present settings, for anyone with a key of their own. */
export function CopyLinkButton({
  modelId,
  store,
  accountId,
}: {
  modelId: string;
  store: FormStore;
  accountId: string;
}) {
  const router = useRouter();
  const [told, setTold] = useState("Holds the settings, never the key or files from this device.");
  async function copy() {
    const connection = getConnection();
    const ownAddresses = new Set((await rememberedUploads(accountId)).map(({ publicUrl }) => publicUrl));
    const { payload, leftOut } = sharablePayload(store.getPayload(), {
      key: connection ? keyOf(connection) : "",
      ownAddresses,
    });
    const words = await writeSharedPayload(payload);
    if (words === undefined) return setTold("These settings are too long for a link.");
    const { publicHref } = router.buildLocation({ to: "/create/$modelId", params: { modelId }, search: { p: words } });
    const link = new URL(publicHref, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      const rest =
        leftOut > 0 ? ` ${leftOut === 1 ? "One value" : `${leftOut} values`} from this device left out.` : "";
      setTold(`Link copied.${rest}`);
    } catch {
      setTold("This browser did not let the page copy.");
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t pt-3">
      <Button onClick={() => void copy()}>
        <Link2 aria-hidden="true" className="size-4" />
        Copy link
      </Button>
      <span role="status" className="min-w-0 flex-1 text-[12.5px] text-ink-2">
        {told}
      </span>
    </div>
  );
}
