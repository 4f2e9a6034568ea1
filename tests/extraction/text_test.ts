/** Tests for reading text formats: encodings, data, HTML and e-mail. */
import assert from "node:assert/strict";
import { decodeText } from "../../src/extraction/encoding.ts";
import { markdownOf, read } from "../../testing/extraction_fixtures.ts";

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

Deno.test("decodeText() uses the byte order mark, then the declared charset, then UTF-8, then detection", () => {
  assert.equal(decodeText(bytes("\xff\xfeh\0i\0")), "hi");
  assert.equal(decodeText(bytes("\xcf\xf0"), "windows-1251"), "Пр");
  assert.equal(decodeText(new TextEncoder().encode("grüße")), "grüße");
  assert.equal(decodeText(bytes("gr\xfc\xdfe")), "grüße");
  assert.equal(
    decodeText(bytes("\xcf\xf0\xe8\xe2\xe5\xf2 \xe2\xf1\xe5\xec \xeb\xfe\xe4\xff\xec")),
    "Привет всем людям",
  );
});

Deno.test("decodeText() detects UTF-16 without a byte order mark in Latin and East Asian scripts", () => {
  const utf16 = (text: string) =>
    new Uint8Array(Uint16Array.from(text, (char) => char.charCodeAt(0)).buffer);
  const swapped = (text: string) =>
    utf16(text).map((_, at, all) => all[at % 2 === 0 ? at + 1 : at - 1]!);
  for (const text of ["Name;Größe\nLampe;12\n", "名前,場所\n灯台,北\n", "이름\n등대지기\n"]) {
    assert.equal(decodeText(utf16(text)), text);
    assert.equal(decodeText(swapped(text)), text);
  }
});

Deno.test("decodeText() reads UTF-32 if it has a byte order mark or is declared", () => {
  const little = (text: string) =>
    new Uint8Array(Uint32Array.from(text, (char) => char.codePointAt(0)!).buffer);
  const big = (text: string) => little(text).map((_, at, all) => all[at - at % 4 + 3 - at % 4]!);
  assert.equal(decodeText(little("\ufeffGrüße 🌊\n")), "Grüße 🌊\n");
  assert.equal(decodeText(big("\ufeffGrüße 🌊\n")), "Grüße 🌊\n");
  assert.equal(decodeText(little("Grüße"), "UTF-32LE"), "Grüße");
  assert.equal(decodeText(big("Grüße"), "utf-32"), "Grüße");
  assert.throws(() => decodeText(little("\ufeffab").slice(0, 11)), { code: "DOCUMENT_CORRUPT" });
});

Deno.test("decodeText() distinguishes encodings that share bytes by the text that they produce", () => {
  const written: readonly (readonly [string, string])[] = [
    ["\xbe\xc8\xb3\xe7\xc7\xcf\xbc\xbc\xbf\xe4 \xbc\xbc\xb0\xe8", "안녕하세요 세계"],
    ["\xa4\xb3\xa4\xf3\xa4\xcb\xa4\xc1\xa4\xcf\xc0\xa4\xb3\xa6", "こんにちは世界"],
    ["\xf0\xd2\xc9\xd7\xc5\xd4 \xd7\xd3\xc5\xcd \xcc\xc0\xc4\xd1\xcd", "Привет всем людям"],
    ["\xca\xe1\xeb\xe7\xec\xdd\xf1\xe1 \xea\xfc\xf3\xec\xe5", "Καλημέρα κόσμε"],
  ];
  for (const [encoded, text] of written) assert.equal(decodeText(bytes(encoded)), text);
});

Deno.test("decodeText() throws DOCUMENT_CORRUPT for bytes that aren't text in any encoding", () => {
  assert.throws(() => decodeText(bytes("a\0b")), { code: "DOCUMENT_CORRUPT" });
  assert.throws(() => decodeText(bytes("caf\xe9\0 au lait")), { code: "DOCUMENT_CORRUPT" });
  assert.throws(() => decodeText(bytes("\x01\x02\x03\x04\x05\x06\x07")), {
    code: "DOCUMENT_CORRUPT",
  });
});

Deno.test("decodeText() reads UTF-8 with a damaged byte as UTF-8", () => {
  const cut = new TextEncoder().encode(
    "Größe und Gewöhnung, früher überall üblich, wären schön für ähnliche Öfen.\n€",
  ).slice(0, -1);
  assert.match(decodeText(cut), /^Größe und .* Öfen\.\n\ufffd$/);
  assert.equal(decodeText(bytes("\u00c3\u00bc f\xfcr gr\xfc\xdfe")), "Ã¼ für grüße");
});

Deno.test("readXml() and readHtml() ignore a declaration of UTF-16 in a file that isn't", async () => {
  const xml = '<?xml version="1.0" encoding="utf-16"?>\n<a>Größe</a>';
  assert.equal(await markdownOf(xml, "application/xml"), `\`\`\`xml\n${xml}\n\`\`\``);
  const page = '<meta charset="unicode"><p>Größe</p>';
  assert.equal(await markdownOf(page, "text/html"), "Größe");
});

Deno.test("decodeText() ignores a declared charset that doesn't exist", () => {
  assert.equal(decodeText(new TextEncoder().encode("€"), "no-such-charset"), "€");
});

Deno.test("readCsv() detects the delimiter and keeps it in quoted fields", async () => {
  assert.equal(
    await markdownOf('a;b\n"x;y";"say ""hi"""\n', "text/csv"),
    '| a | b |\n| --- | --- |\n| x;y | say "hi" |',
  );
});

Deno.test("readCsv() detects the delimiter next to commas in numbers and colons in times", async () => {
  assert.equal(
    await markdownOf("1,5;2,5;3,5\n4,5;5,5;6,5\n", "text/csv"),
    "| 1,5 | 2,5 | 3,5 |\n| --- | --- | --- |\n| 4,5 | 5,5 | 6,5 |",
  );
  assert.equal(
    await markdownOf("12:30:00,a\n13:45:10,b\n", "text/csv"),
    "| 12:30:00 | a |\n| --- | --- |\n| 13:45:10 | b |",
  );
  assert.equal(await markdownOf("12:30\n13:45\n", "text/csv"), "| 12:30 |\n| --- |\n| 13:45 |");
  assert.equal(await markdownOf("a:b\n1:2\n", "text/csv"), "| a | b |\n| --- | --- |\n| 1 | 2 |");
  assert.equal(
    await markdownOf("1:100\n2:250\n", "text/csv"),
    "| 1 | 100 |\n| --- | --- |\n| 2 | 250 |",
  );
  assert.match(await markdownOf("a:tcp://b\nc:tcp://d\n", "text/csv"), /^\| a:tcp/);
});

Deno.test("readCsv() picks one of two delimiters that split the lines equally evenly", async () => {
  const files: readonly (readonly [string, string, string])[] = [
    ["7,Lamp/5 (X11; Linux)\n", "7", "Lamp/5 (X11; Linux)"],
    ["7,oil;wick\n", "7", "oil;wick"],
    ["7,oil|wick\n", "7", "oil\\|wick"],
    ["Gray, Ida;Skerry\n", "Gray, Ida", "Skerry"],
    ["oil;1,50 €\n", "oil", "1,50 €"],
    ["oil, wick\t7\n", "oil, wick", "7"],
  ];
  for (const [line, first, second] of files) {
    const row = `| ${first} | ${second} |`;
    assert.equal(
      await markdownOf(line.repeat(2), "text/csv"),
      `${row}\n| --- | --- |\n${row}`,
    );
  }
});

Deno.test("readJson(), readYaml() and readXml() return code and reject invalid files", async () => {
  assert.equal(await markdownOf('{"a": 1}', "application/json"), '```json\n{"a": 1}\n```');
  assert.equal(
    await markdownOf('{"a":1}\n{"a":2}', "application/json"),
    '```json\n{"a":1}\n{"a":2}\n```',
  );
  assert.equal(await markdownOf("a: 1", "application/yaml"), "```yaml\na: 1\n```");
  assert.equal(await markdownOf("<a/>", "application/xml"), "```xml\n<a/>\n```");
  await assert.rejects(read("{a", "application/json"), { code: "DOCUMENT_CORRUPT" });
  await assert.rejects(read("<a>", "text/xml"), { code: "DOCUMENT_CORRUPT" });
});

Deno.test("extract() throws EXTRACTED_DOCUMENT_EMPTY for a file that contains only whitespace", async () => {
  await assert.rejects(read(" \n ", "text/plain"), {
    code: "EXTRACTED_DOCUMENT_EMPTY",
    retryable: false,
  });
});

Deno.test("readHtml() reads visible text with lists, tables, links and code", async () => {
  const page = `<!doctype html><title>t</title><style>x{}</style><script>1</script>
    <h2>Head</h2><p>See <a href="/a">here</a> and <code>x</code>.</p><p style="display:none">no</p>
    <ol><li>one<ul><li>deep</li></ul></li><li>two</li></ol>
    <table><tr><th colspan=2>h</th></tr><tr><td>a</td><td>b</td></tr></table>
    <pre><code class="language-ts">let a;\n  b;</code></pre>`;
  assert.equal(
    await markdownOf(page, "text/html"),
    "## Head\n\nSee [here](/a) and `x`.\n\n1. one\n    - deep\n2. two\n\n| h | h |\n| --- | --- |\n| a | b |\n\n```ts\nlet a;\n  b;\n```",
  );
});

Deno.test("readHtml() keeps the words of a link that also contains an image", async () => {
  assert.equal(
    await markdownOf(
      '<p>See <a href="https://a.example/"><img alt="map"> the way</a></p>',
      "text/html",
    ),
    "See\n\n![map]()\n\n[the way](https://a.example/)",
  );
});

Deno.test("readHtml() reads tables that only place parts of a page as text", async () => {
  const data = "<table><tr><td>Lamp</td><td>12</td></tr><tr><td>Oil</td><td>3</td></tr></table>";
  const dataMarkdown = "| Lamp | 12 |\n| --- | --- |\n| Oil | 3 |";
  const column = `<table><tr><td><h1>News</h1></td></tr><tr><td>${data}</td></tr></table>`;
  assert.equal(await markdownOf(column, "text/html"), `# News\n\n${dataMarkdown}`);
  const page = `<table><tr><td>Home</td><td>Log</td></tr><tr><td colspan=2><h2>Lamps</h2>` +
    `<p>All lit.</p></td></tr></table>`;
  assert.equal(await markdownOf(page, "text/html"), "Home\n\nLog\n\n## Lamps\n\nAll lit.");
  const placed = `<table role="presentation"><tr><td>Left</td><td>Right</td></tr></table>`;
  assert.equal(await markdownOf(placed, "text/html"), "Left\n\nRight");
  assert.equal(await markdownOf(data, "text/html"), dataMarkdown);
  const row = (cell: string) => `<tr><td>Oil</td><td>${cell}</td></tr>`;
  const rich = row("<p>a</p><p>b</p><p>c</p><p>d</p>") + row("1").repeat(3);
  assert.match(await markdownOf(`<table>${rich}</table>`, "text/html"), /\| Oil \| 1 \|$/);
  const items = row("<ul><li>a</li><li>b</li><li>c</li><li>d</li></ul>");
  assert.match(await markdownOf(`<table>${items}</table>`, "text/html"), /^\| Oil \|/);
  const head = `<table><thead><tr><td>Oil</td><td><h2>Use</h2></td></tr></thead>${
    row("1")
  }</table>`;
  assert.match(await markdownOf(head, "text/html"), /^\| Oil \| Use \|/);
  const names = "<table><tr><th>Name</th></tr><tr><td>Ada</td></tr></table>";
  assert.equal(await markdownOf(names, "text/html"), "| Name |\n| --- |\n| Ada |");
});

Deno.test("readEmail() reads people, the subject, the HTML part and the names of attachments", async () => {
  const mail = [
    "From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>",
    "To: a@example.org",
    "Subject: Report",
    "Content-Type: multipart/mixed; boundary=m",
    "",
    "--m",
    "Content-Type: multipart/alternative; boundary=a",
    "",
    "--a",
    "Content-Type: text/plain",
    "",
    "plain",
    "--a",
    "Content-Type: text/html; charset=iso-8859-1",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "<p>Gr=FC=DFe</p>",
    "--a--",
    "--m",
    'Content-Type: application/pdf; name="r.pdf"',
    'Content-Disposition: attachment; filename="r.pdf"',
    "",
    "xx",
    "--m--",
  ].join("\r\n");
  const markdown = await markdownOf(mail, "message/rfc822");
  assert.match(
    markdown,
    /^# Report\n\n\*\*From:\*\* Jürgen \(j@example\.org\) {2}\n\*\*To:\*\* a@example\.org/,
  );
  assert.match(
    markdown,
    /\n\nGrüße\n\n\*\*Attachments:\*\*\n\n- r\.pdf \(application\/pdf, \d+ bytes\)$/,
  );
});
