import { useCallback, useEffect, useRef, useState } from "react";
import { isAbort } from "#api/api-error.ts";
import type { MediaKind } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";

export type UploadState =
  | { phase: "idle"; note?: string | undefined }
  | { phase: "converting"; name: string; done: number }
  | { phase: "sending"; name: string; sent: number; total: number }
  | { phase: "failed"; name: string; error: unknown; file: File };

/** One upload at a time for one field. Starting another, or leaving the page, stops the one under way. */
export function useUpload(kind: MediaKind | undefined, onStored: (publicUrl: string) => void) {
  const api = useApi();
  const scope = useConnection()?.keyFingerprint ?? "";
  const [state, setState] = useState<UploadState>({ phase: "idle" });
  const running = useRef<AbortController>(undefined);
  const stored = useRef(onStored);
  useEffect(() => {
    stored.current = onStored;
  }, [onStored]);
  useEffect(() => () => running.current?.abort(), []);

  const send = useCallback(
    async (file: File) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      const { name } = file;
      setState({ phase: "sending", name, sent: 0, total: file.size });
      try {
        const onProgress = (sent: number, total: number) => {
          if (!signal.aborted) setState({ phase: "sending", name, sent, total });
        };
        const onConvert = (done: number) => {
          if (!signal.aborted) setState({ phase: "converting", name, done });
        };
        const { uploadFile } = await import("./upload-file.ts");
        const { publicUrl, note } = await uploadFile({ api, scope, file, kind, signal, onConvert, onProgress });
        if (signal.aborted) return;
        setState({ phase: "idle", note });
        stored.current(publicUrl);
      } catch (error) {
        if (!signal.aborted && !isAbort(error)) setState({ phase: "failed", name, error, file });
      }
    },
    [api, kind, scope],
  );

  /** Stops what is under way and forgets what was told. */
  const cancel = useCallback(() => {
    running.current?.abort();
    setState({ phase: "idle" });
  }, []);

  return { state, send, cancel };
}
