# plait list, plait help scene: what is built in, and that the documentation says the same as the tables.

source "$PLAIT_SOURCE/test/cli/lib.bash"

expect 0 "$PLAIT" list
silent err
cp out table
expect 0 "$PLAIT" list --json
cp out list.json
json list.json 'all(set(s) == {"name", "title", "reproduces", "rods", "small"} for s in d)'

# the built-in scenes are those of the folder, with their text to the last byte
count=0
for file in "$PLAIT_SOURCE"/scenes/*.yaml; do
    [ -e "$file" ] || continue
    name=$(basename "$file" .yaml)
    count=$((count + 1))
    says table "$name"
    expect 0 "$PLAIT" list "$name"
    cmp -s out "$file" || fail "list $name is not scenes/$name.yaml"
done
json list.json "len(d) == $count"
if [ $count -gt 0 ]; then
    # the small variant is what would be run: no `small` in it, its own name
    name=$(basename "$(ls "$PLAIT_SOURCE"/scenes/*.yaml | head -1)" .yaml)
    expect 0 "$PLAIT" list "$name-small"
    says out "name: $name-small"
    if grep -q '^small:' out; then fail "$name-small has a small variant"; fi
    expect 2 "$PLAIT" list "${name}x"
    says err "did you mean '$name'?"
fi

expect 2 "$PLAIT" list there-is-none
silent out
says err "there is no scene 'there-is-none'"
expect 2 "$PLAIT" list a b
expect 2 "$PLAIT" list --json a
expect 2 "$PLAIT" list --jsn
says err "did you mean '--json'?"

# help and its page
expect 0 "$PLAIT" help list
cp out first
expect 0 "$PLAIT" list --help
cmp -s first out || fail "help list differs from list --help"
says "$PLAIT_SOURCE/docs/commands/list.md" "--json"

# docs/scenes.md holds the reference as it is printed
expect 0 "$PLAIT" help scene
silent err
sed -n '/^### scene$/,$p' out >printed
sed -n '/^### scene$/,$p' "$PLAIT_SOURCE/docs/scenes.md" >documented
[ -s printed ] || fail "plait help scene prints no keys"
diff <(sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' printed) <(sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' documented) >differs ||
    { cat differs; fail "the end of docs/scenes.md, from '### scene' on, is not what plait help scene prints (<)"; }
