import { useState } from "react";
import { isFinal } from "#api/final-status.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { jobPrompt } from "#runs/job-prompt.ts";
import { useJob } from "#runs/poll/use-job.ts";
import { statusWords } from "#runs/status-words.ts";

interface EndAnnouncerProps {
  /** Undefined before the service has named the job; the region is there already, else nothing would be read out. */
  requestId: string | undefined;
  /** Whether the job was run on this page just now, so that its end is news also where it was never seen under way. */
  isOwnRun: boolean;
}

const LONGEST_PROMPT = 80;

/** Reads out once how a job ended: "Done: A stone bridge". What changes until then, such as its seconds, is not read out. */
export function EndAnnouncer({ requestId, isOwnRun }: EndAnnouncerProps) {
  return (
    <div role="status" className="sr-only">
      {requestId !== undefined && <EndText key={requestId} requestId={requestId} isOwnRun={isOwnRun} />}
    </div>
  );
}

function EndText({ requestId, isOwnRun }: EndAnnouncerProps & { requestId: string }) {
  const { job } = useJob(requestId);
  const [isNews, setIsNews] = useState(isOwnRun);
  const [text, setText] = useState<string>();
  const isOver = job !== undefined && isFinal(job.status);
  if (!isNews && (isOwnRun || (job !== undefined && !isOver))) setIsNews(true);
  // Of an own run the row with its prompt follows the answer; said once, the words stay as they are.
  const isNamed = job?.payload !== undefined || job?.origin !== undefined || !isOwnRun;
  if (text === undefined && isNews && isOver && isNamed) {
    const prompt = visibleLine(jobPrompt(job.payload) ?? job.model ?? "", LONGEST_PROMPT);
    setText(`${statusWords(job.status).word}: ${prompt}`);
  }
  return text;
}
