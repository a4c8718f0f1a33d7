import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "#ui/skeleton.tsx";

// As the documented inputs, the list belongs to the sandbox and comes only when it is shown.
const limits = {
  queryKey: ["sandbox-limits"],
  queryFn: async () => (await import("#sandbox/limits.ts")).SANDBOX_LIMITS,
  staleTime: Number.POSITIVE_INFINITY,
};

/** What the sandbox does not do, so that nobody takes it for more than it is. */
export function SandboxLimits() {
  const { data, error } = useQuery(limits);
  if (error) return <p className="m-0 text-ink-2">The list could not be loaded. A reload may bring it.</p>;
  if (!data) return <Skeleton className="h-40" />;
  return (
    <dl className="m-0 grid gap-x-5 gap-y-1.5 sm:grid-cols-[190px_minmax(0,1fr)]">
      {data.map(({ about, sentence }) => (
        <div key={about} className="contents">
          <dt>{about}</dt>
          <dd className="m-0 max-w-[64ch] text-ink-2 max-sm:mb-2">{sentence}</dd>
        </div>
      ))}
    </dl>
  );
}
