/** Tracks an element's width, for charts whose layout depends on it. */

import { useLayoutEffect, useState } from "preact/hooks";

/**
 * Returns an element's width in pixels, at least 200.
 *
 * @param initial width returned until the element is rendered
 */
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
