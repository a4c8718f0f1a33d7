import { isRecord, type JsonRecord } from "#lib/json.ts";
import { failureOf } from "./text-failure.ts";
import { aboutOf, recordsOf, textOf, usageOf } from "./text-fields.ts";
import type { TextFinding, TextReader } from "./text-types.ts";

/**
 * Reads answers of POST /v1/messages (spec 4.2): typed events, or a whole message object. Blocks need not be closed, or
 * opened, in order; unknown events and deltas are let pass.
 */
export function createMessageReader(): TextReader {
  let isTerminal = false;

  const takeMessage = (message: JsonRecord): TextFinding[] => [
    ...aboutOf(message),
    ...recordsOf(message.content).flatMap(takeBlock),
    ...usageOf(message.usage),
    ...stopOf(message),
  ];

  return {
    take(record, name) {
      const failed = failureOf(record, name);
      if (failed !== undefined) return [failed];
      const type = textOf(record.type) ?? name;
      if (type === "message") {
        isTerminal = true;
        return takeMessage(record);
      }
      if (type === "message_start") return isRecord(record.message) ? takeMessage(record.message) : [];
      if (type === "content_block_start") return isRecord(record.content_block) ? takeBlock(record.content_block) : [];
      if (type === "content_block_delta") return isRecord(record.delta) ? takeBlock(record.delta) : [];
      if (type === "message_delta") {
        return [...usageOf(record.usage), ...(isRecord(record.delta) ? stopOf(record.delta) : [])];
      }
      if (type === "message_stop") isTerminal = true;
      return [];
    },
    isComplete: () => isTerminal,
    isOver: () => isTerminal,
  };
}

/** Text and thinking of a block, or of a delta to one: `text` or `thinking`, whatever its type is called. */
function takeBlock(block: JsonRecord): TextFinding[] {
  const thinking = textOf(block.thinking);
  const text = textOf(block.text);
  return [
    ...(thinking === undefined ? [] : [{ kind: "reasoning" as const, text: thinking }]),
    ...(text === undefined ? [] : [{ kind: "text" as const, text, choice: 0 }]),
  ];
}

function stopOf(record: JsonRecord): TextFinding[] {
  const reason = textOf(record.stop_reason);
  return reason === undefined ? [] : [{ kind: "stop", reason }];
}
