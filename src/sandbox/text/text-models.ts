/** Prices in micro-USD per million tokens. */
export interface TextPrices {
  input: number;
  output: number;
  cacheRead: number;
  /** Written for five minutes; an hour costs 1.6 times this. */
  cacheWrite: number;
}

/** A text model of the sandbox: a catalogue of its own, apart from the generation models (spec 1). */
export interface TextModelDefinition {
  id: string;
  displayName: string;
  createdAtSeconds: number;
  contextTokens: number;
  outputTokens: number;
  /** Usual pace; the setting `tokensPerSecond` overrides it. */
  tokensPerSecond: number;
  firstTokenMs: number;
  /** Thinks before it answers, and shows it. */
  reasons: boolean;
  /** Continues a text instead of answering it. */
  isBase: boolean;
  prices: TextPrices;
}

/** Cache writes cost a quarter more than plain input, reads a tenth (spec 4.2: discounted cache rates). */
function prices(input: number, output: number): TextPrices {
  return { input, output, cacheRead: input / 10, cacheWrite: input * 1.25 };
}

export const TEXT_MODELS: readonly TextModelDefinition[] = [
  {
    id: "quill-2",
    displayName: "Quill 2",
    createdAtSeconds: 1_772_000_000,
    contextTokens: 200_000,
    outputTokens: 32_000,
    tokensPerSecond: 90,
    firstTokenMs: 350,
    reasons: false,
    isBase: false,
    prices: prices(3_000_000, 15_000_000),
  },
  {
    id: "quill-2-swift",
    displayName: "Quill 2 Swift",
    createdAtSeconds: 1_774_000_000,
    contextTokens: 128_000,
    outputTokens: 100_000,
    tokensPerSecond: 240,
    firstTokenMs: 140,
    reasons: false,
    isBase: false,
    prices: prices(250_000, 1_000_000),
  },
  {
    id: "quill-2-ponder",
    displayName: "Quill 2 Ponder",
    createdAtSeconds: 1_775_500_000,
    contextTokens: 200_000,
    outputTokens: 64_000,
    tokensPerSecond: 70,
    firstTokenMs: 500,
    reasons: true,
    isBase: false,
    prices: prices(5_000_000, 25_000_000),
  },
  {
    id: "thicket-base",
    displayName: "Thicket Base",
    createdAtSeconds: 1_768_000_000,
    contextTokens: 32_000,
    outputTokens: 8_000,
    tokensPerSecond: 160,
    firstTokenMs: 120,
    reasons: false,
    isBase: true,
    prices: prices(80_000, 400_000),
  },
];

/** One entry of `GET /v1/models`. The response shape is not shown (spec 4.2); this is the common list with prices. */
export function textModelEntry(model: TextModelDefinition) {
  const perToken = (price: number): string => (price / 1e12).toFixed(12).replace(/0+$/, "").replace(/\.$/, "");
  return {
    id: model.id,
    object: "model",
    created: model.createdAtSeconds,
    owned_by: "sandbox",
    display_name: model.displayName,
    context_length: model.contextTokens,
    max_output_tokens: model.outputTokens,
    // US dollars per token, as texts so that no digit is lost.
    pricing: [
      {
        prompt: perToken(model.prices.input),
        completion: perToken(model.prices.output),
        cache_read: perToken(model.prices.cacheRead),
        cache_write: perToken(model.prices.cacheWrite),
      },
    ],
  };
}
