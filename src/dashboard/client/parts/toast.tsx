/** A short word at the corner of the screen that something was done. Failures stay where they are. */

import type { ComponentChildren } from "preact";
import { createContext } from "preact";
import { useCallback, useContext, useState } from "preact/hooks";

const SHOWN_MS = 4_000;

type Tell = (words: string) => void;

const ToastContext = createContext<Tell>(() => {});

/** Tells people that something was done. */
export function useToast(): Tell {
  return useContext(ToastContext);
}

export function Toasts({ children }: { children: ComponentChildren }) {
  const [toasts, setToasts] = useState<readonly { id: number; words: string }[]>([]);
  const tell = useCallback((words: string) => {
    const id = performance.now();
    setToasts((before) => [...before, { id, words }]);
    setTimeout(() => setToasts((before) => before.filter((toast) => toast.id !== id)), SHOWN_MS);
  }, []);
  return (
    <ToastContext.Provider value={tell}>
      {children}
      <div class="toasts" role="status">
        {toasts.map(({ id, words }) => <p key={id} class="toast">{words}</p>)}
      </div>
    </ToastContext.Provider>
  );
}
