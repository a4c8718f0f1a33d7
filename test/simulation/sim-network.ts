import { NoAnswerError, RefusedError, UnreadableAnswerError } from "#api/api-error.ts";
import type { Job, JobRequest } from "#api/types.ts";
import type { SendOptions } from "#jobs/submit/submit-effects.ts";
import type { Random } from "./random.ts";
import type { SimService } from "./sim-service.ts";
import type { SimSettings } from "./sim-settings.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** What the service, or something before it, answers to one delivery. */
type Answer = Job | Error;

const SUBMIT_TIMEOUT_MS = 180_000;

const refused = (status: number, hasEnvelope = true) =>
  new RefusedError({ status, message: `no ${status}`, hasEnvelope });
const cut = () => new NoAnswerError({ cause: new TypeError("Failed to fetch") });
const unreadable = () => new UnreadableAnswerError({ status: 200, excerpt: "{", reason: "cut" });

export const FAULTS = [
  "lost-request",
  "lost-reply",
  "lost-reply",
  "late-arrival",
  "hang",
  "hang-unsent",
  "429",
  "502",
  "503",
  "400",
  "404",
  "gateway-after",
  "gateway-before",
  "500-after",
  "unreadable",
] as const;
export type PostFate = (typeof FAULTS)[number] | "none";

export interface SimNetwork {
  /** One POST of a page. Calls back once, with whatever the page sees. Goes on when the page dies. */
  post(request: JobRequest, options: SendOptions, back: (answer: Answer) => void): void;
  list(model: string, back: (answer: Job[] | Error) => void): void;
}

/** The way between a virtual browser and the service, with a browser's own habit of sending a POST twice. */
export function createSimNetwork({
  time,
  random,
  service,
  settings,
}: {
  time: VirtualTime;
  random: Random;
  service: SimService;
  settings: SimSettings;
}): SimNetwork {
  /** First answers of the relay, by attempt: a repeat gets the same one, and nothing is forwarded. */
  const relayed = new Map<string, Answer>();
  const fates = [...(settings.fates ?? [])];
  const drawFate = (): PostFate => (random.chance(settings.postFault) ? random.pick(FAULTS) : "none");
  const intentOf = (options: SendOptions) => options.attemptId.slice(0, options.attemptId.lastIndexOf("."));
  const create = (request: JobRequest, options: SendOptions) => service.create(request, intentOf(options));

  /** One delivery reaches the service, through the relay where there is one. */
  const deliver = (options: SendOptions, answer: () => Answer): Answer => {
    if (options.body !== "relay") return answer();
    const first = relayed.get(options.attemptId) ?? answer();
    relayed.set(options.attemptId, first);
    return first;
  };

  /** The reply was lost. A browser sends a plain body once more, over a fresh connection, without telling the page. */
  const afterLostReply = (request: JobRequest, options: SendOptions, back: (answer: Answer) => void) => {
    const isSentTwice = options.body !== "stream" && random.chance(0.7);
    if (!isSentTwice) return back(cut());
    time.after(random.between(5, 300), () => {
      const second = deliver(options, () => {
        const fate = random.next();
        if (fate < 0.15) return refused(429);
        if (fate < 0.3) return refused(400);
        return create(request, options);
      });
      if (random.chance(0.4)) back(cut());
      else time.after(random.between(5, 300), () => back(second));
    });
  };

  return {
    post: (request, options, back) => {
      const fault = fates.shift() ?? drawFate();
      const arrives = random.between(5, 400);
      const replies = random.between(5, 400);
      const arrive = (answer: () => Answer, then: (answer: Answer) => void) =>
        time.after(arrives, () => {
          const given = deliver(options, answer);
          time.after(replies, () => then(given));
        });
      const made = () => create(request, options);
      switch (fault) {
        case "none":
          return arrive(made, back);
        case "lost-request":
          return time.after(random.between(5, 5_000), () => back(cut()));
        case "lost-reply":
          return arrive(made, () => afterLostReply(request, options, back));
        case "late-arrival": {
          const failsAt = random.between(5, 5_000);
          time.after(failsAt, () => back(cut()));
          return time.after(failsAt + random.between(0, 8_000), () => void deliver(options, made));
        }
        case "hang":
          time.after(arrives, () => void deliver(options, made));
          return time.after(SUBMIT_TIMEOUT_MS, () => back(new NoAnswerError({ timedOut: true })));
        case "hang-unsent":
          return time.after(SUBMIT_TIMEOUT_MS, () => back(new NoAnswerError({ timedOut: true })));
        case "gateway-after":
          return arrive(made, () => back(refused(502, false)));
        case "gateway-before":
          return time.after(arrives, () => back(refused(502, false)));
        case "500-after":
          return arrive(made, () => back(refused(500)));
        case "unreadable":
          return arrive(made, () => back(unreadable()));
        default:
          return arrive(() => refused(Number(fault)), back);
      }
    },
    list: (model, back) => {
      const fails = random.chance(settings.listFault);
      time.after(random.between(5, 300), () => {
        const answer = fails ? (random.chance(0.5) ? cut() : refused(503)) : service.list(model);
        time.after(random.between(5, 300), () => back(answer));
      });
    },
  };
}
