import { GATEWAY_ANSWERS, type Reply, type WireAnswer } from "./sim-answers.ts";
import type { FaultKind, PostFate } from "./sim-settings.ts";
import type { Random, VirtualTime } from "./virtual-time.ts";

/** What the far end does with a request. It calls back once, or never. */
export type FarEnd = (back: (reply: Reply) => void) => void;

/** One leg of a request's way, with what may stand in between. */
export interface Leg {
  /**
   * Carries one request over. Calls back at most once; never where the near end waits in vain. The request goes on when
   * the near end is gone.
   */
  carry(fate: PostFate, farEnd: FarEnd, back: (reply: Reply) => void): void;
}

/** Cut in the middle, or in a shape that says nothing. */
function unreadable({ status, text }: WireAnswer): WireAnswer {
  return { status, text: text.slice(0, Math.floor(text.length / 2)) };
}

export function createLeg({
  time,
  random,
  note,
  gatewayAnswers = GATEWAY_ANSWERS,
}: {
  time: VirtualTime;
  random: Random;
  note: (fault: FaultKind) => void;
  gatewayAnswers?: readonly WireAnswer[] | undefined;
}): Leg {
  const once = (back: (reply: Reply) => void) => {
    let isBack = false;
    return (reply: Reply) => {
      if (isBack) return;
      isBack = true;
      back(reply);
    };
  };
  /** The request arrives, and the reply comes back through `then`. */
  const cross = (farEnd: FarEnd, then: (reply: Reply) => void) =>
    time.after(random.between(5, 400), () =>
      farEnd(once((reply) => time.after(random.between(5, 400), () => then(reply)))),
    );
  const ignored = () => {};

  return {
    carry: (fate, farEnd, back) => {
      if (fate !== "none") note(fate);
      const gatewayAnswer = () => random.pick(gatewayAnswers);
      switch (fate) {
        case "lost-request":
          return time.after(random.between(5, 5_000), () => back("broken"));
        case "lost-reply":
          return cross(farEnd, () => back("broken"));
        case "late-request": {
          const failsAt = random.between(5, 5_000);
          time.after(failsAt, () => back("broken"));
          return time.after(failsAt + random.between(0, 8_000), () => farEnd(ignored));
        }
        case "hang":
          return cross(farEnd, ignored);
        case "hang-unsent":
          return;
        case "unreadable":
          return cross(farEnd, (reply) => back(typeof reply === "string" ? reply : unreadable(reply)));
        case "gateway-before":
          return time.after(random.between(5, 400), () => back(gatewayAnswer()));
        case "gateway-after":
          return cross(farEnd, () => back(gatewayAnswer()));
        case "gateway-late": {
          const answersAt = random.between(5, 400);
          time.after(answersAt, () => back(gatewayAnswer()));
          return time.after(answersAt + random.between(0, 8_000), () => farEnd(ignored));
        }
        default:
          return cross(farEnd, back);
      }
    },
  };
}
