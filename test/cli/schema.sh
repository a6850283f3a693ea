# schema.sh: the JSON schema, held against all scenes that there are and all mistakes of test/unit/scene_mistakes.c, by a
# validator that is not ours.
source "$PLAIT_SOURCE/test/cli/lib.bash"

expect 0 "$PLAIT" schema
silent err
cp out schema.json
json schema.json 'd["$schema"].startswith("http://json-schema.org/draft-07") and "fibres" in d["properties"]'
expect 2 "$PLAIT" schema word

python=/usr/bin/python3
$python -c 'import jsonschema, yaml' 2>/dev/null || { echo "python3-jsonschema or python3-yaml is not there"; exit 77; }
cat >check.py <<'PYTHON'
import glob, json, os, re, sys
import jsonschema, yaml

class Strict(yaml.SafeLoader):
    """Keys are texts, and none comes twice: that much every YAML editor checks."""
def mapping(loader, node):
    keys = [str(loader.construct_object(k, True)) for k, _ in node.value]
    if len(set(keys)) < len(keys):
        raise yaml.YAMLError("a key comes twice")
    return {k: loader.construct_object(v, True) for k, (_, v) in zip(keys, node.value)}
Strict.add_constructor("tag:yaml.org,2002:map", mapping)

schema = json.load(open("schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
bad = 0
def complain(text):
    global bad
    bad += 1
    print(text)

accepted = 0
for name in sys.argv[2:]:
    errors = list(validator.iter_errors(yaml.load(open(name), Strict)))
    accepted += 1
    if errors:
        complain(f"{name} is refused: {errors[0].message[:300]}")

# A scene that includes others may leave out what they have; what is unknown is refused there, too.
for text, right in [("include: a.yaml\ncolliders: {head: {position: [0, 0, 1]}}", True), ("colliders: {head: {position: [0, 0, 1]}}", False),
                    ("include: a.yaml\ncolliders: {head: {positio: [0, 0, 1]}}", False), ("include: a.yaml\nfibres: {hair: {line: {count: 3}}}", True)]:
    if validator.is_valid(yaml.load(text, Strict)) != right:
        complain(f"{text} is {'refused' if right else 'accepted'}")

# What the documents show; a list alone is a piece of a scene.
shown = 0
for name in sorted(glob.glob(os.environ["PLAIT_SOURCE"] + "/docs/*.md")):
    for text in re.findall(r"^```yaml\n(.*?)^```", open(name).read(), re.M | re.S):
        scene = yaml.load(text, Strict)
        if isinstance(scene, dict):
            shown += 1
            errors = list(validator.iter_errors(scene))
            if errors:
                complain(f"{name}: {text}is refused: {errors[0].message[:300]}")
if shown < 10:
    complain(f"{shown} scenes are shown by the documents")

# What no schema can see: anchors and tags are gone when it looks; names that refer to others; files; sums of several numbers.
blind = ["anchors", "tags", "code 0", "must not be above", "there is no", "is missing here: there are", "is given twice",
         "needs a collider to grow on", "direction", "cannot hold", "cannot open", "times must ascend", "there is nothing in '"]
refused = 0
for name in sorted(glob.glob(sys.argv[1] + "/*.yaml")):
    words = open(name[:-4] + "words").read()
    try:
        valid = validator.is_valid(yaml.load(open(name, "rb"), Strict))
    except Exception:
        valid = False
    refused += not valid
    if valid and not any(b in words for b in blind):
        complain(f"{name} is accepted; the program says: {words}\n{open(name).read()}")

quantities = {  # key: what is a length, a density ...; every spelling that follows is right or wrong for the program, too
    "contact: {proximity: %s}": (["1", "0.5 mm", "2e-3", "3um", "1 \u00b5m", "$(x)"], ["1 s", "1 mz", "-1 mm", "0 mm", "[1]", "yes"]),
    "materials: {a: {density: %s}}": (["1 g/cm^3", "1.3 kg m^-3", "1 g/cm\u00b3", "2 m^-3 kg"], ["1 g/cm^2", "1 g", "1 kg/m/3"]),
    "materials: {a: {young: %s}}": (["1 GPa", "3e9 dyn/cm^2", "1 N/m^2", "2 bar", "1 kg/m/s^2", "1 J/m^3"], ["1 N/m", "1 Pa s"]),
    "materials: {a: {viscosity: %s}}": (["1 Pa s", "5e7 P", "1 N s/m^2", "1 Pa*s", "1 kg/m/s"], ["1 Pa", "1 Pa/s"]),
    "gravity: %s": (["[0, 0, 1]", "'[0, 0, -981] cm/s^2'", "[1 m/s/s, 0, 0]"], ["'[0, 0, 1] m/s'", "[0, 0]", "1"]),
    "wind: {frequency: %s}": (["1 Hz", "2 1/s", "3 /s", "1 s^-1", "2 kHz"], ["1 rpm", "1 s"]),
    "friction: {default: %s}": (["0.3", "30 %", "30%"], ["-0.3", "0.3 m"]),
}
with open("spellings", "w") as out:
    for key, (good, wrong) in quantities.items():
        for value, right in [(v, True) for v in good] + [(v, False) for v in wrong]:
            text = key % value
            if validator.is_valid(yaml.load(text, Strict)) != right:
                complain(f"{text} is {'refused' if right else 'accepted'}")
            if "$(" not in text:
                out.write(f"{int(right)} {text}\n")
print(f"{accepted} scenes accepted, {refused} mistakes refused")
if refused < 75 or accepted < 20:
    complain("that is too few")
sys.exit(bad > 0)
PYTHON
test=$(dirname "$PLAIT")/test/test_scene_mistakes
[ -x "$test" ] || { echo "there is no $test"; exit 77; }
mkdir mistakes
PLAIT_MISTAKES=$PWD/mistakes "$test" written >said || { cat said; fail "$test written"; }
# The scenes as files, and as they are kept with a run.
for name in orbit-small pony-small knot; do
    "$PLAIT" list "$name" >"$name.yaml"
done
$python check.py mistakes "$PLAIT_SOURCE"/scenes/*.yaml "$PLAIT_SOURCE"/examples/*.yaml ./*.yaml || fail "the schema"

# The program has the same opinion of every spelling.
while read -r right text; do
    printf '%s\n' "$text" "fibres: [{line: }]" "output: {duration: 0}" >spelling.yaml
    grep -q '^materials' spelling.yaml || echo "materials: {a: }" >>spelling.yaml
    code=0
    "$PLAIT" run spelling.yaml --force -o spelt >out 2>err || code=$?
    [ "$code" = $((right ? 0 : 2)) ] || { cat err; fail "'$text': exit code $code"; }
done <spellings
