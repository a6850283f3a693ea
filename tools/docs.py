#!/usr/bin/python3
"""docs.py check | site OUT: the documents of Plait.

check       looks for dead links in README.md and docs/: files, folders and headings that are not there. Needs Python only.
site OUT    writes them as a static site with search that works without a server or a network (python3-markdown), and
            looks for dead links in it.
"""
import html
import html.parser
import json
import os
import re
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$", re.M)


def documents():
    """All Markdown files, relative to the root, the front page first."""
    found = ["README.md"]
    for folder, _, names in sorted(os.walk(os.path.join(ROOT, "docs"))):
        found += sorted(os.path.relpath(os.path.join(folder, n), ROOT) for n in names if n.endswith(".md"))
    return found


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def slug(text, _separator="-"):
    """A heading's anchor, as GitHub makes it."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>]*>|[`*]", "", text).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def prose(text):
    """Without code: links in it are no links."""
    text = FENCE.sub("", text)
    text = re.sub(r"^(?: {4}|\t).*$", "", text, flags=re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(name, cache={}):
    if name not in cache:
        seen, cache[name] = {}, set()
        for _, title in HEADING.findall(FENCE.sub("", read(name))):
            anchor = slug(title)
            count = seen.get(anchor, 0)
            seen[anchor] = count + 1
            cache[name].add(anchor if count == 0 else f"{anchor}-{count}")
    return cache[name]


def is_outside(link):
    return re.match(r"[a-z]+:", link) is not None


def check():
    dead = links = 0
    for name in documents():
        for link in LINK.findall(prose(read(name))):
            if is_outside(link):
                continue
            links += 1
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if not os.path.exists(os.path.join(ROOT, target)):
                print(f"{name}: {link}: there is no {target}")
                dead += 1
            elif anchor and (not target.endswith(".md") or anchor not in anchors(target)):
                print(f"{name}: {link}: there is no heading '{anchor}' in {target}")
                dead += 1
    print(f"{len(documents())} documents, {links} links, {dead} dead")
    return dead


# ---- the site ---------------------------------------------------------------------------------------------------

STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fff; --quiet: #5a6470; --line: #d8dde3; --link: #0b57a4; --box: #f4f6f8 }
@media (prefers-color-scheme: dark) { :root { --ink: #dfe4ea; --paper: #14181c; --quiet: #9aa5b1; --line: #303841; --link: #7db8f0; --box: #1d2329 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); display: flex; flex-wrap: wrap }
nav { flex: 0 0 15rem; padding: 1.2rem; border-right: 1px solid var(--line); font-size: .93rem }
nav ul { list-style: none; padding: 0; margin: .6rem 0 } nav li { margin: .15rem 0 } nav li li { margin-left: .9rem }
main { flex: 1 1 30rem; min-width: 0; max-width: 60rem; padding: 1.2rem 2rem 4rem }
a { color: var(--link) } nav a { text-decoration: none } nav a[aria-current] { font-weight: 600; color: var(--ink) }
img { max-width: 100%; height: auto } pre, code { font: .88em/1.45 ui-monospace, monospace; background: var(--box) }
pre { padding: .8rem; overflow-x: auto; border-radius: 4px } code { padding: .1em .25em; border-radius: 3px } pre code { padding: 0 }
table { border-collapse: collapse; display: block; overflow-x: auto; margin: 1rem 0 } td, th { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top }
#query { width: 100%; padding: .4rem; font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line); border-radius: 4px }
#found p { margin: .5rem 0; font-size: .88rem; color: var(--quiet) } #found mark { background: none; color: var(--ink); font-weight: 600 }
"""

SEARCH = """
// Every section that has all words of the query, those with a word in their title first.
const box = document.getElementById('query'), found = document.getElementById('found');
const plain = (t) => t.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' }[c]));
box.addEventListener('input', () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter((w) => w.length > 1);
  found.innerHTML = '';
  if (!words.length) return;
  const hits = [];
  for (const [page, anchor, title, text] of SECTIONS) {
    const inTitle = title.toLowerCase(), inText = text.toLowerCase();
    if (words.every((w) => inTitle.includes(w) || inText.includes(w)))
      hits.push([words.filter((w) => inTitle.includes(w)).length, page, anchor, title, text]);
  }
  hits.sort((a, b) => b[0] - a[0]);
  found.innerHTML = `<p role="status">${hits.length} found</p>` + hits.slice(0, 20).map(([, page, anchor, title, text]) => {
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40);
    return `<p><a href="${BASE}${page}#${anchor}">${plain(title)}</a><br>${plain(text.slice(at, at + 110))}</p>`;
  }).join('');
});
"""


def page_of(name):
    """Where a document goes: README.md is the index of its folder; docs/ is the top."""
    name = re.sub(r"^docs/", "", name)
    return re.sub(r"README\.md$", "index.md", name)[:-3] + ".html" if name.endswith(".md") else name


def title_of(name):
    found = HEADING.search(FENCE.sub("", read(name)))
    return re.sub(r"[`*]", "", found.group(2)) if found else name


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.to, self.ids = [], set()

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if "id" in a:
            self.ids.add(a["id"])
        for key in ("href", "src"):
            if a.get(key):
                self.to.append(a[key])


def carry(target, out):
    """A file that is no document comes along; of a folder, its files and a list of them. Its place in the site."""
    place = re.sub(r"^docs/", "", target)
    source, goal = os.path.join(ROOT, target), os.path.join(out, place)
    if os.path.isdir(source):
        os.makedirs(goal, exist_ok=True)
        names = sorted(n for n in os.listdir(source) if os.path.isfile(os.path.join(source, n)))
        for name in names:
            shutil.copy(os.path.join(source, name), goal)
        with open(os.path.join(goal, "index.html"), "w", encoding="utf-8") as file:
            file.write(f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(target)}</title><ul>")
            file.write("".join(f'<li><a href="{html.escape(n)}">{html.escape(n)}</a>' for n in names) + "</ul></html>\n")
        return os.path.join(place, "index.html")
    os.makedirs(os.path.dirname(goal) or ".", exist_ok=True)
    shutil.copy(source, goal)
    return place


def convert(name, out):
    import markdown
    here = os.path.dirname(page_of(name))

    def move(match):
        link = match.group(2)
        if is_outside(link) or link.startswith("#"):
            return match.group(0)
        path, hash_, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(name), path))
        if target + "/README.md" in documents():
            target += "/README.md"
        place = page_of(target) if target in documents() else carry(target, out)
        return f'{match.group(1)}="{os.path.relpath(place, here or ".")}{hash_}{anchor}"'

    body = markdown.markdown(read(name), extensions=["tables", "fenced_code", "toc", "sane_lists"],
                             extension_configs={"toc": {"slugify": slug}})
    return re.sub(r'\b(href|src)="([^"]*)"', move, body)


def sections(page, title, body):
    """[page, anchor, title, text] of every part under a heading."""
    parts = re.split(r'<h[1-6] id="([^"]*)">(.*?)</h[1-6]>', body, flags=re.S)
    plain = lambda t: re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", t))).strip()
    for k in range(1, len(parts), 3):
        name = plain(parts[k + 1])
        yield [page, parts[k], name if name == title else f"{title}: {name}", plain(parts[k + 2])[:4000]]


def navigation(current):
    items, base = [], os.path.relpath(".", os.path.dirname(current) or ".")
    for name in documents():
        page = page_of(name)
        mark = ' aria-current="page"' if page == current else ""
        item = f'<li><a href="{os.path.normpath(os.path.join(base, page))}"{mark}>{html.escape(title_of(name))}</a></li>'
        items.append(f"<ul>{item}</ul>" if page.count("/") and not page.endswith("index.html") else item)
    return "\n".join(items)


def site(out):
    os.makedirs(out, exist_ok=True)
    index, pages = [], {}
    for name in documents():
        page, title = page_of(name), title_of(name)
        body = convert(name, out)
        index += sections(page, title, body)
        base = os.path.relpath(".", os.path.dirname(page) or ".")
        pages[page] = (
            f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{html.escape(title)} - Plait</title>\n'
            f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{base}/style.css"></head>\n'
            f'<body><nav aria-label="Documents"><label for="query">Search</label><input id="query" type="search">\n'
            f'<div id="found"></div><ul>\n{navigation(page)}\n</ul></nav>\n<main>\n{body}\n</main>\n'
            f'<script>const BASE = "{base}/";</script><script src="{base}/sections.js"></script>'
            f'<script src="{base}/search.js"></script></body></html>\n')
    for page, text in pages.items():
        path = os.path.join(out, page)
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    for name, text in (("style.css", STYLE), ("search.js", SEARCH), ("sections.js", f"const SECTIONS = {json.dumps(index)};\n")):
        with open(os.path.join(out, name), "w", encoding="utf-8") as file:
            file.write(text)
    return check_site(out, pages)


def check_site(out, pages):
    dead, seen = 0, {}
    for page, text in pages.items():
        seen[page] = Links()
        seen[page].feed(text)
    for page, links in seen.items():
        for link in links.to:
            if is_outside(link):
                continue
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.isfile(os.path.join(out, target)) or (anchor and target in seen and anchor not in seen[target].ids):
                print(f"{page}: {link}: not there")
                dead += 1
    print(f"{len(pages)} pages, {sum(len(s.to) for s in seen.values())} links, {dead} dead: {out}/index.html")
    return dead


if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        sys.exit(check() > 0)
    if len(sys.argv) == 3 and sys.argv[1] == "site":
        sys.exit(check() + site(sys.argv[2]) > 0)
    sys.exit(__doc__)
