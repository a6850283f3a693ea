#!/bin/bash
# coverage.sh FOLDER: lines of src/ and cli/ that a coverage build has executed, worst file first.
set -euo pipefail
folder=$1
# Notes, not data: a file that was never executed has no data, and counts as 0%.
find "$folder" -path '*plait_objects.dir*' -name '*.gcno' -o -path '*plait.dir*' -name '*.gcno' |
    while IFS= read -r data; do gcov -n "$data" 2>/dev/null; done |
    awk -F"[':% ]+" '
        /^File/ { file = $2; sub(/.*\/(src|cli)\//, "&\t", file); keep = file ~ /\t/; sub(/.*\/(src|cli)\/\t/, "", file) }
        /^Lines executed/ && keep {
            lines = $NF; hit = lines * $3 / 100; keep = 0
            if (lines > total[file]) total[file] = lines
            if (hit > best[file]) best[file] = hit
        }
        END {
            for (file in total) {
                printf "%6.1f%% of %5d  %s\n", 100 * best[file] / total[file], total[file], file | "sort -n"
                all += total[file]; done += best[file]
            }
            close("sort -n")
            if (!all) exit 1
            printf "%6.1f%% of %5d  together\n", 100 * done / all, all
        }'
