/** Tracks the width of an element, for charts whose layout depends on it. */

import { useLayoutEffect, useState } from "preact/hooks";

/**
 * Returns the width of an element in pixels, which is at least 200.
 *
 * @param initial width to return until the element is rendered
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
