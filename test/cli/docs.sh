# docs.sh: no dead links in the documents, nor in the site that is made of them; every named scene is in the gallery; the
# front page stays small.
source "$PLAIT_SOURCE/test/cli/lib.bash"

expect 0 /usr/bin/python3 "$PLAIT_SOURCE/tools/docs.py" check
says out " 0 dead"
# It can say no: the same tree with one link broken.
mkdir -p tree/tools
for entry in "$PLAIT_SOURCE"/*; do
    case $entry in */docs | */tools) ;; *) ln -s "$entry" tree/ ;; esac
done
cp -r "$PLAIT_SOURCE/docs" tree/
cp "$PLAIT_SOURCE"/tools/*.* tree/tools/
printf '\n[nowhere](there/is/none.md) [no heading](scenes.md#there-is-none)\n' >>tree/docs/gallery.md
expect 1 /usr/bin/python3 tree/tools/docs.py check
says out "there is no docs/there/is/none.md"
says out "there is no heading 'there-is-none' in docs/scenes.md"
says out " 2 dead"

"$PLAIT" list --json >list.json
/usr/bin/python3 -c 'import json; print("\n".join(s["name"] for s in json.load(open("list.json"))))' >names
while read -r name; do
    says "$PLAIT_SOURCE/docs/gallery.md" "**\`$name\`**"
done <names
size=$(cat "$PLAIT_SOURCE"/docs/pictures/*.webp | wc -c)
[ "$size" -le 3000000 ] || fail "films are larger than 3 MB: $size bytes"

/usr/bin/python3 -c 'import markdown' 2>/dev/null || { echo "python3-markdown is not there: no site"; exit 0; }
expect 0 /usr/bin/python3 "$PLAIT_SOURCE/tools/docs.py" site site
[ -s site/index.html ] && [ -s site/commands/run.html ] && [ -s site/pictures/gallery/knot.jpg ] || fail "pages are missing"
if grep -rlE '(src|href)="(https?:)?//' site --include='*.html' | xargs -r grep -lE '<(script|link|img)[^>]*(https?:)?//'; then
    fail "a page needs the network"
fi
# Search, without a browser: the same words, in node.
if command -v node >/dev/null; then
    cat site/sections.js - >search.js <<'JS'
const parts = { query: { value: '', addEventListener(_, f) { this.run = f; } }, found: { innerHTML: '' } };
const document = { getElementById: (id) => parts[id] }, BASE = '';
JS
    cat site/search.js - >>search.js <<'JS'
box.value = 'resume checkpoint';
box.run();
if (!/run\.html#/.test(found.innerHTML)) throw new Error(found.innerHTML);
box.value = 'xyzzyx';
box.run();
if (!/^<p role="status">0 found/.test(found.innerHTML)) throw new Error(found.innerHTML);
JS
    node search.js || fail "search"
fi
