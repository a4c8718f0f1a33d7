import { useCallback, useEffect, useRef, useState } from "react";
import { isAbort } from "#api/api-error.ts";
import type { MediaKind } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";

export type UploadState =
  | { phase: "idle"; note?: string | undefined }
  /** Nothing is sent before the person has said how the file is to be used. */
  | { phase: "waiting"; file: File }
  | { phase: "converting"; file: File; done: number }
  | { phase: "sending"; file: File; sent: number; total: number }
  | { phase: "failed"; file: File; error: unknown };

interface UploadUse {
  /** The kind that the field takes. */
  kind: MediaKind | undefined;
  onStored: (publicUrl: string) => void;
  /** Whether a file waits for the person before it is sent. */
  asksFirst?: ((file: File) => Promise<boolean>) | undefined;
}

/** One upload at a time for one field. Starting another, or leaving the page, stops the one under way. */
export function useUpload({ kind, onStored, asksFirst }: UploadUse) {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const [state, setState] = useState<UploadState>({ phase: "idle" });
  const running = useRef<AbortController>(undefined);
  const uses = useRef({ onStored, asksFirst });
  useEffect(() => {
    uses.current = { onStored, asksFirst };
  }, [onStored, asksFirst]);
  useEffect(() => () => running.current?.abort(), []);

  const send = useCallback(
    async (file: File, isDecided = false) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      setState({ phase: "sending", file, sent: 0, total: file.size });
      try {
        if (!isDecided && (await uses.current.asksFirst?.(file))) {
          if (!signal.aborted) setState({ phase: "waiting", file });
          return;
        }
        const onProgress = (sent: number, total: number) => {
          if (!signal.aborted) setState({ phase: "sending", file, sent, total });
        };
        const onConvert = (done: number) => {
          if (!signal.aborted) setState({ phase: "converting", file, done });
        };
        const { uploadFile } = await import("./upload-file.ts");
        const { publicUrl, note } = await uploadFile({ api, accountId, file, kind, signal, onConvert, onProgress });
        if (signal.aborted) return;
        setState({ phase: "idle", note });
        uses.current.onStored(publicUrl);
      } catch (error) {
        if (!signal.aborted && !isAbort(error)) setState({ phase: "failed", file, error });
      }
    },
    [api, kind, accountId],
  );

  /** Stops what is under way and forgets what was told. */
  const cancel = useCallback(() => {
    running.current?.abort();
    setState({ phase: "idle" });
  }, []);

  return { state, send, cancel };
}
