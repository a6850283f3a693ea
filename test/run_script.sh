#!/bin/bash
# run_script.sh SCRIPT PLAIT SOURCE SHARED: runs a test script in an empty temporary folder with
#   PLAIT         the program under test
#   PLAIT_SOURCE  the root of the source tree
#   PLAIT_SHARED  problem data, if the caller's environment does not say otherwise
# The script stops at the first failing command and passes its exit code on (77: skipped).
set -uo pipefail
script=$1
export PLAIT=$2 PLAIT_SOURCE=$3 PLAIT_SHARED=${PLAIT_SHARED:-$4}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bash -euo pipefail "$script"
