/** The frame around every page: navigation, current project and sign-out button. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type PageEntry, PROJECT_PAGES, SERVICE_PAGES } from "../../pages.ts";
import { href, type Route, SERVICE_SEGMENT } from "../../route.ts";
import { type Theme, useTheme } from "../../theme.ts";
import { Icon, type IconName } from "./icon.tsx";
import { ProjectSwitcher } from "./project_switcher.tsx";

const THEME_ICONS: Readonly<Record<Theme, IconName>> = { auto: "auto", light: "sun", dark: "moon" };
const THEME_TEXTS: Readonly<Record<Theme, string>> = {
  auto: "Theme: system",
  light: "Theme: light",
  dark: "Theme: dark",
};

interface FrameProps {
  readonly route: Route;
  /** Name of the project the navigation links point to. */
  readonly project: string | undefined;
  readonly onSignOut: () => void;
  readonly children: ComponentChildren;
}

export function Frame({ route, project, onSignOut, children }: FrameProps) {
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const address = `${route.project}${route.path}`;
  const shown = useRef(address);
  useEffect(() => {
    setOpen(false);
    if (shown.current === address) return;
    shown.current = address;
    scrollTo(0, 0);
    // Focus the heading, so that screen readers announce the new page and Tab starts from the top.
    main.current?.querySelector("h1")?.focus({ preventScroll: true });
  }, [address]);
  return (
    <div class="frame">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <header class="bar">
        <button
          type="button"
          class="icon-button bar-menu"
          aria-expanded={open}
          aria-controls="navigation"
          aria-label="Navigation"
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? "close" : "menu"} />
        </button>
        <Brand />
        {project !== undefined && route.project !== SERVICE_SEGMENT && (
          <span class="bar-project clip">
            <bdi>{project}</bdi>
          </span>
        )}
      </header>
      <aside id="navigation" class={open ? "side open" : "side"} aria-label="Navigation">
        <Brand />
        <ProjectSwitcher current={project} />
        <nav class="nav" aria-label="Pages">
          {project !== undefined && (
            <NavGroups pages={PROJECT_PAGES} project={project} route={route} />
          )}
          <NavGroups pages={SERVICE_PAGES} project={SERVICE_SEGMENT} route={route} />
        </nav>
        <SidebarFooter onSignOut={onSignOut} />
      </aside>
      <main id="main" class="main" ref={main} tabIndex={-1}>
        <div class="page">{children}</div>
      </main>
    </div>
  );
}

function Brand() {
  return (
    <a class="brand" href="#/">
      <img src="/dashboard/assets/icon.svg" alt="" width="22" height="22" />
      Commonplace
    </a>
  );
}

interface NavGroupsProps {
  readonly pages: readonly PageEntry[];
  readonly project: string;
  readonly route: Route;
}

function NavGroups({ pages, project, route }: NavGroupsProps) {
  const inNav = pages.filter((page) => page.nav !== undefined);
  return (
    <>
      {[...Map.groupBy(inNav, (page) => page.nav!.group)].map(([group, members]) => (
        <div key={group} class="nav-group">
          {group !== "" && <p class="nav-title">{group}</p>}
          <ul>
            {members.map((page) => (
              <li key={page.path}>
                <a
                  href={href(project, page.path)}
                  aria-current={isCurrentPage(page, project, route) ? "page" : undefined}
                >
                  <Icon name={page.nav!.icon} />
                  {page.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

function isCurrentPage({ path }: PageEntry, project: string, route: Route): boolean {
  if (route.project !== project) return false;
  return route.path === path || (path !== "/" && route.path.startsWith(`${path}/`));
}

function SidebarFooter({ onSignOut }: { onSignOut: () => void }) {
  const [theme, nextTheme] = useTheme();
  return (
    <div class="side-foot">
      <button
        type="button"
        class="icon-button"
        aria-label={THEME_TEXTS[theme]}
        title={THEME_TEXTS[theme]}
        onClick={nextTheme}
      >
        <Icon name={THEME_ICONS[theme]} />
      </button>
      <button type="button" class="button quiet small" onClick={onSignOut}>
        <Icon name="leave" />
        Sign out
      </button>
    </div>
  );
}
