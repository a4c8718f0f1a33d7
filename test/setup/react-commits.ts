const listeners = new Set<(root: unknown) => void>();

// React looks for its developer tools once, when it is loaded. This replaces them.
Object.defineProperty(globalThis, "__REACT_DEVTOOLS_GLOBAL_HOOK__", {
  value: {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount() {},
    onCommitFiberRoot(_: number, root: { current: unknown }) {
      for (const listener of listeners) listener(root.current);
    },
  },
});

/** Calls `listener` with React's own record of the tree after every commit. Returns what ends that. */
export function onReactCommit(listener: (root: unknown) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
