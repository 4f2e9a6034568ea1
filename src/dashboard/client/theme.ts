/** Light, dark, or as the system has it; remembered in this browser. */

import { useEffect, useState } from "preact/hooks";

const THEMES = ["auto", "light", "dark"] as const;
export type Theme = typeof THEMES[number];

const STORAGE_KEY = "commonplace-theme";

/** The theme that was chosen here before. */
export function loadTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return THEMES.find((theme) => theme === stored) ?? "auto";
}

/** Puts a theme on the page. Before anything is drawn, so that nothing flashes. */
export function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** The theme, and a way to go to the next one. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState(loadTheme);
  useEffect(() => {
    applyTheme(theme);
    localStorage.setItem(STORAGE_KEY, theme);
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!)];
}
