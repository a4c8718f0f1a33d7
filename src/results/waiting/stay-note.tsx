/** That nobody has to wait here. The offer to say when the job is done stands in the footer, where it is always in view. */
export function StayNote() {
  return (
    <p className="m-0 text-pretty text-ink-2">
      You can close this page. The job keeps running and will be here when you return.
    </p>
  );
}
