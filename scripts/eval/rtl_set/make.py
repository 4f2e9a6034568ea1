"""Makes a set of right-to-left PDFs with known text, from several programs.

    python3 make.py OUT [--count N]

An even seed is for development, an odd one is held out. The truth is written as Markdown next to
each PDF. Needs chromium, libreoffice, the PyPI package weasyprint, and the fonts listed below; what
is missing is skipped and named.
"""
import argparse
import html
import os
import random
import shutil
import subprocess
import tempfile

FONTS = {
    "ara": ["DejaVu Sans", "Amiri", "KacstBook"],
    "fas": ["DejaVu Sans", "Amiri", "KacstBook"],
    "heb": ["DejaVu Sans"],
}

HEADS = {
    "ara": ["الخلاصة", "أعمال الصيانة", "الإدارة والأعضاء", "لائحة الأسعار", "الآثار القديمة", "ملاحظات لاحقة", "سلامة الزوار", "الاجتماع الأول"],
    "fas": ["خلاصهٔ گزارش", "کارهای نگهداری", "اعضای هیئت", "بهای خدمات", "سلامت بازدیدکنندگان", "پیشنهادهای نهایی"],
    "heb": ["תקציר", "עבודות תחזוקה", "חברי הוועד", "מחירון", "בטיחות המבקרים", "המלצות"],
}

SENTENCES = {
    "ara": [
        "لا يجوز للزوار الدخول إلى المنارة قبل الساعة التاسعة صباحا.",
        "الإصلاحات الأولى بدأت في شهر آذار وانتهت خلال ثلاثة أسابيع.",
        "بلغت كلفة الأعمال {n} دينارا، أي أقل بنسبة {d}% من الميزانية الأصلية.",
        "إن شاء الله سيُفتح المتحف للأطفال والعائلات في الأسبوع المقبل.",
        "سألت اللجنة المهندس محمد عن الآلات التي لم تصل بعد إلى الميناء.",
        "الآن يستطيع كل الأعضاء الاطلاع على اللائحة الجديدة (انظر الصفحة {d}).",
        "لأن الأمطار كانت غزيرة، تأخرت السلالم الخشبية والأبواب الحديدية.",
        "قال الحارس: «لم أر ضوءا كهذا من قبل»، ثم عاد إلى كتابة ملاحظاته.",
        "لإتمام الطلب، أرسل الاستمارة إلى office@example.org قبل نهاية الشهر.",
        "في عام 19{d} بُنيت الطبقات السفلى من الحجر الأبيض، ولا تزال سليمة.",
        "تحتوي المكتبة على {n} مجلدا، منها {d} مخطوطا لا مثيل له في البلاد.",
        "الحمد لله على السلامة، فقد خرج العمال الثلاثة من النفق بلا إصابات.",
        "تستعمل الشركة برنامج Harbour 2 لتسجيل الأحوال الجوية والأمواج.",
        "الملاحون المحليون أخلوا القوارب الصغيرة، فلا خطر عليها الآن.",
        "هل لاحظتم أن الأسلاك الكهربائية بلا غلاف؟ يجب إبلاغ المسؤولين حالا.",
    ],
    "fas": [
        "بازدیدکنندگان نمی‌توانند پیش از ساعت نه صبح وارد فانوس دریایی شوند.",
        "هزینهٔ کارها {n} تومان بود، یعنی حدود {d} درصد کمتر از بودجهٔ اصلی.",
        "اعضای هیئت از مهندس دربارهٔ آلات تازه و لوازم کلاس پرسیدند.",
        "لازم است که همهٔ گزارش‌ها تا پایان سال به دفتر مرکزی فرستاده شود.",
        "پله‌های چوبی به علت باران خیس بود و کلاه ایمنی الزامی شد.",
        "کتابخانه {n} جلد کتاب دارد که بسیاری از آن‌ها کمیاب و گران‌بهاست.",
        "لطفا فرم را امضا کنید و به نشانی office@example.org بفرستید.",
        "حالا گل‌های لاله در حیاط باز شده‌اند و جلوی در اصلی دیده می‌شوند.",
        "در سال 13{d} طبقهٔ پایین ساختمان از سنگ سفید ساخته شد.",
        "نگهبان گفت: «چنین نوری ندیده بودم» و به نوشتن ادامه داد.",
    ],
    "heb": [
        "המבקרים אינם רשאים להיכנס למגדלור לפני השעה תשע בבוקר.",
        "עלות העבודות הגיעה ל-{n} שקלים, כלומר {d}% פחות מן התקציב המקורי.",
        "הוועד שאל את המהנדס על המכונות שעדיין לא הגיעו לנמל.",
        "בגלל הגשמים הכבדים התעכבו המדרגות מעץ והדלתות מברזל.",
        "השומר אמר: \"לא ראיתי אור כזה מעולם\", וחזר לכתוב את רשימותיו.",
        "הספרייה מחזיקה {n} כרכים, מהם {d} כתבי יד שאין דומה להם בארץ.",
        "יש לשלוח את הטופס אל office@example.org לפני סוף החודש.",
        "בשנת 19{d} נבנו הקומות התחתונות מאבן לבנה, והן עדיין יציבות.",
        "החברה משתמשת בתוכנה Harbour 2 כדי לרשום את מזג האוויר.",
        "האם שמתם לב שחוטי החשמל חשופים? יש להודיע לאחראים מיד.",
    ],
}


def document(language, seed):
    """Returns blocks: ("h", text), ("p", text) or ("ul", items)."""
    r = random.Random(seed * 7919 + 5)

    def sentence():
        return r.choice(SENTENCES[language]).format(n=r.randint(120, 9800), d=r.randint(11, 99))

    blocks = []
    for head in r.sample(HEADS[language], 4):
        blocks.append(("h", head))
        for _ in range(r.randint(1, 3)):
            blocks.append(("p", " ".join(sentence() for _ in range(r.randint(3, 6)))))
        if r.random() < 0.4:
            blocks.append(("ul", [sentence() for _ in range(3)]))
    return blocks


def markdown(blocks):
    parts = []
    for kind, content in blocks:
        if kind == "h":
            parts.append(f"# {content}")
        elif kind == "p":
            parts.append(content)
        else:
            parts.append("\n".join(f"- {item}" for item in content))
    return "\n\n".join(parts) + "\n"


def page(blocks, language, font, size):
    tags = []
    for kind, content in blocks:
        if kind == "ul":
            tags.append("<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in content) + "</ul>")
        else:
            tag = "h1" if kind == "h" else "p"
            tags.append(f"<{tag}>{html.escape(content)}</{tag}>")
    return (
        f'<!doctype html><html dir="rtl" lang="{language[:2]}"><head><meta charset="utf-8"><style>'
        f"@page {{ size: A4; margin: 2cm }} body {{ font: {size}pt '{font}', serif }}"
        "</style></head><body>" + "".join(tags) + "</body></html>"
    )


def chromium(source, target):
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={target}", source],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)


def weasyprint(source, target):
    import weasyprint as engine
    engine.HTML(filename=source).write_pdf(target)


def libreoffice(source, target):
    folder = os.path.dirname(target)
    subprocess.run(
        ["soffice", "--headless", "--infilter=HTML (StarWriter)", "--convert-to", "pdf", "--outdir", folder, source],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=180)
    os.replace(os.path.join(folder, os.path.basename(source).replace(".html", ".pdf")), target)


PROGRAMS = {"chromium": chromium, "weasyprint": weasyprint, "libreoffice": libreoffice}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--count", type=int, default=4, help="documents of each program and language")
    arguments = parser.parse_args()
    installed = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True).stdout
    for name, program in PROGRAMS.items():
        try:
            if name == "weasyprint":
                import weasyprint  # noqa: F401
            elif shutil.which({"chromium": "chromium", "libreoffice": "soffice"}[name]) is None:
                raise ImportError
        except ImportError:
            print("missing:", name)
            continue
        for language in SENTENCES:
            fonts = [font for font in FONTS[language] if font in installed]
            for index in range(arguments.count):
                seed = index
                half = "heldout" if seed % 2 else "dev"
                folder = os.path.join(arguments.out, half)
                os.makedirs(folder, exist_ok=True)
                r = random.Random(f"{name}{language}{seed}")
                blocks = document(language, seed * 31 + len(name))
                target = os.path.join(folder, f"{name}-{language}-{index}.pdf")
                with tempfile.TemporaryDirectory() as work:
                    source = os.path.join(work, "page.html")
                    with open(source, "w", encoding="utf-8") as out:
                        out.write(page(blocks, language, fonts[(index + len(name)) % len(fonts)], r.choice([11, 12, 14])))
                    program(source, os.path.abspath(target))
                with open(target + ".md", "w", encoding="utf-8") as out:
                    out.write(markdown(blocks))


if __name__ == "__main__":
    main()
