/** Text that grows outside React, such as a streamed answer. */
export interface MarkdownSource {
  append(text: string): void;
  /** Nothing more comes. Text appended afterwards is ignored. */
  end(): void;
  text(): string;
  isEnded(): boolean;
  /** Calls back after each addition and at the end. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/** An empty source. Feed it as tokens arrive; `MarkdownView` shows it once per frame. */
export function createMarkdownSource(): MarkdownSource {
  const listeners = new Set<() => void>();
  let content = "";
  let ended = false;
  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    append(text) {
      if (ended || text === "") return;
      content += text;
      notify();
    },
    end() {
      if (ended) return;
      ended = true;
      notify();
    },
    text: () => content,
    isEnded: () => ended,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
