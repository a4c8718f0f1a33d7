import { createStore } from "zustand/vanilla";

/** Text that grows outside React, such as a streamed response. */
export type MarkdownSource = ReturnType<typeof createMarkdownSource>;

/** An empty source. Feed it as tokens arrive; `MarkdownView` shows it once per frame. */
export function createMarkdownSource() {
  const store = createStore(() => ({ text: "", isEnded: false }));
  const isEnded = () => store.getState().isEnded;
  return {
    append(added: string): void {
      if (!isEnded() && added !== "") store.setState(({ text }) => ({ text: text + added }));
    },
    /** Nothing more comes. Text appended afterwards is ignored. */
    end(): void {
      if (!isEnded()) store.setState({ isEnded: true });
    },
    text: (): string => store.getState().text,
    isEnded,
    /** Calls back after each addition and at the end. Returns the way to stop. */
    subscribe: store.subscribe,
  };
}
