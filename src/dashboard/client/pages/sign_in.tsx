/** The sign-in page. Takes a one-time link, or a password if the service accepts one. */

import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { useMutation } from "../hooks.ts";
import { TextField } from "../parts/forms/fields.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";

interface SignInProps {
  /** Whether the service accepts a password. */
  readonly password: boolean;
  /** Token from the sign-in link the page was opened with, or null. */
  readonly token: string | null;
  readonly onSignedIn: () => void;
}

export function SignIn({ password, token, onSignedIn }: SignInProps) {
  const [typed, setTyped] = useState("");
  const [link, setLink] = useState("");
  const signIn = useMutation(async (body: unknown) => {
    await call("POST", "/session", { body });
    onSignedIn();
  });
  useEffect(() => {
    document.title = "Sign in · Commonplace";
    if (token !== null) signIn.run({ token });
  }, [token]);
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <img src="/dashboard/assets/icon.svg" alt="" width="40" height="40" />
        <h1>Commonplace</h1>
        {signIn.running ? <p class="muted" role="status">Signing in…</p> : (
          <>
            <ErrorMessage failure={signIn.failure} />
            {password && (
              <form
                class="form"
                onSubmit={(event) => {
                  event.preventDefault();
                  signIn.run({ password: typed });
                }}
              >
                <TextField
                  label="Password"
                  type="password"
                  value={typed}
                  onChange={setTyped}
                  autoComplete="current-password"
                  autoFocus
                  required
                />
                <button type="submit" class="button primary block">Sign in</button>
              </form>
            )}
            <form
              class="form"
              onSubmit={(event) => {
                event.preventDefault();
                signIn.run({ token: link.trim().replace(/^.*#signin=/, "") });
              }}
            >
              <TextField
                label="Sign-in link"
                value={link}
                onChange={setLink}
                placeholder="https://…/#signin=…"
                required
              />
              <button type="submit" class={password ? "button block" : "button primary block"}>
                Use the link
              </button>
            </form>
            <p class="muted">
              Open a sign-in link, or paste it here. To get one, run this command on the machine
              that runs the service. The link works once, within 30 minutes.
            </p>
            <pre class="command" tabIndex={0}><code>commonplace dashboard</code></pre>
            <p class="hint">
              In a clone, the command is <code>deno task commonplace dashboard</code>.
            </p>
          </>
        )}
      </div>
    </main>
  );
}
