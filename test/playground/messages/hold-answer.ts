import { act } from "@testing-library/react";
import { typed } from "../../api/text/text-fixtures.ts";

/** An answer of /v1/messages that comes as the test writes it. */
export function holdAnswer() {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      stream = controller;
    },
    // Whoever reads it may have read enough, and has closed it.
    cancel: () => {
      stream = undefined;
    },
  });
  const send = (data: Parameters<typeof typed>[0]) =>
    act(async () => stream?.enqueue(new TextEncoder().encode(typed(data))));
  const delta = (index: number, delta: object) => send({ type: "content_block_delta", index, delta });
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
    think: (thinking: string) => delta(0, { type: "thinking_delta", thinking }),
    say: (text: string) => delta(1, { type: "text_delta", text }),
    call: (name: string) =>
      send({ type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "t", name, input: {} } }),
    /** A piece of the call's input. */
    input: (partial_json: string) => delta(2, { type: "input_json_delta", partial_json }),
    async end() {
      await send({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } });
      await send({ type: "message_stop" });
      await act(async () => stream?.close());
    },
    breakOff: () => act(async () => stream?.close()),
  };
}
