import { lazy, Suspense } from "react";
import { type Toast, useToasts } from "./toast-store.ts";

const ToastCard = lazy(() =>
  import("./toast-card.tsx").then(
    (module) => ({ default: module.ToastCard }),
    () => ({ default: PlainToast }),
  ),
);

/** Where the card did not arrive: its words all the same. */
function PlainToast({ toast }: { toast: Toast }) {
  return (
    <li className="rounded-md border border-line bg-raised p-3 text-ink shadow-float">
      {toast.title} {toast.body}
    </li>
  );
}

/** The one place for toasts, mounted once. The list is a polite live region, so each new one is read out. */
export function Toaster() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <section
      aria-label="Notifications"
      data-toaster=""
      className="pointer-events-none fixed right-0 bottom-0 z-60 w-[392px] max-w-full p-4 max-sm:bottom-14"
    >
      <ol aria-live="polite" aria-relevant="additions" className="m-0 flex list-none flex-col gap-2 p-0">
        {toasts.map((toast) => (
          <Suspense key={toast.id}>
            <ToastCard toast={toast} />
          </Suspense>
        ))}
      </ol>
    </section>
  );
}
