/**
 * Runs one of a task's scripts. The first argument names the script; the rest are passed on to it.
 */

/**
 * Runs a script from a folder in a separate process and returns its exit code.
 *
 * @param folder URL that ends with a slash
 * @param names script names; the first one is the default
 */
export async function runScript(folder: URL, names: readonly string[]): Promise<number> {
  const [first = "", ...rest] = Deno.args;
  const isNamed = names.includes(first);
  const script = new URL(`${isNamed ? first : names[0]}.ts`, folder);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", script.pathname, ...(isNamed ? rest : Deno.args)],
  }).spawn();
  return (await child.status).code;
}
