/** Client entry point. Signs in, loads the projects, and shows the page for the current address. */

import { render } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { ProjectSummary } from "../schema.ts";
import { call, onSignedOut, RequestError } from "./api.ts";
import { useResource } from "./hooks.ts";
import { type PageEntry, PROJECT_PAGES, SERVICE_PAGES } from "./pages.ts";
import { Consent } from "./pages/consent.tsx";
import { SignIn } from "./pages/sign_in.tsx";
import { EmptyState } from "./parts/feedback/empty_state.tsx";
import { Frame } from "./parts/layout/frame.tsx";
import { PageHeader } from "./parts/layout/page_header.tsx";
import { ErrorMessage } from "./parts/feedback/error_message.tsx";
import { ToastProvider } from "./parts/feedback/toast.tsx";
import { CurrentProjectContext, ProjectListContext, toCurrentProject } from "./project.ts";
import { href, matchPath, navigate, type Route, SERVICE_SEGMENT, useRoute } from "./route.ts";
import { applyTheme, loadTheme } from "./theme.ts";

/** Whether a session is open and, if not, whether a password is accepted. */
type AuthState = "unknown" | "open" | { readonly password: boolean } | RequestError;

const SIGN_IN_HASH = /^#signin=(.+)$/;

/**
 * Returns the token from a sign-in link, and removes it from the address so it doesn't end up in
 * the browser history.
 */
function takeSignInToken(): string | null {
  const token = SIGN_IN_HASH.exec(location.hash)?.[1] ?? null;
  if (token !== null) history.replaceState(null, "", "#/");
  return token;
}

function App() {
  const route = useRoute();
  const [token, setToken] = useState(takeSignInToken);
  const [access, setAccess] = useState<AuthState>("unknown");

  const checkSession = useCallback(() => {
    call("GET", "/session").then(() => setAccess("open"), (error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      const isSignedOut = error.code === "NOT_SIGNED_IN";
      setAccess(isSignedOut ? { password: error.details["password"] === true } : error);
    });
  }, []);
  useEffect(checkSession, []);
  useEffect(() => onSignedOut(() => access === "open" && checkSession()), [access]);
  useEffect(() => {
    // Handles a sign-in link opened in a tab that already shows the dashboard.
    const onHashChange = () => SIGN_IN_HASH.test(location.hash) && setToken(takeSignInToken());
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);

  const isSignedOut = typeof access === "object" && !(access instanceof RequestError);
  useEffect(() => {
    if (!isSignedOut) return;
    // The user may have opened a sign-in link in another tab.
    addEventListener("focus", checkSession);
    return () => removeEventListener("focus", checkSession);
  }, [isSignedOut]);

  if (access === "unknown") return null;
  if (access instanceof RequestError) {
    return (
      <main class="sign-in">
        <div class="sign-in-card">
          <h1>Commonplace</h1>
          <ErrorMessage failure={access} onRetry={checkSession} />
        </div>
      </main>
    );
  }
  if (access !== "open") {
    const onSignedIn = () => {
      setToken(null);
      setAccess("open");
    };
    return <SignIn password={access.password} token={token} onSignedIn={onSignedIn} />;
  }
  if (route.project === SERVICE_SEGMENT && route.path === "/authorize") {
    return <Consent request={route.query.toString()} />;
  }
  const signOut = () => void call("DELETE", "/session").then(checkSession, checkSession);
  return <SignedIn onSignOut={signOut} />;
}

function SignedIn({ onSignOut }: { onSignOut: () => void }) {
  const route = useRoute();
  const list = useResource(
    (signal) => call<{ results: readonly ProjectSummary[] }>("GET", "/projects", { signal }),
    [],
  );
  const projects = list.value?.results;
  const [lastProject, setLastProject] = useState(() => localStorage.getItem("commonplace-project"));
  const routeProject = projects?.find(({ name }) => name === route.project);
  const current = routeProject ?? projects?.find(({ name }) => name === lastProject) ??
    projects?.[0];
  useEffect(() => {
    if (routeProject === undefined) return;
    localStorage.setItem("commonplace-project", routeProject.name);
    setLastProject(routeProject.name);
  }, [routeProject?.name]);
  useEffect(() => {
    if (projects === undefined || route.project !== "") return;
    navigate(
      current === undefined ? href(SERVICE_SEGMENT, "/projects") : href(current.name, "/"),
      "replace",
    );
  }, [projects, route.project]);
  const project = useMemo(
    () => current === undefined ? null : toCurrentProject(current),
    [current?.id, current?.name],
  );
  const projectList = { projects: projects ?? [], reload: list.reload };

  if (projects === undefined) {
    return (
      <div class="page">
        <ErrorMessage failure={list.failure} onRetry={list.reload} />
      </div>
    );
  }
  return (
    <ProjectListContext.Provider value={projectList}>
      <CurrentProjectContext.Provider value={project}>
        <Frame route={route} project={current?.name} onSignOut={onSignOut}>
          <CurrentPage
            route={route}
            isKnownProject={routeProject !== undefined}
            projectId={project?.id ?? ""}
          />
        </Frame>
      </CurrentProjectContext.Provider>
    </ProjectListContext.Provider>
  );
}

/** Renders the page for the current address. */
function CurrentPage(
  { route, isKnownProject, projectId }: {
    route: Route;
    isKnownProject: boolean;
    projectId: string;
  },
) {
  if (route.project === "") return null;
  if (route.project !== SERVICE_SEGMENT && !isKnownProject) {
    return <NotFound message={`There is no project “${route.project}”`} />;
  }
  const pages: readonly PageEntry[] = route.project === SERVICE_SEGMENT
    ? SERVICE_PAGES
    : PROJECT_PAGES;
  for (const { path, component: Page } of pages) {
    const params = matchPath(path, route.path);
    // Keyed by record, so no state carries over from the previous one.
    const key = `${projectId} ${path} ${Object.values(params ?? {}).join(" ")}`;
    if (params !== null) return <Page key={key} params={params} query={route.query} />;
  }
  return <NotFound message="There is no page at this address" />;
}

function NotFound({ message }: { message: string }) {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState icon="search" title={message}>
        <a href="#/">Go to the overview</a>
      </EmptyState>
    </>
  );
}

applyTheme(loadTheme());
render(
  <ToastProvider>
    <App />
  </ToastProvider>,
  document.getElementById("app")!,
);
