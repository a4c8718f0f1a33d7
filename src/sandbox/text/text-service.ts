import type { MicroUsd } from "#lib/money.ts";
import type { Caller, Exchange } from "../authenticate.ts";
import { findModel } from "../catalogue/catalogue.ts";
import { statusError } from "../faults.ts";
import { hashText } from "../media/seeded-random.ts";
import type { SandboxContext } from "../sandbox-context.ts";
import { badRequest, otherCatalogue, SandboxError, unknownModel } from "../sandbox-error.ts";
import { seededHex } from "../seeded-ids.ts";
import { type AnswerPlan, outputTokens } from "./answer-plan.ts";
import { eventStream, type Frame, type Pace } from "./event-stream.ts";
import { createPromptCache, type InputUsage, type PromptCache } from "./prompt-cache.ts";
import { TEXT_MODELS, type TextModelDefinition, type TextPrices } from "./text-models.ts";

/** What the three endpoints share: models, money, pace, and a seed for each answer. */
export interface TextService {
  context: SandboxContext;
  cache: PromptCache;
  /** The text model of a body. Throws 400 without one and both kinds of 404 (spec 7). */
  requireModel(exchange: Exchange): TextModelDefinition;
  /**
   * The seed that the body names, else one by how often the same body was sent: a repeat gets another answer, unless its
   * temperature is 0.
   */
  seed(exchange: Exchange): number;
  /** Answers a request, streamed or in one piece, and charges what was really sent. */
  answer(exchange: Exchange, answer: TextAnswer): Promise<Response>;
}

interface TextAnswer {
  /** The id of the answer, as on the wire; also names the charge in the ledger. */
  id: string;
  model: TextModelDefinition;
  prompt: string;
  input: InputUsage;
  plans: readonly AnswerPlan[];
  /** The events, where a stream was asked for; otherwise the whole body. */
  reply: { frames: Iterable<Frame> } | { body: object };
}

/** An answer in one piece comes sooner than its tokens would: a longer wait would test nothing. */
const LONGEST_WAIT_MS = 1500;

export function createTextService(context: SandboxContext): TextService {
  const timesSent = new Map<string, number>();
  return {
    context,
    cache: createPromptCache(),
    requireModel({ body }) {
      const id = body.model;
      if (typeof id !== "string" || id === "") throw badRequest("model: Field required");
      const model = TEXT_MODELS.find((candidate) => candidate.id === id);
      if (model !== undefined) return model;
      throw findModel(id) === undefined ? unknownModel(id) : otherCatalogue(id);
    },
    seed({ body, caller }) {
      if (typeof body.seed === "number") return body.seed | 0;
      // A digest of the body, because two thousand bodies would be a lot of memory.
      const text = seededHex(32, JSON.stringify({ ...body, stream: false, stream_options: null, model: null }));
      const count = body.temperature === 0 ? 0 : (timesSent.get(text) ?? 0);
      if (timesSent.size > 2000) timesSent.clear();
      timesSent.set(text, count + 1);
      return hashText(`${context.seed} ${caller.organisation} ${count}`);
    },
    async answer({ request, caller }, { id, model, prompt, input, plans, reply }) {
      const { prices, contextTokens } = model;
      const prompted = input.plain + input.cacheRead + input.written5m + input.written1h;
      if (prompted > contextTokens) {
        throw badRequest(`The prompt has ${prompted} tokens; this model's maximum context length is ${contextTokens}`);
      }
      checkBalance(context, caller, prices, input);
      const headers = { "x-request-id": id, "request-id": id, "cache-control": "no-store" };
      const pace = readPace(context, model, prompt);
      const charge = (tokens: number): void =>
        chargeText(context, caller, id, textPrice(prices, input, Math.min(tokens, total)));
      const total = plans.reduce((sum, plan) => sum + outputTokens(plan), 0);
      if ("frames" in reply) {
        const stream = eventStream(reply.frames, pace, request.signal, charge);
        return new Response(stream, { headers: { ...headers, "content-type": "text/event-stream; charset=utf-8" } });
      }
      if (plans.some((plan) => plan.trouble !== undefined)) throw statusError(502, model.id);
      await context.wait(Math.min(LONGEST_WAIT_MS, pace.firstTokenMs + (total * 1000) / pace.tokensPerSecond));
      charge(total);
      return Response.json(reply.body, { headers });
    },
  };
}

/** The pace that a documented `tps:` in the prompt asks for, else that of the setting, else the model's own. */
function readPace(context: SandboxContext, model: TextModelDefinition, prompt: string): Pace {
  const word = /\btps:(\d{1,4})\b/.exec(prompt)?.[1];
  const { tokensPerSecond } = context.settings.read();
  const wanted = word === undefined ? (tokensPerSecond ?? model.tokensPerSecond) : Number(word);
  return {
    tokensPerSecond: Math.min(2000, Math.max(1, wanted)),
    firstTokenMs: model.firstTokenMs,
    wait: (ms) => context.wait(ms),
    realNow: () => context.clock.now(),
  };
}

/** What the tokens cost, in whole micro-USD, rounded up once. Cache reads are at a discount, writes at a surcharge. */
function textPrice(prices: TextPrices, input: InputUsage, outputTokens: number): MicroUsd {
  const perMillion =
    input.plain * prices.input +
    input.cacheRead * prices.cacheRead +
    input.written5m * prices.cacheWrite +
    input.written1h * prices.cacheWrite * 1.6 +
    outputTokens * prices.output;
  // The small step prevents that sums such as 0.1 + 0.2 are rounded up to the next micro-USD.
  return Math.ceil(perMillion / 1_000_000 - 1e-9);
}

/** Throws 402 where the organisation cannot even pay for the prompt, 403 where the sandbox is full; nothing is written. */
function checkBalance(context: SandboxContext, caller: Caller, prices: TextPrices, input: InputUsage): void {
  context.ledger.requireRoom();
  if (context.ledger.balance(caller.organisation) < textPrice(prices, input, 0)) {
    throw new SandboxError(402, "Insufficient credits. Add credits to the organization to continue.");
  }
}

/** Charges an answer to the organisation (spec 5.4) once it is over, at most what is left of the balance. */
function chargeText(context: SandboxContext, caller: Caller, id: string, price: MicroUsd): void {
  const amount = Math.min(price, context.ledger.balance(caller.organisation));
  context.ledger.charge(caller, id, amount, context.clock.now());
}
