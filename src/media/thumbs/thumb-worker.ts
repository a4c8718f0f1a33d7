import { drawThumb, type ThumbAnswer, type ThumbQuestion } from "./draw-thumb.ts";

/** Makes small pictures off the page's thread. What cannot be read is answered without one. */
self.onmessage = async ({ data }: MessageEvent<ThumbQuestion>) => {
  const answer: ThumbAnswer = { id: data.id, thumb: await drawThumb(data.picture).catch(() => undefined) };
  self.postMessage(answer, { transfer: answer.thumb ? [answer.thumb.bytes] : [] });
};
