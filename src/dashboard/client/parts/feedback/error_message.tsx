/** A complete error: message, code and request id. */

import type { RequestError } from "../../api.ts";
import { CopyButton } from "./copy_button.tsx";
import { Icon } from "../layout/icon.tsx";

interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

interface ErrorMessageProps {
  readonly failure: RequestError | undefined;
  /** Called on "Try again". Without it, there's no such button. */
  readonly onRetry?: () => void;
}

/** Renders an error, or nothing if there isn't one. */
export function ErrorMessage({ failure, onRetry }: ErrorMessageProps) {
  if (failure === undefined) return null;
  const issues = (failure.details["issues"] ?? []) as readonly FieldIssue[];
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
              <CopyButton text={failure.requestId} label="Copy request ID" />
            </span>
          )}
        </p>
      </div>
      {onRetry && <button type="button" class="button small" onClick={onRetry}>Try again</button>}
    </div>
  );
}
