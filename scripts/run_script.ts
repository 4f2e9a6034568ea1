/** One task for several scripts: the first word names the script, the rest goes to it. */

/**
 * Runs a script of a folder in a process of its own and answers its exit code.
 *
 * @param folder a URL with a slash at its end
 * @param names the scripts that may be named; the first one is meant when none is
 */
export async function runScript(folder: URL, names: readonly string[]): Promise<number> {
  const [first = "", ...rest] = Deno.args;
  const named = names.includes(first);
  const script = new URL(`${named ? first : names[0]}.ts`, folder);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", script.pathname, ...(named ? rest : Deno.args)],
  }).spawn();
  return (await child.status).code;
}
