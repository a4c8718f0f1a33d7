import { useEffect, useEffectEvent } from "react";

/** Calls back on the platform's main modifier with a key, wherever the focus is. */
export function useModKey(key: string, onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== key)
        return;
      event.preventDefault();
      press();
    }
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [key]);
}
