/** The width of an element as it changes, for drawings that are laid out by it. */

import { useLayoutEffect, useState } from "preact/hooks";

/** @param initial until the element is there */
export function useElementWidth(
  element: { readonly current: HTMLElement | null },
  initial: number,
): number {
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(200, box.clientWidth)));
    observer.observe(box);
    setWidth(Math.max(200, box.clientWidth));
    return () => observer.disconnect();
  }, []);
  return width;
}
