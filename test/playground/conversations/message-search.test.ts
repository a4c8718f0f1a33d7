import { describe, expect, it } from "vitest";
import { findInMessages } from "#playground/conversations/message-search.ts";
import fc from "../../setup/fc.ts";
import { someColumn, someConversation } from "../../text/conversations/some-conversation.ts";

describe("the search in messages", () => {
  it("finds a word whatever its case, with the text around it on one line", () => {
    const conversation = someConversation("Which knot holds?", "Take a\n\nBowline, it holds.");
    expect(findInMessages(conversation, ["bowline"])).toEqual({
      before: "Take a ",
      hit: "Bowline",
      after: ", it holds.",
    });
  });

  it("finds only where one message holds every word, and system prompts and documents count", () => {
    const conversation = someConversation("A boat", "An anchor");
    expect(findInMessages(conversation, ["boat", "anchor"])).toBeUndefined();
    expect(findInMessages(conversation, [])).toBeUndefined();
    const column = someColumn({ system: "You are a pilot.", document: "The keeper counted the steps." });
    const other = { ...conversation, columns: [column] };
    expect(findInMessages(other, ["pilot"])?.hit).toBe("pilot");
    expect(findInMessages(other, ["steps", "keeper"])?.hit).toBe("steps");
  });

  it("shows a piece of the message itself, short however long it is", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.string({ maxLength: 400 }), (before, after) => {
        const found = findInMessages(someConversation(`${before} lantern ${after}`), ["lantern"]);
        expect(found?.hit.toLowerCase()).toHaveLength(7);
        expect(`${found?.before}${found?.after}`.length).toBeLessThan(160);
      }),
    );
  });
});
