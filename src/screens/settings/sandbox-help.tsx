import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "#ui/skeleton.tsx";

// The list belongs to the sandbox, which is no part of the page's own code: it comes only when it is shown.
const documentedInputs = {
  queryKey: ["sandbox-documented-inputs"],
  queryFn: async () => (await import("#sandbox/documented-inputs.ts")).DOCUMENTED_INPUTS,
  staleTime: Number.POSITIVE_INFINITY,
};

/** Everything one can type to make the sandbox fail, so that every error screen can be seen by hand. */
export function SandboxHelp() {
  const { data, error } = useQuery(documentedInputs);
  if (error) return <p className="m-0 text-ink-2">The list could not be loaded. A reload may bring it.</p>;
  if (!data) return <Skeleton className="h-40" />;
  const places = [...new Set(data.map(({ place }) => place))];
  return (
    <div className="flex flex-col gap-5">
      {places.map((place) => (
        <section key={place}>
          <h3 className="m-0 mb-1.5 font-medium text-[12.5px] text-ink-3">In the {place}</h3>
          <dl className="m-0 grid gap-x-5 gap-y-1.5 sm:grid-cols-[190px_minmax(0,1fr)]">
            {data
              .filter((entry) => entry.place === place)
              .map(({ input, effect }) => (
                <div key={input} className="contents">
                  <dt className="wrap-anywhere font-mono text-[12px] leading-5">{input}</dt>
                  <dd className="m-0 text-ink-2 max-sm:mb-2">{effect}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
