import { NoAnswerError, RefusedError, UnreadableAnswerError } from "#api/api-error.ts";
import type { Job, JobRequest } from "#api/types.ts";
import type { SendOptions } from "#jobs/submit/effects.ts";
import { type FaultKind, POST_FAULTS, type PostFate, PRICE, type SimSettings } from "./sim-settings.ts";
import type { Random, VirtualTime } from "./virtual-time.ts";

interface ServedJob {
  job: Job;
  /** The consent that it was made for; undefined for a job of another client. */
  intentId: string | undefined;
  createdAtMs: number;
  /** When the job list first shows it. */
  visibleAtMs: number;
  chargedMicroUsd: number;
}

/** The service's side: what it made and charged. Its counters are the truth that everything is held against. */
export interface SimService {
  jobs: ServedJob[];
  create(request: JobRequest, intentId: string | undefined): Job;
  list(model: string): Job[];
}

export function createSimService({
  nowMs,
  lagMs,
  echoesPayload,
}: {
  nowMs: () => number;
  /** How long until the list shows a new job. */
  lagMs: () => number;
  echoesPayload: boolean;
}): SimService {
  const jobs: ServedJob[] = [];
  return {
    jobs,
    create: (request, intentId) => {
      const now = nowMs();
      const job: Job = {
        requestId: `job-${jobs.length + 1}`,
        model: request.model,
        status: "queued",
        media: [],
        payload: echoesPayload ? request.payload : undefined,
        createdAtSeconds: Math.floor(now / 1000),
        updatedAtSeconds: undefined,
        failureReason: undefined,
        raw: {},
      };
      jobs.push({ job, intentId, createdAtMs: now, visibleAtMs: now + lagMs(), chargedMicroUsd: PRICE });
      return job;
    },
    list: (model) => {
      const now = nowMs();
      return jobs.filter(({ job, visibleAtMs }) => job.model === model && visibleAtMs <= now).map(({ job }) => job);
    },
  };
}

/** What the service, or something before it, answers to one delivery. */
type Answer = Job | Error;

const SUBMIT_TIMEOUT_MS = 180_000;

const refused = (status: number, hasEnvelope = true) =>
  new RefusedError({ status, message: `no ${status}`, hasEnvelope });
const cut = () => new NoAnswerError({ cause: new TypeError("Failed to fetch") });
const unreadable = () => new UnreadableAnswerError({ status: 200, excerpt: "{", reason: "cut" });

export interface SimNetwork {
  /** One POST of a page. Calls back once, with whatever the page sees. Goes on when the page dies. */
  post(request: JobRequest, options: SendOptions, back: (answer: Answer) => void): void;
  list(model: string, back: (answer: Job[] | Error) => void): void;
}

/** The way between a virtual browser and the service, with the browser's own repetition of a POST. */
export function createSimNetwork({
  time,
  random,
  service,
  settings,
  note,
}: {
  time: VirtualTime;
  random: Random;
  service: SimService;
  settings: SimSettings;
  /** Counts the faults that happened. */
  note: (fault: FaultKind) => void;
}): SimNetwork {
  /** First answers of the relay, by attempt: a repeat gets the same one, and nothing is forwarded. */
  const relayed = new Map<string, Answer>();
  const fates = [...(settings.fates ?? [])];
  const drawFate = (): PostFate => (random.chance(settings.postFault) ? random.pick(POST_FAULTS) : "none");
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
    note("sent-twice");
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
      if (fault !== "none") note(fault);
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
        case "late-request": {
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
      if (fails) note("list-failed");
      time.after(random.between(5, 300), () => {
        const answer = fails ? (random.chance(0.5) ? cut() : refused(503)) : service.list(model);
        time.after(random.between(5, 300), () => back(answer));
      });
    },
  };
}
