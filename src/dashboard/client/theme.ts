/** The theme: light, dark or the system setting. The choice is stored in this browser. */

import { useEffect, useState } from "preact/hooks";

const THEMES = ["auto", "light", "dark"] as const;
export type Theme = typeof THEMES[number];

const STORAGE_KEY = "commonplace-theme";

/** Returns the theme stored in this browser. Defaults to `auto`. */
export function loadTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return THEMES.find((theme) => theme === stored) ?? "auto";
}

/** Applies a theme to the page. Call this before the first render so the page doesn't flash. */
export function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Returns the theme and a function to switch to the next one. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState(loadTheme);
  useEffect(() => {
    applyTheme(theme);
    localStorage.setItem(STORAGE_KEY, theme);
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!)];
}
