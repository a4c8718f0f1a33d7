import { visibleLine } from "#lib/visible-text.ts";
import type { SpendSeries } from "./spend-view.ts";

/** A model by its name, as the screen says it. */
export const modelName = (id: string | undefined) => visibleLine(id ?? "") || "Unknown model";

/** The name of a part of the chart, for its legend. */
export function seriesName({ model, models }: SpendSeries): string {
  if (model !== undefined) return modelName(model);
  return models === 1 ? "Other, 1 model" : `Other, ${models} models`;
}

/** The class of a part's colour: the further models share the last, neutral one. */
export const seriesColour = ({ model }: SpendSeries, index: number) => `spend-${model === undefined ? 5 : index}`;

/** The colour of a model in lists beside the chart. */
export function colourOfModel(series: readonly SpendSeries[], model: string | undefined): string {
  const index = series.findIndex((one) => one.model !== undefined && one.model === model);
  return `spend-${index < 0 ? 5 : index}`;
}
