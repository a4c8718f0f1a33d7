import { useUsualTimes } from "#results/waiting/past-times.ts";
import { rangeText, roughTimeOf } from "#results/waiting/usual-time.ts";

/**
 * Before a run: how long it usually takes this person, else how long its kind takes in general. Nothing while that is read,
 * and where nothing is known in general.
 */
export function ExpectedTime({ model, kind }: { model: string; kind: string }) {
  const times = useUsualTimes();
  const usual = times.of(model, kind);
  return <>{usual ? `Usually ${rangeText(usual)}.` : times.isReading ? "" : roughTimeOf(kind)}</>;
}
