/**
 * How a chat is written out as one text for a completions model. `{text}` stands for the message; the rest is taken
 * as it is.
 */
export interface PromptTemplate {
  system: string;
  user: string;
  assistant: string;
  /** What the model continues from. */
  start: string;
  /** Where the model's turn ends. */
  stop: readonly string[];
}

export const PLAIN_TEMPLATE: PromptTemplate = {
  system: "{text}\n\n",
  user: "User: {text}\n",
  assistant: "Assistant: {text}\n",
  start: "Assistant:",
  stop: ["\nUser:"],
};

export const MARKED_TEMPLATE: PromptTemplate = {
  system: "<|im_start|>system\n{text}<|im_end|>\n",
  user: "<|im_start|>user\n{text}<|im_end|>\n",
  assistant: "<|im_start|>assistant\n{text}<|im_end|>\n",
  start: "<|im_start|>assistant\n",
  stop: ["<|im_end|>"],
};

export interface PromptTurn {
  role: "user" | "assistant";
  text: string;
}

/** Writes a chat as one text. If the last message is the assistant's, the text ends inside it, to be continued. */
export function writePrompt(template: PromptTemplate, system: string, turns: readonly PromptTurn[]): string {
  // A function as the replacement: `$&` and the like in a message are only text.
  const fill = (pattern: string, text: string) => pattern.replace("{text}", () => text);
  const last = turns.at(-1);
  const isContinued = last?.role === "assistant";
  const whole = isContinued ? turns.slice(0, -1) : turns;
  const written = whole.map(({ role, text }) => fill(template[role], text)).join("");
  const opening = system === "" ? "" : fill(template.system, system);
  const open = template.assistant.split("{text}", 1)[0] ?? "";
  return `${opening}${written}${isContinued ? open + last.text : template.start}`;
}
