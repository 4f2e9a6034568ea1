/** LaTeX commands for the characters, accents and functions in formulas. */

const COMMANDS: Readonly<Record<string, string>> = {
  "∑": "sum",
  "∏": "prod",
  "∐": "coprod",
  "∫": "int",
  "∬": "iint",
  "∭": "iiint",
  "∮": "oint",
  "∯": "oiint",
  "∰": "oiiint",
  "⋃": "bigcup",
  "⋂": "bigcap",
  "⋀": "bigwedge",
  "⋁": "bigvee",
  "⨁": "bigoplus",
  "⨂": "bigotimes",
  "⨀": "bigodot",
  "∪": "cup",
  "∩": "cap",
  "∧": "wedge",
  "∨": "vee",
  "¬": "neg",
  "⊕": "oplus",
  "⊗": "otimes",
  "∞": "infty",
  "±": "pm",
  "∓": "mp",
  "×": "times",
  "÷": "div",
  "⋅": "cdot",
  "∘": "circ",
  "∗": "ast",
  "≤": "leq",
  "≥": "geq",
  "≠": "neq",
  "≈": "approx",
  "≡": "equiv",
  "∼": "sim",
  "≅": "cong",
  "∝": "propto",
  "≪": "ll",
  "≫": "gg",
  "→": "to",
  "←": "leftarrow",
  "↔": "leftrightarrow",
  "⇒": "Rightarrow",
  "⇐": "Leftarrow",
  "⇔": "Leftrightarrow",
  "↦": "mapsto",
  "∈": "in",
  "∉": "notin",
  "∋": "ni",
  "⊂": "subset",
  "⊃": "supset",
  "⊆": "subseteq",
  "⊇": "supseteq",
  "∅": "emptyset",
  "∀": "forall",
  "∃": "exists",
  "∂": "partial",
  "∇": "nabla",
  "∠": "angle",
  "⊥": "perp",
  "∥": "parallel",
  "⟨": "langle",
  "⟩": "rangle",
  "‖": "Vert",
  "⌊": "lfloor",
  "⌋": "rfloor",
  "⌈": "lceil",
  "⌉": "rceil",
  "…": "ldots",
  "⋯": "cdots",
  "⋮": "vdots",
  "⋱": "ddots",
  "ℏ": "hbar",
  "ℓ": "ell",
  "α": "alpha",
  "β": "beta",
  "γ": "gamma",
  "δ": "delta",
  "ε": "epsilon",
  "ϵ": "epsilon",
  "ζ": "zeta",
  "η": "eta",
  "θ": "theta",
  "ϑ": "vartheta",
  "ι": "iota",
  "κ": "kappa",
  "λ": "lambda",
  "μ": "mu",
  "ν": "nu",
  "ξ": "xi",
  "π": "pi",
  "ρ": "rho",
  "σ": "sigma",
  "ς": "varsigma",
  "τ": "tau",
  "υ": "upsilon",
  "φ": "phi",
  "ϕ": "phi",
  "χ": "chi",
  "ψ": "psi",
  "ω": "omega",
  "Γ": "Gamma",
  "Δ": "Delta",
  "Θ": "Theta",
  "Λ": "Lambda",
  "Ξ": "Xi",
  "Π": "Pi",
  "Σ": "Sigma",
  "Υ": "Upsilon",
  "Φ": "Phi",
  "Ψ": "Psi",
  "Ω": "Omega",
};

/** Accents over a letter, keyed by combining character. */
export const ACCENTS: Readonly<Record<string, string>> = {
  "\u0302": "\\hat",
  "\u0303": "\\tilde",
  "\u0304": "\\bar",
  "\u0305": "\\overline",
  "\u0307": "\\dot",
  "\u0308": "\\ddot",
  "\u20d7": "\\vec",
};

/** Functions LaTeX sets upright with a command, e.g. `\sin`. */
const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|log|ln|lg|lim|exp|max|min|sup|inf|det|dim|gcd|ker|sinh|cosh|tanh|arg)(?![A-Za-z])/;

/** Returns a formula's text, with special characters replaced by LaTeX commands. */
export function replaceSymbols(text: string): string {
  return text.replace(/\P{ASCII}/gu, (char) => {
    const command = COMMANDS[char];
    if (command !== undefined) return `\\${command} `;
    if (char === "′") return "'";
    return char === "–" || char === "−" ? "-" : char;
  });
}

/**
 * Returns the command for a function name at the start of `name`, keeping the rest, e.g. limits.
 */
export function functionCommand(name: string): string {
  if (FUNCTIONS.test(name)) return `\\${name}`;
  return name.replace(/^[A-Za-z]{2,}/, (word) => `\\operatorname{${word}}`);
}
