# view.sh: `plait view` without a browser: what it serves, whom it serves, what it survives; frames against what h5py reads;
# a run that grows; a live simulation with hands that pull.
source "$PLAIT_SOURCE/test/cli/lib.bash"
source "$PLAIT_SOURCE/test/cli/run.bash"
export PYTHONPATH=$PLAIT_SOURCE/test/viewer PYTHONDONTWRITEBYTECODE=1

# Words that make no sense: one message, exit code 2, nothing served.
one_message() { [ "$(wc -l <err)" = 1 ] || { cat err >&2; fail "not one message"; }; silent out; }
expect 2 "$PLAIT" view nowhere
one_message
says err "nowhere"
expect 2 "$PLAIT" view
expect 2 "$PLAIT" view nowhere --port 70000
says err "--port: expected a whole number from 0 to 65535, found '70000'"
expect 2 "$PLAIT" view nowhere --port http
says err "--port"
expect 2 "$PLAIT" view --live no-such-scene
one_message
expect 2 "$PLAIT" view --live drop.yaml --set step.dt=soon
says err "step.dt"
mkdir empty
expect 2 "$PLAIT" view empty
one_message
echo "this is no trajectory" >text.h5
expect 2 "$PLAIT" view text.h5
one_message

"$PLAIT" run drop.yaml -o run -d 0.1 -j 1 >/dev/null 2>&1
expect 2 "$PLAIT" view run --set step.dt=1ms
says err "only 'carry' of its fibres can be changed here"

python3 "$PLAIT_SOURCE/test/viewer/server.py" "$(hdf5_python)" || fail "a run on disk"
python3 "$PLAIT_SOURCE/test/viewer/live.py" || fail "a live simulation"
