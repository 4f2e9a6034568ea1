/** How much memory a process holds, as the system counts it. */

const PAGE_BYTES = 4_096;

/**
 * Resident bytes of process `pid`, or undefined when it has ended or the system doesn't say.
 * V8's own limits do not bound WebAssembly memory, so this is what the runner watches.
 */
export async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    const fields = (await Deno.readTextFile(`/proc/${pid}/statm`)).split(" ");
    const pages = Number(fields[1]);
    return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return await fromPs(pid);
    throw error;
  }
}

/** Systems without /proc. `ps` counts in kilobytes. */
async function fromPs(pid: number): Promise<number | undefined> {
  if (Deno.build.os === "linux" || Deno.build.os === "windows") return undefined;
  const command = new Deno.Command("ps", {
    args: ["-o", "rss=", "-p", String(pid)],
    stderr: "null",
  });
  const { stdout } = await command.output();
  const kilobytes = Number(new TextDecoder().decode(stdout).trim());
  return kilobytes > 0 ? kilobytes * 1_024 : undefined;
}
