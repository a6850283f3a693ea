# mutants.sh: what `make mutants` would plant: the draw of a seed is always the same, stays within the files asked for,
# leaves messages, memory and comments alone, and only reads the checkout.
source "$PLAIT_SOURCE/test/cli/lib.bash"
mutants() { python3 "$PLAIT_SOURCE/tools/mutants/run.py" "$@"; }

mutants --list --count 50 --file 'src/contact/*.c' --seed 3 >one
mutants --list --count 50 --file 'src/contact/*.c' --seed 3 >two
mutants --list --count 50 --file 'src/contact/*.c' --seed 4 >other
cmp one two || fail "the same seed, another draw"
! cmp -s one other || fail "another seed, the same draw"
[ "$(wc -l <one)" = 50 ] || fail "50 were asked for"
mutants --list --count 30 --file 'src/sim/*.c' >sim
! grep -v '^src/sim/' sim || fail "from other files than asked for"

# In a file whose mistakes are known.
cat >known.py <<'PYTHON'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["PLAIT_SOURCE"] + "/tools/mutants")
import plant
text = '''// a + b
static const double FACTOR = 2 * 0.5;
int f(int a, double b)
{
    if (a < 1) // - c
        return plait_error_set(error, BAD, "%d + %d", a + 1);
    double *p = malloc(2 * a);
    b += 0.5 * sin(b) - fmin(a, b);
    return -b;
}
'''
found = [(m.line, m.kind, m.old.strip(), m.new.strip()) for m in plant.mistakes("f.c", text)]
assert {line for line, *_ in found} == {5, 8, 9}, found
for wanted in [(5, "comparison", "<", ">="), (8, "sign", "-", "+"), (8, "sign", "+=", "-="), (8, "sin/cos", "sin", "cos"),
               (8, "min/max", "fmin", "fmax"), (8, "factor", "0.5", "2 * 0.5"), (9, "sign", "-", "")]:
    assert wanted in found, (wanted, found)
for m in plant.mistakes("f.c", text):
    wrong = m.apply(text)
    assert wrong != text and wrong.count("\n") == text.count("\n")
PYTHON
python3 known.py || fail "the mistakes of a known file"

expect 1 mutants --tree "$PLAIT_SOURCE/build-mutants" --count 1
says err "is in the checkout"
[ ! -e "$PLAIT_SOURCE/build-mutants" ] && [ ! -e "$PLAIT_SOURCE/tools/mutants/__pycache__" ] || fail "written into the checkout"
