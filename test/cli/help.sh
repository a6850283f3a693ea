# help.sh: the overview, the help of every command, wrong words; and that help and documentation say the same.
source "$PLAIT_SOURCE/test/cli/lib.bash"

expect 2 "$PLAIT"
says out "Usage: plait COMMAND"
for command in solve info generate validate bench help; do
    says out "$command"
done
# A first try for each kind of user.
for kind in "To solve contact problems" "To study rods in contact" "To simulate hair"; do
    says out "$kind"
done
expect 0 "$PLAIT" help
says out "Usage: plait COMMAND"
expect 0 "$PLAIT" --help
says out "Usage: plait COMMAND"
expect 0 "$PLAIT" --version
grep -qE '^plait [0-9]+\.[0-9]+\.[0-9]+$' out || fail "--version: $(cat out)"

# `plait help X` and `plait X --help` are the same text, and it is not empty.
for command in solve info generate validate manual completion schema bench "bench rods" "bench solvers" "bench table2" "bench scaling" "bench friction" "bench roofline" "bench cluster" "bench threads" "bench units" "bench local" \
               "bench peers" "bench stability" "bench hairball"; do
    # shellcheck disable=SC2086
    expect 0 "$PLAIT" help $command
    silent err
    cp out first
    # shellcheck disable=SC2086
    expect 0 "$PLAIT" $command --help
    cmp -s first out || fail "help $command differs from $command --help"
    says out "plait $command"
    # shellcheck disable=SC2086
    expect 0 "$PLAIT" $command -h
    cmp -s first out || fail "$command -h differs from --help"
done

# Every option is in the command's page, and no page names an option that is not there.
options_of() { { grep -oE -- '--[a-z][a-z0-9-]*' "$1" || true; } | sort -u; }
check_page() {
    local page=$PLAIT_SOURCE/docs/commands/$1.md
    shift
    [ -f "$page" ] || fail "there is no $page"
    : >all
    for command in "$@"; do
        # shellcheck disable=SC2086
        "$PLAIT" $command --help >>all
    done
    printf '%s\n' --help --list --version >>all
    options_of all >there
    options_of "$page" >told
    local missing
    missing=$(comm -23 there told | grep -vxE -- '--(help|list|version)' || true)
    [ -z "$missing" ] || fail "$page does not tell of: $missing"
    missing=$(comm -13 there told)
    [ -z "$missing" ] || fail "$page tells of what is not there: $missing"
}
check_page solve solve
check_page manual manual
check_page completion completion
check_page schema schema
check_page info info
check_page generate generate
check_page validate validate
check_page bench "bench rods" "bench solvers" "bench table2" "bench scaling" "bench friction" "bench roofline" "bench cluster" "bench threads" "bench units" "bench local" "bench peers" "bench stability" "bench hairball"

# Every solver is in the page of solve.
"$PLAIT" solve x.hdf5 --solver '?' 2>err || true
for name in $(sed 's/.*there are: //; s/,//g' err) ; do
    grep -qF "\`$name\`" "$PLAIT_SOURCE/docs/commands/solve.md" || fail "docs/commands/solve.md does not tell of $name"
done
[ "$(sed 's/.*there are: //' err | wc -w)" -ge 9 ] || fail "the list of solvers: $(cat err)"

# Wrong words.
expect 2 "$PLAIT" slove
says err "did you mean 'solve'"
silent out
expect 2 "$PLAIT" xyzzy
says err "there is no command 'xyzzy'"
expect 2 "$PLAIT" --frob
says err "--frob"
expect 2 "$PLAIT" help slove
says err "did you mean 'solve'"
expect 2 "$PLAIT" bench
expect 2 "$PLAIT" bench solver
says err "did you mean 'solvers'"
expect 2 "$PLAIT" solve
says err "too few words"
expect 2 "$PLAIT" solve --tool 1e-3 x.hdf5
says err "did you mean '--tol'"
expect 2 "$PLAIT" solve --quux x.hdf5
says err "no option '--quux'"
expect 2 "$PLAIT" solve x.hdf5 --tol
says err "--tol needs T"
expect 2 "$PLAIT" solve x.hdf5 --tol=0
says err "--tol: expected a number from 1e-16 to 1, found '0'"
expect 2 "$PLAIT" solve x.hdf5 --tol nan
says err "found 'nan'"
expect 2 "$PLAIT" solve x.hdf5 --threads 1.5
says err "--threads: expected a whole number"
expect 2 "$PLAIT" solve x.hdf5 --json=yes
says err "--json takes no value"
expect 2 "$PLAIT" solve x.hdf5 --solver newton
says err "did you mean 'newton-ac'"
expect 2 "$PLAIT" solve x.hdf5 --local mbf
says err "did you mean 'mfb'"
expect 2 "$PLAIT" solve x.hdf5 --local mfb+pac
says err "'mfb+enum'"
expect 2 "$PLAIT" bench threads word
says err "one word too many"
expect 2 "$PLAIT" bench scaling --sizes 10,x
says err "--sizes"
