interface TextStorage {
  getItem: (name: string) => string | null;
  setItem: (name: string, value: string) => void;
  removeItem: (name: string) => void;
}

/**
 * localStorage that cannot throw. Private windows refuse it and full ones reject writes; the page then works without
 * remembering.
 */
export const safeLocalStorage: TextStorage = {
  getItem: (name) => attempt(() => localStorage.getItem(name)) ?? null,
  setItem: (name, value) => {
    attempt(() => localStorage.setItem(name, value));
  },
  removeItem: (name) => {
    attempt(() => localStorage.removeItem(name));
  },
};

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
