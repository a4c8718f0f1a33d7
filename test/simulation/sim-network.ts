import type { JobListParams, JobRequest } from "#api/types.ts";
import type { AttemptOptions } from "#runs/submit/effects.ts";
import { GATEWAY_ANSWERS, jobAnswer, jobRecord, ownNo, type Reply } from "./sim-answers.ts";
import type { HostMessage, SimHost } from "./sim-host.ts";
import { createLeg } from "./sim-leg.ts";
import type { ListAnswer, SimService } from "./sim-service.ts";
import { type FaultKind, LEG_FAULTS, OWN_NOES, type PostFate, type SimSettings } from "./sim-settings.ts";
import type { Random, VirtualTime } from "./virtual-time.ts";

const AT_SERVICE = [...LEG_FAULTS, ...OWN_NOES] as const;
/** Of the requests whose connection broke, a browser delivers so many once more by itself. */
const SENT_TWICE = 0.7;

/** The way of a page's requests. Each calls back at most once, and goes on when the page dies. */
export interface SimNetwork {
  /** One POST of a page, with the browser's own repetition of it. */
  post(request: JobRequest, options: AttemptOptions, back: (reply: Reply) => void): void;
  withdraw(attemptId: string, memory: string | undefined, back: (reply: Reply) => void): void;
  /** What the host says about itself: the name of its memory. */
  about(back: (reply: Reply) => void): void;
  list(params: JobListParams, back: (answer: ListAnswer | Reply) => void): void;
  /** The record of one job. */
  job(requestId: string, back: (reply: Reply) => void): void;
  /** The leg from a host to the service. */
  fromHost(request: JobRequest, attemptId: string, back: (reply: Reply) => void): void;
}

/** The intent and the number in the name of an attempt. */
export function readAttemptId(attemptId: string): { intentId: string; attempt: number } {
  const dot = attemptId.lastIndexOf(".");
  return { intentId: attemptId.slice(0, dot), attempt: Number(attemptId.slice(dot + 1)) };
}

export function createSimNetwork({
  time,
  random,
  service,
  settings,
  hosts,
  isCalm,
  note,
}: {
  time: VirtualTime;
  random: Random;
  service: SimService;
  settings: SimSettings;
  /** Filled with the hosts once they are there. */
  hosts: readonly SimHost[];
  /** From then on nothing goes wrong any more. */
  isCalm: () => boolean;
  /** Counts the faults that happened. */
  note: (fault: FaultKind) => void;
}): SimNetwork {
  const leg = createLeg({ time, random, note, gatewayAnswers: settings.gatewayAnswers });
  const fates = [...(settings.fates ?? [])];
  const pageFates = [...(settings.pageFates ?? [])];
  const drawn = (possible: readonly PostFate[]): PostFate =>
    !isCalm() && random.chance(settings.postFault) ? random.pick(possible) : "none";

  /** The leg that ends at the service. */
  const toService = (fate: PostFate, request: JobRequest, attemptId: string, back: (reply: Reply) => void) => {
    const no = OWN_NOES.find((kind) => kind === fate);
    leg.carry(
      fate,
      (reply) => {
        if (no !== undefined) return reply(ownNo(no, request.model));
        const { intentId, attempt } = readAttemptId(attemptId);
        const made = jobAnswer(service.create(request, intentId, attempt));
        reply(random.chance(settings.largeAnswer) ? { ...made, isLarge: true } : made);
      },
      back,
    );
  };

  /** Which host a connection comes out at: behind a balancer any one, most often one that is up. */
  const someHost = (): SimHost => {
    const up = hosts.filter((host) => host.isUp());
    return up.length > 0 && random.chance(0.8) ? random.pick(up) : random.pick(hosts);
  };
  const toHost = (fate: PostFate, message: HostMessage, back: (reply: Reply) => void) =>
    leg.carry(
      fate,
      (reply) => {
        someHost().serve(message, (given) => {
          // What stands before a host answers for one that is gone.
          const speaks = given === "broken" && random.chance(0.3);
          reply(speaks ? random.pick(GATEWAY_ANSWERS) : given);
        });
      },
      back,
    );

  /** One read. A read that fails changes nothing. */
  const read = <T>(answerOf: () => T, back: (answer: T | Reply) => void) => {
    const fails = !isCalm() && random.chance(settings.listFault);
    if (fails) note("list-failed");
    const answer = () => (fails ? random.pick<Reply>(["broken", ...GATEWAY_ANSWERS]) : answerOf());
    const cross = () =>
      time.after(random.between(5, 300), () => {
        const given = answer();
        time.after(random.between(5, 300), () => back(given));
      });
    if (hosts.length === 0) return cross();
    // The host passes a read through. One that stands still lets it wait, and one that is gone breaks it.
    someHost().pass(cross, () => time.after(random.between(1, 20), () => back("broken")));
  };

  return {
    post: (request, options, back) => {
      const { attemptId, body, memory } = options;
      const message: HostMessage = { kind: "submit", request, attemptId, memory };
      const deliver = (then: (reply: Reply) => void) =>
        body === "relay"
          ? toHost(pageFates.shift() ?? drawn(LEG_FAULTS), message, then)
          : toService(fates.shift() ?? drawn(AT_SERVICE), request, attemptId, then);
      deliver((reply) => {
        // A browser sends a body that it has whole once more over a fresh connection, without telling the page.
        if (reply !== "broken" || body === "stream" || isCalm() || !random.chance(SENT_TWICE)) return back(reply);
        note("sent-twice");
        time.after(random.chance(0.1) ? random.between(300, 8_000) : random.between(5, 300), () => deliver(back));
      });
    },
    withdraw: (attemptId, memory, back) => toHost(drawn(LEG_FAULTS), { kind: "withdraw", attemptId, memory }, back),
    about: (back) => toHost(random.chance(0.1) ? drawn(LEG_FAULTS) : "none", { kind: "about" }, back),
    fromHost: (request, attemptId, back) => toService(fates.shift() ?? drawn(AT_SERVICE), request, attemptId, back),
    list: (params, back) => read(() => service.list(params), back),
    job: (requestId, back) => read(() => jobRecord(service.find(requestId)), back),
  };
}
