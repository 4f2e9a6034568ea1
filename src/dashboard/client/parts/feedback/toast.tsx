/** A short word at the corner of the screen that something was done. Failures stay where they are. */

import type { ComponentChildren } from "preact";
import { createContext } from "preact";
import { useCallback, useContext, useState } from "preact/hooks";

const TOAST_DURATION_MS = 4_000;

type ShowToast = (words: string) => void;

const ToastContext = createContext<ShowToast>(() => {});

/** Tells people that something was done. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ComponentChildren }) {
  const [toasts, setToasts] = useState<readonly { id: number; words: string }[]>([]);
  const showToast = useCallback((words: string) => {
    const id = performance.now();
    setToasts((before) => [...before, { id, words }]);
    setTimeout(
      () => setToasts((before) => before.filter((toast) => toast.id !== id)),
      TOAST_DURATION_MS,
    );
  }, []);
  return (
    <ToastContext.Provider value={showToast}>
      {children}
      <div class="toasts" role="status">
        {toasts.map(({ id, words }) => <p key={id} class="toast">{words}</p>)}
      </div>
    </ToastContext.Provider>
  );
}
