import { useState } from "react";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { EarlierFiles, useEarlierResults } from "#results/earlier-files.tsx";
import { MAX_PICTURES } from "#text/conversations/pictures.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { toast } from "#ui/toast-store.ts";
import type { DialogBodyProps } from "../use-dialog.ts";
import { useAttach } from "./attach-picture.ts";

/** Pictures that the person's jobs made, newest first, to be put into the next question. */
export function PickPicture({ conversation, onClose }: DialogBodyProps<"picture">) {
  const { addAddress, count } = useAttach(conversation);
  const [reading, setReading] = useState<string>();
  const { files: pictures, isReading, error, retry } = useEarlierResults("image");
  if (pictures.length === 0) {
    if (error) return <ErrorNotice error={error} operation="read" onRetry={retry} />;
    return isReading ? (
      <Skeleton className="h-40" />
    ) : (
      <EmptyState title="No images yet">Images from your jobs appear here for 60 days.</EmptyState>
    );
  }
  const pick = async (url: string, name: string) => {
    if (reading !== undefined) return;
    if (count >= MAX_PICTURES) {
      toast({ title: `At most ${MAX_PICTURES} images per message`, tone: "error" });
      return;
    }
    setReading(url);
    if (await addAddress(url, name)) onClose();
    setReading(undefined);
  };
  return (
    <EarlierFiles
      label="Images from History"
      files={pictures}
      readingUrl={reading}
      onPress={({ file, name }) => void pick(file.url, name)}
    />
  );
}
