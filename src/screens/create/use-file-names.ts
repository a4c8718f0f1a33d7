import { useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { rememberedUploads } from "#media/upload-memory.ts";

/** What files are called that this browser stored with the service, by their address; read again when those change. */
export function useFileNames(addresses: readonly string[]): ReadonlyMap<string, string> {
  const accountId = useConnection()?.accountId ?? "";
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const words = addresses.join(" ").trim();
  useEffect(() => {
    if (words === "") return;
    let isCurrent = true;
    void rememberedUploads(accountId).then(
      (uploads) => isCurrent && setNames(new Map(uploads.map(({ publicUrl, name }) => [publicUrl, name]))),
    );
    return () => {
      isCurrent = false;
    };
  }, [accountId, words]);
  return names;
}
