import { Upload } from "lucide-react";
import { useRef } from "react";
import type { MediaKind } from "#api/types.ts";
import { Button } from "#ui/button.tsx";

// Wider than what the service stores: the rest is converted here. Some systems know no type for the last ones.
const ACCEPT: Record<MediaKind, string> = {
  image: "image/*,.heic,.heif,.avif,.tif,.tiff",
  video: "video/*,.mov,.webm",
  audio: "audio/*,.flac,.m4a,.ogg",
  other: "image/*,video/*,audio/*,.heic,.heif,.avif,.tif,.tiff,.mov,.flac",
};

/** Opens the system's own dialog for files of a kind. */
export function FilePickerButton({
  label,
  words,
  kind = "other",
  isSeveral,
  onFiles,
}: {
  /** The field that the files are for. */
  label: string;
  words: string;
  kind?: MediaKind | undefined;
  isSeveral: boolean;
  onFiles: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" onClick={() => input.current?.click()}>
        <Upload aria-hidden className="size-3.5" />
        {words}
      </Button>
      <input
        ref={input}
        type="file"
        accept={ACCEPT[kind]}
        multiple={isSeveral}
        aria-label={`File for ${label}`}
        tabIndex={-1}
        className="hidden"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file may be chosen again.
          event.target.value = "";
          onFiles(files);
        }}
      />
    </>
  );
}
