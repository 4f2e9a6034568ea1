/** What went wrong, in full: the words of the service, its code, and the id of the request. */

import type { Failure } from "../api.ts";
import { Copy } from "./copy.tsx";
import { Icon } from "./icon.tsx";

interface Issue {
  readonly path: string;
  readonly message: string;
}

interface ProblemProps {
  readonly failure: Failure | undefined;
  /** Offers to try again. */
  readonly retry?: () => void;
}

/** Nothing, when nothing went wrong. */
export function Problem({ failure, retry }: ProblemProps) {
  if (failure === undefined) return null;
  const issues = (failure.details["issues"] ?? []) as readonly Issue[];
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div class="problem-words">
        <p class="problem-message">{failure.message}</p>
        {issues.length > 1 && (
          <ul>
            {issues.map(({ path, message }) => (
              <li key={path}>
                {path !== "" && <code>{path}</code>} {message}
              </li>
            ))}
          </ul>
        )}
        <p class="problem-facts">
          <code>{failure.code}</code>
          {failure.retryAfter !== null && <span>try again in {failure.retryAfter} s</span>}
          {failure.requestId !== null && (
            <span>
              request <code>{failure.requestId}</code>{" "}
              <Copy text={failure.requestId} label="Copy the request id" />
            </span>
          )}
        </p>
      </div>
      {retry && <button type="button" class="button small" onClick={retry}>Try again</button>}
    </div>
  );
}
