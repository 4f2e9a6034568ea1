/** Namespaces for tests that need a network or a disk of their own. */

/** Checks whether a command can run in its own network or mount namespace. */
export function isolates(kind: "-n" | "-m"): boolean {
  const command = kind === "-n" ? "ip link set lo up" : "mount -t tmpfs small /tmp";
  try {
    const args = ["-r", kind, "sh", "-c", command];
    return new Deno.Command("unshare", { args }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
