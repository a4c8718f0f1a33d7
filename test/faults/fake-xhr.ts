import type { FaultNetwork } from "./fault-network.ts";

const READ_BYTES = 64 * 1024;

/** As much of `XMLHttpRequest` as an upload needs, on the same network as `fetch`. */
export function fakeXhr(network: FaultNetwork) {
  return class {
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    status = 0;
    responseText = "";
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    #method = "";
    #url = "";
    #headers = new Headers();
    #answerHeaders = new Headers();
    #isOver = false;

    open(method: string, url: string) {
      this.#method = method;
      this.#url = url;
    }
    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value);
    }
    getAllResponseHeaders() {
      return [...this.#answerHeaders].map(([name, value]) => `${name}: ${value}`).join("\r\n");
    }
    abort() {
      if (this.#isOver) return;
      this.#isOver = true;
      this.onabort?.();
    }
    send(file: Blob) {
      const isAlive = network.ofThisPage();
      const end = (tell: (() => void) | undefined) => {
        if (this.#isOver || !isAlive()) return;
        this.#isOver = true;
        tell?.();
      };
      const progress = (part: number) => {
        if (!this.#isOver && isAlive()) this.upload.onprogress?.({ loaded: part * file.size, total: file.size });
      };
      const asked = { method: this.#method, url: this.#url, headers: this.#headers, body: file, isUpload: true };
      network
        .send({ ...asked, progress })
        .then(async (response) => {
          this.responseText = await readStart(response);
          this.status = response.status;
          this.#answerHeaders = response.headers;
        })
        .then(
          () => end(this.onload),
          () => end(this.onerror),
        );
    }
  };
}

async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (reader && text.length < READ_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  reader?.cancel().catch(() => {});
  return text;
}
