/** Software by category, for the attribute of "I use X": an editor, a database or just a tool. */

import { lines } from "./lines.ts";

const TOOLS: ReadonlyArray<readonly [string, string]> = [
  [
    "editor",
    "helix|vim|neovim|nvim|emacs|doom emacs|spacemacs|vs ?code|visual studio code|visual studio|vscodium|zed|sublime text|sublime|" +
    "intellij(?: idea)?|pycharm|webstorm|goland|rubymine|clion|rider|phpstorm|android studio|xcode|kakoune|nano|micro|atom|notepad\\+\\+|cursor|" +
    "eclipse|netbeans|textmate|bbedit|kate|rstudio|lapce",
  ],
  [
    "os",
    "(?:arch|kali|gentoo|void|alpine|mint|artix) ?linux|linux mint|arch|linux|ubuntu(?: [\\d.]+)?|debian(?: [\\w.]+)?|fedora(?: \\w+)?|nixos|gentoo|opensuse(?: \\w+)?|manjaro|pop!?_?os|" +
    "elementary os|rocky linux|red hat|rhel|centos|freebsd|openbsd|netbsd|macos(?: \\w+)?|mac os|os x|windows(?: \\d+| xp)?|chromeos|" +
    "android|ios|ipados|grapheneos|lineageos|endeavouros|zorin os|bazzite|kubuntu|xubuntu|guix|tails|qubes(?: os)?|haiku|asahi linux",
  ],
  [
    "browser",
    "firefox|chrome|google chrome|chromium|safari|brave|vivaldi|opera|edge|microsoft edge|librewolf|tor browser|arc browser|arc|qutebrowser|zen browser|duckduckgo browser|waterfox|ladybird",
  ],
  [
    "shell",
    "bash|zsh|fish|fish shell|nushell|powershell|tcsh|ksh|xonsh|elvish|oh my zsh|oil shell",
  ],
  [
    "programming_language",
    "rust|python|typescript|javascript|go|golang|java|kotlin|swift|c\\+\\+|c#|c|ruby|php|perl|haskell|ocaml|elixir|erlang|clojure|scala|" +
    "lua|julia|r|dart|zig|nim|f#|fortran|cobol|lisp|common lisp|scheme|racket|matlab|sql|objective-c|assembly|crystal|gleam|elm|" +
    "purescript|prolog|ada|pascal|delphi|visual basic|groovy|solidity|bash scripts|d|v|odin|mojo",
  ],
  [
    "framework",
    "django|flask|fastapi|rails|ruby on rails|laravel|symfony|spring(?: boot)?|react(?: native)?|vue(?:\\.?js)?|angular|svelte(?:kit)?|next\\.?js|" +
    "nuxt|remix|astro|solid(?:js)?|express|nest\\.?js|hono|fresh|phoenix|actix|axum|rocket|asp\\.net|\\.net|blazor|flutter|jquery|" +
    "tailwind|bootstrap|pytorch|tensorflow|keras|qt|gtk|electron|tauri|unity|unreal(?: engine)?|godot|bevy|ember|preact|htmx|gin|fiber|ktor|quarkus|micronaut|sinatra|expo|deno fresh|livewire|alpine\\.?js|drizzle|prisma|jax|streamlit",
  ],
  [
    "database",
    "postgres(?:ql)?|mysql|mariadb|sqlite|mongodb|mongo|redis|valkey|cassandra|scylladb|cockroachdb|dynamodb|neo4j|elasticsearch|opensearch|" +
    "clickhouse|duckdb|oracle(?: db| database)?|sql server|ms sql|mssql|firestore|firebase|supabase|couchdb|influxdb|timescaledb|" +
    "bigquery|snowflake|redshift|turso|libsql|planetscale|qdrant|weaviate|milvus|pinecone|memcached|tidb|surrealdb|rethinkdb|db2",
  ],
  // Services and tools that have no slot of their own.
  [
    "uses",
    lines`
      notion|obsidian|slack|trello|jira|confluence|asana|linear|figma|sketch|docker|podman|
      kubernetes|k8s|terraform|ansible|pulumi|jenkins|github(?: actions| copilot)?|gitlab|
      bitbucket|1password|bitwarden|keepass(?:xc)?|lastpass|dropbox|nextcloud|google (?:docs|
      drive|calendar|sheets|maps)|zoom|microsoft teams|discord|telegram|whatsapp|todoist|
      evernote|anki|zotero|latex|excel|power ?bi|photoshop|lightroom|illustrator|blender|gimp|
      inkscape|davinci resolve|ableton(?: live)?|logic pro|spotify|netflix|chatgpt|claude|
      copilot|airtable|webflow|wordpress|shopify|salesforce|hubspot|grafana|prometheus|
      datadog|sentry|kafka|rabbitmq|nginx|caddy|vercel|netlify|cloudflare|heroku|aws|azure|
      gcp|hetzner|digitalocean|fly\.io|tmux|alacritty|kitty|ghostty|wezterm|iterm2?|homebrew|
      nix|jupyter|pandas|dbt|airflow|spark|vite|webpack
    `,
  ],
];
const MATCHERS = TOOLS.map(([attribute, names]) =>
  [attribute, new RegExp(`^(?:${names})$`, "i")] as const
);

/** Returns the attribute of a product (`editor`, `database` …), or null if it isn't listed. */
export function toolAttribute(product: string): string | null {
  const bare = product.trim().replace(/\s+(?:database|browser|editor|shell|framework)$/i, "");
  for (const [attribute, matcher] of MATCHERS) if (matcher.test(bare)) return attribute;
  return null;
}
