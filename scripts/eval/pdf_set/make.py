"""Makes a set of PDFs with known structure, from several programs.

    python3 make.py OUT [--count N]

Each document is made up from a seed: an even seed is for development, an odd one is held out. The
truth is written as Markdown next to each PDF. Needs chromium, pandoc, xelatex or pdflatex,
libreoffice, and the PyPI packages weasyprint, typst, reportlab and pypdf; what is missing is skipped and
named.
"""
import argparse
import html
import os
import random
import shutil
import subprocess
import tempfile

NOUNS = "harbour orchard ledger bridge survey kiln meadow archive turbine parish quarry ferry loom granary beacon cistern depot viaduct nursery foundry".split()
PLACES = "Aldwick Bremsund Carrow Dunmere Eskhaven Farholt Grenby Holme Ilford Jarrow Kelby Lund Marsden Norby".split()
VERBS = "was rebuilt|was measured|had been closed|is maintained|will be replaced|was inspected|remains open|was extended".split("|")
TAILS = [
    "after the second winter storm",
    "with funds from three neighbouring councils",
    "although the original drawings were never found",
    "because the older timber had begun to rot",
    "before the season of the spring tides",
    "in spite of a shortage of experienced masons",
    "while the road to the north stayed impassable",
    "so that heavier vehicles could cross without a permit",
]
OPENERS = ["In", "Near", "Across", "Around", "Outside", "Beyond"]
HEADS = "Background|Scope and purpose|Method of survey|Materials|Results by district|Costs and funding|Risks|Next steps|Recommendations|Terms and definitions|History|Maintenance plan|Findings|Discussion|Summary of evidence|Governance|Public consultation|Water levels|Traffic counts|Annual figures".split("|")


class Doc:
    """A document as a list of blocks: ("h", level, text), ("p", text), ("ul", items), ("ol", items),
    ("table", rows), ("caption", text), ("quote", text). Items are (level, text)."""

    def __init__(self, seed):
        self.random = random.Random(seed * 7919 + 17)
        self.blocks = []
        self.title = f"The {self.noun().title()} of {self.place()}: {self.pick(['A Report', 'An Assessment', 'Annual Review', 'Field Notes'])}"

    def pick(self, values):
        return self.random.choice(values)

    def noun(self):
        return self.pick(NOUNS)

    def place(self):
        return self.pick(PLACES)

    def sentence(self):
        r = self.random
        start = f"The {self.noun()}" if r.random() < 0.6 else f"{self.pick(OPENERS)} {self.place()} the {self.noun()}"
        number = f" and {r.randint(12, 990)} metres of wall" if r.random() < 0.25 else ""
        return f"{start}{number} {self.pick(VERBS)} {self.pick(TAILS)}."

    def paragraph(self, least=2, most=6):
        return " ".join(self.sentence() for _ in range(self.random.randint(least, most)))

    def phrase(self):
        return f"{self.pick(['Repair', 'Survey', 'Closure', 'Extension', 'Review', 'Removal'])} of the {self.noun()} {self.pick(['in', 'near', 'east of'])} {self.place()}"

    def items(self, nested):
        out = []
        for _ in range(self.random.randint(3, 5)):
            text = self.phrase() if self.random.random() < 0.6 else self.sentence() + " " + self.sentence()
            out.append((0, text))
            if nested and self.random.random() < 0.5:
                out += [(1, self.phrase()) for _ in range(self.random.randint(2, 3))]
        return out

    def table(self):
        r = self.random
        columns = r.randint(3, 5)
        heads = ["District"] + r.sample(["Length", "Cost in 2024", "Cost in 2025", "Inspections", "Condition", "Share"], columns - 1)
        rows = [heads]
        for place in r.sample(PLACES, r.randint(3, 8)):
            row = [place]
            for head in heads[1:]:
                row.append(
                    self.pick(["good", "fair", "in need of repair", "poor"]) if head == "Condition" else
                    f"{r.randint(1, 99)} %" if head == "Share" else
                    f"{r.randint(1, 9999):,}")
            rows.append(row)
        return rows


def report(seed):
    doc = Doc(seed)
    r = doc.random
    numbered = r.random() < 0.4
    doc.blocks.append(("h", 1, doc.title))
    if r.random() < 0.6:
        doc.blocks.append(("p", doc.paragraph(1, 2)))
    heads = r.sample(HEADS, r.randint(4, 7))
    for index, head in enumerate(heads, 1):
        doc.blocks.append(("h", 2, f"{index}. {head}" if numbered else head))
        doc.blocks.append(("p", doc.paragraph()))
        for part in range(r.randint(0, 2)):
            if r.random() < 0.35:
                name = f"{doc.noun().title()} {doc.pick(['works', 'records', 'use', 'levels'])}"
                doc.blocks.append(("h", 3, f"{index}.{part + 1} {name}" if numbered else name))
            doc.blocks.append(("p", doc.paragraph()))
        kind = r.random()
        if kind < 0.3:
            doc.blocks.append(("p", "The following points were agreed:"))
            doc.blocks.append(("ul", doc.items(nested=r.random() < 0.5)))
        elif kind < 0.45:
            doc.blocks.append(("ol", [(0, text) for _, text in doc.items(False)]))
        elif kind < 0.75:
            doc.blocks.append(("caption", f"Table {index}. {doc.phrase()}"))
            doc.blocks.append(("table", doc.table()))
            doc.blocks.append(("p", doc.paragraph(1, 3)))
    return doc


def brochure(seed):
    """A newsletter: long headings, pull quotes, an address, contents, spanning headers."""
    doc = Doc(seed)
    r = doc.random
    doc.blocks.append(("h", 1, doc.title))
    heads = [f"{head} of the {doc.noun()} and the {doc.noun()} {doc.pick(['in', 'near', 'above'])} {doc.place()}" if r.random() < 0.5 else head for head in r.sample(HEADS, r.randint(4, 6))]
    if r.random() < 0.5:
        doc.blocks.append(("h", 2, "Contents"))
        doc.blocks.append(("toc", [(head, r.randint(1, 9)) for head in heads]))
    for head in heads:
        doc.blocks.append(("h", 2, head))
        doc.blocks.append(("p", doc.paragraph(3, 7)))
        kind = r.random()
        if kind < 0.3:
            doc.blocks.append(("quote", doc.sentence()))
        elif kind < 0.45:
            doc.blocks.append(("address", [f"{doc.place()} Harbour Office", f"{r.randint(1, 90)} {doc.noun().title()} Street", f"{r.randint(1000, 9999)} {doc.place()}"]))
        elif kind < 0.75:
            doc.blocks.append(("ul", doc.items(nested=True)))
        elif kind < 0.9:
            doc.blocks.append(("table", doc.table()))
        doc.blocks.append(("p", doc.paragraph(2, 5)))
    return doc


JAPANESE = ["港の古い灯台は嵐のあとに修理された。", "果樹園の記録は町の文書館に残されている。", "橋の長さは三百二十メートルである。", "春の大潮の前に測量が行われる予定だ。", "新しい道路は北の村まで延びた。", "石工が足りないため工事は遅れている。"]


def japanese(seed):
    doc = Doc(seed)
    r = doc.random
    text = lambda: "".join(r.sample(JAPANESE, r.randint(2, 5)))
    doc.blocks.append(("h", 1, "港と果樹園の報告"))
    for head in r.sample(["測量の方法", "費用と資金", "歴史", "今後の計画", "まとめ"], 3):
        doc.blocks += [("h", 2, head), ("p", text()), ("p", text())]
    return doc


def markdown(doc):
    out = []
    for kind, *rest in doc.blocks:
        if kind == "h":
            out.append("#" * rest[0] + " " + rest[1])
        elif kind in ("p", "caption", "quote"):
            out.append(rest[0])
        elif kind == "toc":
            out.append("\n\n".join(f"{head} {page}" for head, page in rest[0]))
        elif kind == "address":
            out.append("\n\n".join(rest[0]))
        elif kind == "ul":
            out.append("\n".join("    " * level + "- " + text for level, text in rest[0]))
        elif kind == "ol":
            out.append("\n".join(f"{n}. {text}" for n, (_, text) in enumerate(rest[0], 1)))
        elif kind == "table":
            rows = rest[0]
            lines = ["| " + " | ".join(row) + " |" for row in rows]
            lines.insert(1, "|" + " --- |" * len(rows[0]))
            out.append("\n".join(lines))
    return "\n\n".join(out) + "\n"


def as_html(doc, css, running=""):
    out = []
    for kind, *rest in doc.blocks:
        if kind == "h":
            out.append(f"<h{rest[0]}>{html.escape(rest[1])}</h{rest[0]}>")
        elif kind == "ul":
            level, parts = -1, []
            for depth, text in rest[0]:
                while level < depth:
                    parts.append("<ul>")
                    level += 1
                while level > depth:
                    parts.append("</li></ul>")
                    level -= 1
                parts.append(f"<li>{html.escape(text)}")
            parts.append("</li></ul>" * (level + 1))
            out.append("".join(parts))
        elif kind == "toc":
            out += [f'<p class=toc><span>{html.escape(head)}</span><span class=dots>{". " * 200}</span><span>{page}</span></p>' for head, page in rest[0]]
        elif kind == "address":
            out.append("<address>" + "".join(f"<div>{html.escape(line)}</div>" for line in rest[0]) + "</address>")
        elif kind == "ol":
            out.append("<ol>" + "".join(f"<li>{html.escape(text)}</li>" for _, text in rest[0]) + "</ol>")
        elif kind == "table":
            head, *rows = rest[0]
            out.append("<table><thead><tr>" + "".join(f"<th>{html.escape(c)}</th>" for c in head) + "</tr></thead><tbody>" +
                       "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in rows) + "</tbody></table>")
        else:
            out.append(f'<p class="{kind}">{html.escape(rest[0])}</p>')
    return f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(doc.title)}</title><style>{css}</style>{running}<main>{''.join(out)}</main></html>"


BASE = "@page{size:A4;margin:22mm 20mm 24mm}body{font:10.5pt/1.4 'DejaVu Serif';margin:0}h1{font-size:20pt}h2{font-size:14pt}h3{font-size:11.5pt}td,th{padding:2pt 6pt;text-align:left}"
STYLES = {
    # name: css
    "plain": BASE + "table{border-collapse:collapse}td,th{border:.6pt solid #444}",
    "rules": BASE + "table{border-collapse:collapse;border-top:1pt solid;border-bottom:1pt solid}thead th{border-bottom:.6pt solid}p{text-align:justify;hyphens:auto}",
    "columns": BASE + "body{font-size:9pt}main{columns:2;column-gap:8mm}h1{column-span:all;font-size:18pt}h2{font-size:11pt}h3{font-size:9.5pt}p{text-align:justify;hyphens:auto;margin:0 0 4pt}table{font-size:8pt;border-collapse:collapse;border-top:1pt solid;border-bottom:1pt solid}thead th{border-bottom:.6pt solid}td,th{padding:1pt 4pt}",
    "colour": BASE + "h2{font-size:10.5pt;color:#0a5aa0;font-weight:normal;margin:14pt 0 4pt}h3{font-size:10.5pt;color:#0a5aa0;font-style:italic;font-weight:normal}tbody tr:nth-child(odd){background:#eee}table{border-collapse:collapse;width:100%}",
    "caps": BASE + "h2{font-size:10.5pt;text-transform:uppercase;margin:16pt 0 4pt}h3{font-size:10.5pt;font-style:italic}td:not(:first-child),th:not(:first-child){text-align:right}table{border-spacing:0}",
    "smallcaps": BASE + "h2{font:small-caps 10.5pt 'DejaVu Serif';margin:18pt 0 6pt;text-align:center}h3{font:italic 10.5pt 'DejaVu Serif'}h1{text-align:center;font-weight:normal}p{text-indent:12pt;margin:0;text-align:justify}table{border-collapse:collapse;margin:8pt auto;border-top:1pt solid;border-bottom:1pt solid}thead th{border-bottom:.6pt solid;font-weight:normal;font-style:italic}",
    "sans": "@page{size:letter;margin:1in}body{font:11pt/1.5 'DejaVu Sans';margin:0}h1{font-size:24pt;color:#333}h2{font-size:15pt;border-bottom:1pt solid #ccc}h3{font-size:12pt}table{width:100%;border-collapse:collapse}th{background:#234;color:#fff}td{border-bottom:.5pt solid #ccc}td,th{padding:4pt 6pt;text-align:left}td:not(:first-child){text-align:right}",
    "drop": BASE + "h1+p::first-letter,h2+p::first-letter{font-size:34pt;float:left;line-height:.8;padding:2pt 4pt 0 0}h2{font-weight:normal;font-size:13pt}table{border-collapse:collapse}td,th{border-bottom:.5pt solid #999}",
}
EXTRA = ".toc{display:flex;margin:2pt 0}.dots{flex:1;overflow:hidden;white-space:nowrap;direction:rtl;height:1.4em;margin:0 4pt}.quote{font-size:14pt;font-style:italic;margin:14pt 10mm;text-align:center}address{font-style:normal;margin:8pt 0}"
STYLES |= {
    "news": STYLES["columns"].replace("columns:2", "columns:3").replace("font-size:9pt", "font-size:8.5pt") + EXTRA + ".quote{font-size:12pt;margin:10pt 0}",
    "leaflet": STYLES["sans"] + EXTRA,
    "journal": STYLES["columns"] + EXTRA + "h2{font-size:9pt;text-transform:uppercase;font-weight:bold}ul{padding-left:12pt}",
    "vertical": "@page{size:A4;margin:22mm}html{writing-mode:vertical-rl}body{font:11pt/1.8 'Noto Serif CJK JP','Noto Sans CJK JP';margin:0}h1{font-size:20pt}h2{font-size:14pt}",
    "cjk": "@page{size:A4;margin:22mm}body{font:11pt/1.8 'Noto Serif CJK JP','Noto Sans CJK JP';margin:0}h1{font-size:20pt}h2{font-size:14pt}",
}
MAKERS = {"news": brochure, "leaflet": brochure, "journal": brochure, "vertical": japanese, "cjk": japanese}
RUNNING = "@page{@top-center{content:'Harbour authority · internal';font-size:8pt}@bottom-right{content:'Page ' counter(page) ' of ' counter(pages);font-size:8pt}}"


def run(*command, cwd=None):
    subprocess.run(command, check=True, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=180)


def chromium(doc, style, path):
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        with open(page, "w") as file:
            file.write(as_html(doc, STYLES[style]))
        program = shutil.which("chromium") or shutil.which("google-chrome")
        run(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
            "--no-first-run", f"--user-data-dir={folder}/profile", "--no-pdf-header-footer", f"--print-to-pdf={path}", f"file://{page}")


def weasyprint(doc, style, path):
    import weasyprint as program
    program.HTML(string=as_html(doc, STYLES[style] + RUNNING)).write_pdf(path)


def weasyprint_tagged(doc, style, path):
    import weasyprint as program
    program.HTML(string=as_html(doc, STYLES[style] + RUNNING)).write_pdf(path, pdf_variant="pdf/ua-1")


def pandoc(doc, folder, target, *options):
    source = os.path.join(folder, "source.md")
    with open(source, "w") as file:
        file.write(markdown(doc))
    result = os.path.join(folder, target)
    run("pandoc", "-f", "gfm", source, "-o", result, *options)
    return result


def latex(doc, style, path):
    with tempfile.TemporaryDirectory() as folder:
        options = {"article": [], "twocolumn": ["-V", "classoption=twocolumn", "-V", "fontsize=9pt"], "numbered": ["-N"]}[style]
        if style == "twocolumn":
            # longtable does not work in two columns.
            doc.blocks = [block for block in doc.blocks if block[0] not in ("table", "caption")]
        result = pandoc(doc, folder, "out.pdf", "-V", "geometry:margin=25mm", *options)
        shutil.copy(result, path)


def libreoffice(doc, style, path):
    with tempfile.TemporaryDirectory() as folder:
        word = pandoc(doc, folder, "out.docx")
        filters = {"plain": "pdf:writer_pdf_Export:{\"UseTaggedPDF\":{\"type\":\"boolean\",\"value\":\"false\"}}",
                   "tagged": "pdf:writer_pdf_Export:{\"UseTaggedPDF\":{\"type\":\"boolean\",\"value\":\"true\"}}"}
        run("soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", filters[style], "--outdir", folder, word)
        shutil.copy(os.path.join(folder, "out.pdf"), path)


def typst(doc, style, path):
    import typst as program
    escape = lambda text: "".join("\\" + c if c in "#$*_`<>@=-+/[]\\~" else c for c in text)
    preamble = {
        "plain": "#set page(margin: 2.2cm, numbering: \"1\")\n#set text(10.5pt)\n#set par(justify: true)\n",
        "columns": "#set page(margin: 2cm, columns: 2, numbering: \"1 / 1\")\n#set text(9.5pt)\n#set par(justify: true, first-line-indent: 1em)\n",
        "numbered": "#set page(margin: 2.5cm, header: [Field office #h(1fr) Draft])\n#set heading(numbering: \"1.1\")\n#set text(11pt)\n",
    }[style]
    out = []
    for kind, *rest in doc.blocks:
        if kind == "h":
            out.append("=" * rest[0] + " " + escape(rest[1]))
        elif kind in ("p", "caption", "quote"):
            out.append(escape(rest[0]))
        elif kind == "ul":
            out.append("\n".join("  " * level + "- " + escape(text) for level, text in rest[0]))
        elif kind == "ol":
            out.append("\n".join("+ " + escape(text) for _, text in rest[0]))
        else:
            rows = rest[0]
            stroke = "" if style == "plain" else ", stroke: none"
            cells = ", ".join(f"[{escape(cell)}]" for row in rows for cell in row)
            out.append(f"#table(columns: {len(rows[0])}{stroke}, {cells})")
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "source.typ")
        with open(source, "w") as file:
            file.write(preamble + "\n\n".join(out) + "\n")
        program.compile(source, output=path)
    if style == "numbered":
        counts = [0] * 7
        blocks = []
        for block in doc.blocks:
            if block[0] == "h":
                level = block[1]
                counts[level] += 1
                counts[level + 1:] = [0] * (6 - level)
                number = ".".join(str(count) for count in counts[1:level + 1])
                block = ("h", level, f"{number} {block[2]}")
            blocks.append(block)
        doc.blocks = blocks


def reportlab(doc, style, path):
    from reportlab.lib import colors, pagesizes, styles
    from reportlab.platypus import ListFlowable, ListItem, Paragraph, SimpleDocTemplate, Spacer, Table
    sheet = styles.getSampleStyleSheet()
    flow = []
    for kind, *rest in doc.blocks:
        if kind == "h":
            flow.append(Paragraph(html.escape(rest[1]), sheet[f"Heading{rest[0]}"]))
        elif kind in ("ul", "ol"):
            flow.append(ListFlowable([ListItem(Paragraph(html.escape(text), sheet["BodyText"]), leftIndent=20 * (1 + level)) for level, text in rest[0]],
                                     bulletType="bullet" if kind == "ul" else "1"))
        elif kind == "table":
            lines = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)] if style == "grid" else [("LINEABOVE", (0, 0), (-1, 0), 1, colors.black), ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black), ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black), ("ALIGN", (1, 0), (-1, -1), "RIGHT")]
            flow += [Table(rest[0], style=lines), Spacer(1, 8)]
        else:
            flow.append(Paragraph(html.escape(rest[0]), sheet["BodyText"]))
    def footer(canvas, template):
        canvas.setFont("Helvetica", 8)
        canvas.drawString(72, 40, "Prepared for the council")
        canvas.drawRightString(520, 40, f"{template.page}")
    SimpleDocTemplate(path, pagesize=pagesizes.A4).build(flow, onFirstPage=footer, onLaterPages=footer)


def chromium_untagged(doc, style, path):
    """Prints without tags, like the browsers of some years ago and most converters."""
    from pypdf import PdfReader, PdfWriter
    chromium(doc, style, path)
    writer = PdfWriter(clone_from=PdfReader(path))
    for key in ("/StructTreeRoot", "/MarkInfo"):
        writer.root_object.pop(key, None)
    writer.write(path)


PRODUCERS = [(chromium, style) for style in STYLES] + [(chromium_untagged, style) for style in STYLES] + \
    [(weasyprint, style) for style in STYLES if style not in ("drop", "vertical", "leaflet")] + \
    [(weasyprint_tagged, "sans"), (weasyprint_tagged, "columns")] + [(latex, "article"), (latex, "twocolumn")] + \
    [(libreoffice, "plain"), (libreoffice, "tagged")] + [(typst, "plain"), (typst, "columns"), (typst, "numbered")] + [(reportlab, "grid"), (reportlab, "rules")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--rounds", type=int, default=2, help="documents of each producer and style in each half")
    arguments = parser.parse_args()
    for half in ("dev", "heldout"):
        os.makedirs(os.path.join(arguments.out, half), exist_ok=True)
    missing = set()
    for round_ in range(arguments.rounds):
        for index, (producer, style) in enumerate(PRODUCERS):
            for offset, half in enumerate(("dev", "heldout")):
                seed = 2 * (round_ * len(PRODUCERS) + index) + offset
                doc = MAKERS.get(style, report)(seed)
                if "text-transform:uppercase" in STYLES.get(style, ""):
                    doc.blocks = [("h", 2, block[2].upper()) if block[:2] == ("h", 2) else block for block in doc.blocks]
                name = f"{producer.__name__}-{style}-{seed}.pdf"
                path = os.path.join(arguments.out, half, name)
                try:
                    producer(doc, style, os.path.abspath(path))
                except Exception as error:
                    missing.add(f"{producer.__name__} {style}: {str(error)[:200]}")
                    continue
                with open(path + ".md", "w") as file:
                    file.write(markdown(doc))
    for line in sorted(missing):
        print("skipped:", line)


main()
