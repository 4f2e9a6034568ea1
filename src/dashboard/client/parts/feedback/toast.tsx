/** A short confirmation in the corner of the screen. Errors are shown where they occur instead. */

import type { ComponentChildren } from "preact";
import { createContext } from "preact";
import { useCallback, useContext, useState } from "preact/hooks";

const TOAST_DURATION_MS = 4_000;

type ShowToast = (message: string) => void;

const ToastContext = createContext<ShowToast>(() => {});

/** Returns a function that shows a confirmation. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ComponentChildren }) {
  const [toasts, setToasts] = useState<readonly { id: number; message: string }[]>([]);
  const showToast = useCallback((message: string) => {
    const id = performance.now();
    setToasts((before) => [...before, { id, message }]);
    setTimeout(
      () => setToasts((before) => before.filter((toast) => toast.id !== id)),
      TOAST_DURATION_MS,
    );
  }, []);
  return (
    <ToastContext.Provider value={showToast}>
      {children}
      <div class="toasts" role="status">
        {toasts.map(({ id, message }) => <p key={id} class="toast">{message}</p>)}
      </div>
    </ToastContext.Provider>
  );
}
