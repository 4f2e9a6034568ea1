import { factsOf } from "/work/wt-inference/src/inference/builtin/engine.ts";
import { WORDINGS } from "/work/wt-inference/tests/inference/wordings.ts";
import { comparable } from "/work/wt-inference/src/inference/vocabulary.ts";
let ok = 0, want = 0, bad = 0, nothing = 0, nOk = 0;
const date = "2026-03-18T09:00:00.000Z";
const verbose = Deno.args.includes("-v");
for (const w of WORDINGS) {
  const facts = factsOf({
    messages: [{ role: "user", content: w.said }],
    eventDate: date,
    requestTime: date,
  });
  const got = facts.flatMap((f) =>
    f.claims.map((c) =>
      `${c.subject === "user" ? "" : c.subject + "."}${c.attribute}${
        c.op === "end" ? "!=" : "="
      }${c.value}`
    )
  );
  const miss: string[] = [];
  for (const c of w.claims ?? []) {
    want++;
    const [k, v] = c.split(/(?<==)/) as [string, string];
    const hit = v.split("|").some((x) =>
      got.some((g) => {
        const gi = g.indexOf("=") + 1;
        return g.slice(0, gi) === k &&
          (comparable(g.slice(gi)) === comparable(x) ||
            comparable(g.slice(gi)).split(" ").length - comparable(x).split(" ").length <= 2 &&
              comparable(x).split(" ").every((t) =>
                comparable(g.slice(gi)).split(" ").includes(t)
              ));
      })
    );
    if (hit) ok++;
    else miss.push(c);
  }
  for (const n of w.never ?? []) {
    if (got.includes(n)) {
      bad++;
      miss.push("!never " + n);
    }
  }
  if (w.nothing) {
    nothing++;
    if (!facts.length) nOk++;
    else miss.push("should be nothing");
  }
  if (verbose && miss.length) {
    console.log(
      w.said,
      "\n   miss",
      miss,
      "\n   got",
      got,
      facts.map((f) => f.memory),
    );
  }
}
console.log({ want, ok, bad, nothing, nOk });
