# completion.sh: what bash offers, word by word; zsh and fish at least read theirs.
source "$PLAIT_SOURCE/test/cli/lib.bash"

expect 0 "$PLAIT" completion bash
silent err
cp out plait.bash
bash -n plait.bash
# shellcheck disable=SC1091
source ./plait.bash

offers() { # WORDS... of the line, the last one as far as it is typed: what is offered, one per line, into the file offered
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _plait
    printf '%s\n' "${COMPREPLY[@]}" >offered
}
offered() { grep -qxF -- "$1" offered || { cat offered; fail "'$1' is not offered for: ${COMP_WORDS[*]}"; }; }
only() { [ "$(cat offered)" = "$1" ] || { cat offered; fail "not only '$1' is offered for: ${COMP_WORDS[*]}"; }; }

offers plait ''
for command in run solve view bench completion help; do offered $command; done
offers plait so
only solve
offers plait solve --so
only --solver
offers plait solve --solver ne
offered newton-ac
offered newton-mfb
offers plait solve --solver = ne # as bash cuts it
offered newton-ac
offers plait solve -s ad
only admm
offers plait bench st
only stability
offers plait bench solvers --rep
only --repeat
offers plait run kn
only knot
offers plait run knot --du
offered --duration
offered --dump-problems
offers plait plot x --format p
only png
offers plait help so
only solve
offers plait completion f
only fish
touch 'my file.hdf5'
offers plait solve my
only 'my file.hdf5'
offers plait solve x --tol ''
only ''
# Every option that help tells of is offered.
for command in run solve render validate "bench table2"; do
    # shellcheck disable=SC2086
    offers plait $command --
    # shellcheck disable=SC2086
    "$PLAIT" $command --help | sed -n '/^Options/,/^Examples/p' | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' >options
    while read -r option; do offered "$option"; done <options
done
# What else is in the shell's names: nothing but ours.
[ "$(compgen -A function | grep -c '^_plait')" = 2 ] || fail "functions: $(compgen -A function)"

expect 0 "$PLAIT" completion zsh
cp out _plait
expect 0 "$PLAIT" completion fish
cp out plait.fish
expect 2 "$PLAIT" completion tcsh
says err "expected bash, zsh or fish"
if command -v zsh >/dev/null; then
    zsh -n _plait
    zsh -f -c 'fpath=($PWD $fpath); autoload -Uz compinit && compinit -u -D && whence -w _plait' >offered
    says offered function
    # As it is typed: a zsh on a terminal of its own gets a few letters and Tab, until the whole word is there.
    cat >typed.zsh <<'ZSH'
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "PROMPT='>'; fpath=($PWD \$fpath); autoload -Uz compinit && compinit -u -D; echo is''ready"
zpty -r shell seen '*isready*'
while read -r typed whole; do
    zpty -w -n shell "plait ${typed//@/ }"$'\t'
    zpty -r shell seen "*$whole*"
    print -r -- "$whole"
    zpty -w -n shell $'\x15'
done <<<"run@plecto plectoneme
solve@--solver@newton-a newton-ac
bench@stabi stability
run@knot@--dura --duration"
ZSH
    timeout 120 zsh -f typed.zsh >offered || fail "zsh completes only: $(cat offered)"
    for word in plectoneme newton-ac stability --duration; do says offered "$word"; done
fi
if command -v fish >/dev/null; then
    export HOME=$PWD
    fish --no-execute plait.fish
    fish -c 'source plait.fish; for l in "solve --solver ne" "bench st" "run kn"; complete -C "plait $l"; end' >offered
    for word in newton-ac stability knot; do says offered $word; done
fi
