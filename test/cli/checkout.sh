# checkout.sh: tests write into temporary folders, never where they are started or where the sources are, and what they
# write is not part of the repository.
source "$PLAIT_SOURCE/test/cli/lib.bash"

# Test programs started by hand, here: those that write files. Nothing of it stays, here or there.
programs=$(dirname "$PLAIT")/test
mkdir here temporary
count=0
for name in dat fclib gen_simple io_curves io_export io_hair io_mesh malformed scene_overrides; do
    [ -x "$programs/test_$name" ] || continue
    (cd here && TMPDIR=$PWD/../temporary "$programs/test_$name" >../said 2>&1) || { cat said >&2; fail "test_$name"; }
    count=$((count + 1))
done
[ "$count" -gt 0 ] || { echo "skip: the test programs are not beside $PLAIT"; exit 77; }
[ -z "$(ls here)" ] || fail "written where it was started: $(ls here)"
[ -z "$(ls temporary)" ] || fail "left in the temporary folder: $(ls temporary)"

# A test does write, so that the above means something: with a folder that cannot be made it fails.
(cd here && ! TMPDIR=$PWD/nowhere "$programs/test_dat" >/dev/null 2>&1) || fail "test_dat does not use TMPDIR"

# What tests, runs and benchmarks write is not in the repository, but for the fuzzers' seeds and the pictures of the pages.
if git -C "$PLAIT_SOURCE" ls-files >files 2>/dev/null; then
    grep -E '\.(hdf5|h5|gz|dat|png|mp4|svg|csv|vtp|pvd|xdmf|usda|ply|hair|pyc|o|gcda)$' files |
        grep -vE '^(test/fuzz|docs/pictures|examples|viewer)/' >strays || true
    silent strays
fi
