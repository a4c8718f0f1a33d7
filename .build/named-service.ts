const NAME = "SAFELIGHT_SERVICE";

/**
 * The origins of the service that a build is for, from `SAFELIGHT_SERVICE`: exact https origins, or plain http ones of this
 * machine, with spaces between. Empty where it is not set. Throws an Error with a sentence for anything else: what stands
 * here decides where a page may send a key.
 */
export function readNamedService(text: string | undefined): string[] {
  const words = (text ?? "").split(/\s+/).filter((word) => word !== "");
  return [...new Set(words.map(readOrigin))];
}

function readOrigin(word: string): string {
  const example = `It must contain origins such as https://api.example.com, separated by spaces.`;
  const url = URL.canParse(word) ? new URL(word) : undefined;
  if (!url || word.includes("*") || url.origin === "null") throw new Error(`${NAME} contains “${word}”. ${example}`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new Error(`${NAME} contains more than an origin for ${url.host}. ${example}`);
  }
  if (url.pathname !== "/") throw new Error(`${NAME} contains “${word}”: leave out the path. ${example}`);
  // A content policy has no word for the address [::1].
  const isLoopback = ["localhost", "127.0.0.1"].includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback)) {
    throw new Error(`${NAME} contains “${word}”, which is not https. ${example}`);
  }
  return url.origin;
}
