/**
 * Mounts the dashboard: its pages, its sessions, the API endpoints with a session in place of a
 * key, and the handful of endpoints only people need.
 */

import type { Endpoint } from "../contract/endpoint.ts";
import type { EventService } from "../events/service.ts";
import type { Mount } from "../http/app.ts";
import { mountEndpoints } from "../http/mount.ts";
import { type FailureLimit, FailureLimiter } from "../kernel/http/rate_limiter.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type AuthorizationDeps, authorizationRoutes } from "./authorization_routes.ts";
import { type BrowseDeps, browseRoutes } from "./browse/routes.ts";
import { BrowseService } from "./browse/service.ts";
import { fileRoutes } from "./static_files.ts";
import { disableCaching, grantProjectAccess, requireSameOrigin, requireSession } from "./guard.ts";
import { type ManagementDeps, managementRoutes } from "./management_routes.ts";
import { sessionRoutes } from "./session_routes.ts";
import { Sessions } from "./sessions.ts";

/** Prefix of a project's dashboard endpoints, used in place of `/v1`. */
const PROJECT_PATH = "/dashboard/api/projects/{project_id}";

const SIGN_IN_FAILURES: FailureLimit = {
  maxFailures: LIMITS.signInFailures,
  windowMs: LIMITS.signInFailureMinutes * 60_000,
};

/** Services and settings needed by the dashboard. */
export interface DashboardDeps
  extends ManagementDeps, AuthorizationDeps, Omit<BrowseDeps, "browse"> {
  readonly events: EventService;
  readonly endpoints: readonly Endpoint[];
  /** Sign-in password. If undefined, only one-time links work. */
  readonly password: string | undefined;
}

/** Returns a function that adds the routes at `/` and under `/dashboard`. */
export function mountDashboard(deps: DashboardDeps): Mount {
  const { appContext, endpoints, password } = deps;
  const sessions = new Sessions(appContext, password);
  const failures = new FailureLimiter(appContext.clock, SIGN_IN_FAILURES);
  const browse = new BrowseService(appContext, deps.events, deps.operations);
  const browseEndpoints = browseRoutes({ ...deps, browse });
  return (app) => {
    fileRoutes(app);

    app.use("/dashboard/api/*", disableCaching, requireSameOrigin(deps.baseUrl));
    sessionRoutes(app, { sessions, failures });
    app.use("/dashboard/api/*", requireSession(sessions));
    managementRoutes(app, deps);
    authorizationRoutes(app, deps);

    app.use("/dashboard/api/projects/:project_id/*", grantProjectAccess(deps.projects));
    mountEndpoints(app, [...endpoints, ...browseEndpoints], {
      ...appContext,
      prefix: PROJECT_PATH,
    });
  };
}
