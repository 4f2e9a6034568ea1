/**
 * The dashboard's pages, from the first call to the page that is asked for: sign in, look which
 * projects there are, and show one of `pages.ts` inside the frame.
 */

import { render } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { ProjectSummary } from "../schema.ts";
import { call, Failure, onSignedOut } from "./api.ts";
import { useLoaded } from "./live.ts";
import { type PageEntry, PROJECT_PAGES, SERVICE_PAGES } from "./pages.ts";
import { SignIn } from "./pages/sign_in.tsx";
import { Empty } from "./parts/empty.tsx";
import { Frame } from "./parts/frame.tsx";
import { PageHead } from "./parts/page_head.tsx";
import { Problem } from "./parts/problem.tsx";
import { Toasts } from "./parts/toast.tsx";
import { PlaceContext, placeOf, ProjectListContext } from "./project.ts";
import { go, href, match, type Route, SERVICE, useRoute } from "./route.ts";
import { applyTheme, storedTheme } from "./theme.ts";

/** Whether somebody is signed in; if not, whether a password would do. */
type Access = "unknown" | "open" | { readonly password: boolean } | Failure;

const SIGN_IN = /^#signin=(.+)$/;

/** The token of a sign-in link; taken out of the address so that it stays in no history. */
function takeToken(): string | null {
  const token = SIGN_IN.exec(location.hash)?.[1] ?? null;
  if (token !== null) history.replaceState(null, "", "#/");
  return token;
}

function App() {
  const [token, setToken] = useState(takeToken);
  const [access, setAccess] = useState<Access>("unknown");

  const ask = useCallback(() => {
    call("GET", "/session").then(() => setAccess("open"), (error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      const out = error.code === "NOT_SIGNED_IN";
      setAccess(out ? { password: error.details["password"] === true } : error);
    });
  }, []);
  useEffect(ask, []);
  useEffect(() => onSignedOut(() => access === "open" && ask()), [access]);
  useEffect(() => {
    // A link that is opened in a tab which shows the dashboard already.
    const changed = () => SIGN_IN.test(location.hash) && setToken(takeToken());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);

  if (access === "unknown") return null;
  if (access instanceof Failure) {
    return (
      <main class="sign-in">
        <div class="sign-in-card">
          <h1>Commonplace</h1>
          <Problem failure={access} retry={ask} />
        </div>
      </main>
    );
  }
  if (access !== "open") {
    const signedIn = () => {
      setToken(null);
      setAccess("open");
    };
    return <SignIn password={access.password} token={token} signedIn={signedIn} />;
  }
  const signOut = () => void call("DELETE", "/session").then(ask, ask);
  return <SignedIn signOut={signOut} />;
}

function SignedIn({ signOut }: { signOut: () => void }) {
  const route = useRoute();
  const list = useLoaded(
    (signal) => call<{ results: readonly ProjectSummary[] }>("GET", "/projects", { signal }),
    [],
  );
  const projects = list.value?.results;
  const [last, setLast] = useState(() => localStorage.getItem("commonplace-project"));
  const named = projects?.find(({ name }) => name === route.place);
  const current = named ?? projects?.find(({ name }) => name === last) ?? projects?.[0];
  useEffect(() => {
    if (named === undefined) return;
    localStorage.setItem("commonplace-project", named.name);
    setLast(named.name);
  }, [named?.name]);
  useEffect(() => {
    if (projects === undefined || route.place !== "") return;
    go(current === undefined ? href(SERVICE, "/projects") : href(current.name, "/"), "replace");
  }, [projects, route.place]);
  const place = useMemo(
    () => current === undefined ? null : placeOf(current),
    [current?.id, current?.name],
  );
  const projectList = { projects: projects ?? [], reload: list.reload };

  if (projects === undefined) {
    return (
      <div class="page">
        <Problem failure={list.failure} retry={list.reload} />
      </div>
    );
  }
  return (
    <ProjectListContext.Provider value={projectList}>
      <PlaceContext.Provider value={place}>
        <Frame route={route} project={current?.name} signOut={signOut}>
          <Shown route={route} known={named !== undefined} place={place?.id ?? ""} />
        </Frame>
      </PlaceContext.Provider>
    </ProjectListContext.Provider>
  );
}

/** The page of an address. */
function Shown({ route, known, place }: { route: Route; known: boolean; place: string }) {
  if (route.place === "") return null;
  if (route.place !== SERVICE && !known) {
    return <Nowhere what={`No project is called “${route.place}”.`} />;
  }
  const pages: readonly PageEntry[] = route.place === SERVICE ? SERVICE_PAGES : PROJECT_PAGES;
  for (const { path, component: Page } of pages) {
    const params = match(path, route.path);
    // A page of another record is another page: nothing of the one before stays.
    const key = `${place} ${path} ${Object.values(params ?? {}).join(" ")}`;
    if (params !== null) return <Page key={key} params={params} query={route.query} />;
  }
  return <Nowhere what="This address leads to no page." />;
}

function Nowhere({ what }: { what: string }) {
  return (
    <>
      <PageHead title="Nothing here" />
      <Empty icon="search" title={what}>
        <a href="#/">Go to the overview</a>
      </Empty>
    </>
  );
}

applyTheme(storedTheme());
render(
  <Toasts>
    <App />
  </Toasts>,
  document.getElementById("app")!,
);
