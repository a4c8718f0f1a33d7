/**
 * Where the sandbox is simpler than a real service, in sentences for a person. The studio's Settings show them below
 * the documented inputs.
 */
interface SandboxLimit {
  about: string;
  sentence: string;
}

/** Written from what the code does: a change there needs a change here. */
export const SANDBOX_LIMITS: readonly SandboxLimit[] = [
  {
    about: "Pictures and clips",
    sentence:
      "They are painted by code from a few words of the prompt, the seed and the size. No model runs, so likeness and text in a picture do not follow the prompt.",
  },
  {
    about: "Size of clips",
    sentence:
      "A clip is at most 576 pixels on its long side with at most 12 frames a second, whatever resolution is paid for, and it is silent. Its length is the one asked for.",
  },
  { about: "Speech", sentence: "Every sound file is music made by code. A voice model sings no words and says none." },
  {
    about: "Input files",
    sentence:
      "An input counts for its address alone. The sandbox never fetches one from another host and never looks into one, so an edit does not show its picture. Only an address with host-refused in it counts as blocked.",
  },
  {
    about: "Uploads",
    sentence:
      "Any bytes are taken for the type that was announced. They are taken at 32 MB a second at most, and at 64 MB all together. A file above 64 MB counts as stored, and its bytes are not kept; of smaller ones the newest 256 MB are, or what a host’s settings say. One above 4 GB is refused.",
  },
  {
    about: "Moderation",
    sentence: "Nothing is judged. Only the documented inputs bring about a refusal, a failure or a cancellation.",
  },
  {
    about: "Cancelled jobs",
    sentence:
      "A cancelled job keeps its charge, because the specification names refunds for failed and rejected jobs only.",
  },
  {
    about: "Deleting a running job’s media",
    sentence: "It answers 409. The specification does not say what a service does there.",
  },
  {
    about: "Text answers",
    sentence:
      "They are put together from phrases around the words of the prompt. They know nothing, remember nothing but their number of turns, look at no picture and call no tool.",
  },
  {
    about: "Chat completions",
    sentence:
      "The specification does not show them. The path /v1/chat/completions knows their refusals and answers 501 to every text model.",
  },
  {
    about: "Providers",
    sentence:
      "There is one, and nothing to fall back on. A 502 comes where an input asks for it, never after another provider was tried.",
  },
  {
    about: "What clients are asked to do",
    sentence:
      "Nothing makes a client wait between its looks at a job or before it tries again; the sandbox answers as often as it is asked.",
  },
  {
    about: "Versions",
    sentence: "There is version 1 alone. Nothing is deprecated, and no version is negotiated.",
  },
  {
    about: "Tokens",
    sentence: "They are counted by a simple rule of the sandbox, so counts and prices differ from every real model’s.",
  },
  {
    about: "Waiting for text",
    sentence: "An answer that is not streamed comes after a second and a half at the latest, however long it is.",
  },
  {
    about: "Rate limits",
    sentence: "There are none until they are set. They count requests per minute. The specification shows no numbers.",
  },
  {
    about: "Load",
    sentence: "Jobs never wait for each other, and how long one takes is drawn within the bounds of its model.",
  },
  {
    about: "Keys",
    sentence:
      "A key is a word that anybody can read here. Addresses of media and inputs ask for none, as on a service. Keys can be neither made nor revoked.",
  },
  {
    about: "The balance",
    sentence:
      "Every organisation begins with 1,000 dollars. It cannot be read, because the specification shows no way to.",
  },
  {
    about: "Memory",
    sentence:
      "Everything is gone when the host ends, or when the page is loaded again where the sandbox runs in the page.",
  },
  {
    about: "How much it takes",
    sentence:
      "It refuses runs and text answers above 100,000 with 403 until it is started again, or above what a host’s settings say, JSON bodies above 8 MB with 413, and those with more than 100,000 parts with 400.",
  },
  {
    about: "Lost connections",
    sentence:
      "Where the sandbox runs in the page, a lost connection is a failed request. Over HTTP the host destroys the socket.",
  },
];
