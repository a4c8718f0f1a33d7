/**
 * The first step of a batch: models and prompts, or another place that runs come from. On `/batch` there is no batch yet: it
 * is stored with its first runs. `onStart` is told its id, and by default its address is opened.
 */
export function StartBatch(_props: { onStart?: (batchId: string) => void }) {
  return <section aria-label="New batch" />;
}
