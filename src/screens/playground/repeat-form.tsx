import { useState } from "react";
import type { Conversation } from "#chat/conversation.ts";
import { visiblePath } from "#chat/thread.ts";
import { Button } from "#ui/button.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { useDesk } from "./chat-context.ts";

const MOST_TIMES = 50;

/** Asks the newest question again as often as is said, in every column, one after the other, to see the spread. */
export function RepeatForm({ conversation, isRunning }: { conversation: Conversation; isRunning: boolean }) {
  const { answers } = useDesk();
  const [text, setText] = useState("5");
  const times = Number(text);
  const isUsable = Number.isInteger(times) && times >= 1 && times <= MOST_TIMES;
  const run = () => {
    for (const { id, thread } of conversation.columns) {
      const newest = visiblePath(thread).findLast(({ turn }) => turn.role === "assistant");
      if (newest) void answers.repeat(conversation.id, id, newest.turn.id, times);
    }
  };
  return (
    <form
      className="mb-4 flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isUsable && !isRunning) run();
      }}
    >
      <label htmlFor="repeat-times" className="text-[13px]">
        Run the newest question again
      </label>
      <TextInput
        id="repeat-times"
        inputMode="numeric"
        aria-describedby="repeat-note"
        aria-invalid={!isUsable}
        className="w-16"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="text-[13px]">times</span>
      {isRunning ? (
        <Button onClick={() => answers.stop(conversation.id)}>Stop</Button>
      ) : (
        <Button type="submit" aria-disabled={!isUsable}>
          Run
        </Button>
      )}
      <span id="repeat-note" className="text-[12px] text-ink-3">
        {isUsable
          ? "Each run is billed. A refusal or Stop ends the series."
          : `A whole number from 1 to ${MOST_TIMES}.`}
      </span>
    </form>
  );
}
