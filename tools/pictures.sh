#!/bin/bash
# pictures.sh [NAME...]: makes the pictures of docs/gallery.md and the README's film anew, or only those of these names
# (`film` is one). It tells the commands as it goes. Runs are kept in pictures-out/ and used again; with one thread, all
# take about half an hour. docs/pictures/gallery/hairball.jpg (64,000 rods, 10 GB) is the one that is not made here.
set -euo pipefail
cd "$(dirname "$0")/.."
plait=${PLAIT:-build/plait} out=pictures-out only=" $* "
mkdir -p "$out"

say() { printf '%s\n' "$*" | sed "s|$plait|plait|"; }

# picture NAME RUN RENDER [SIZE]: words of `plait run` and of `plait render`, as they stand in a shell.
picture() {
    [ "$only" = "  " ] || [[ $only == *" $1 "* ]] || return 0
    local run="$plait run $2 -j 1 -o $out/$1" size=${4:---size 480x360 --denoise}
    local render="$plait render $out/$1 $size $3 -o $out/$1.png"
    if [ ! -e "$out/$1" ]; then
        say "$run"
        eval "$run >$out/$1.log" || say "$1: the run ended early; see $out/$1.log"
    fi
    say "$render"
    eval "$render --force"
    ffmpeg -v error -y -i "$out/$1.png" -q:v 3 "docs/pictures/gallery/$1.jpg"
}

# piece NAME RENDER: a piece of the film, of the run of a picture.
piece() {
    local render="$plait render $out/$1 --size 400x300 --samples 8 --denoise --fps 12.5 $2 --video $out/film-$1.mp4"
    say "$render"
    eval "$render --force"
    pieces+=(-i "$out/film-$1.mp4")
}

film() {
    [ "$only" = "  " ] || [[ $only == *" film "* ]] || return 0
    pieces=()
    piece wavy-hair "--strands 12000 --colour auburn --camera 115,3 --frames 0:24"
    piece knot "--camera -70,22,2.2 --frames 25:125:4"
    piece double-loop "--camera 2.6,-3.2,1.6:4.2,0.3,0.5 --frames 28:84:2"
    piece braid "--frames 0:40:2"
    ffmpeg -v error -y "${pieces[@]}" -filter_complex "concat=n=$((${#pieces[@]} / 2)):v=1[v]" -map '[v]' \
        -loop 0 -q:v 80 -an docs/pictures/film.webp
}

rods="--set fibres.hair.scalp.count=480"
head="--size 720x540 --samples 40" # hair is finer than a pixel: samples, not a filter
picture free-a "free-a $rods --set output.duration='0.54 s'" "--strands 40000 --time 0.52 --camera 62,3" "$head"
picture free-b "free-b $rods --set output.duration='0.5 s'" "--strands 40000 --time 0.4 --camera 55,3 --colour blond"
picture curly "curly $rods --set output.duration='0.5 s'" "--strands 40000 --time 0.4 --camera 60,3"
picture pony "pony --set output.duration='1.2 s'" \
    "--guides --time 0.88 --camera 0.75,-0.70,0.02:-0.02,-0.08,-0.12"
picture wavy-hair "wavy-hair --set output.duration='1 s'" "--strands 40000 --colour auburn --time 1 --camera 62,3" \
    "$head"
picture gel-hair "gel-hair --set output.duration='0.8 s'" "--strands 30000 --colour black --time 0.8 --camera 70,3" \
    "$head"
picture orbit "orbit-small" "--camera -75,14 --width 3 --samples 48"
picture plectoneme "plectoneme" "--samples 48"
picture knot "knot --set output.duration='3.2 s'" "--frame 125 --camera -70,22,2.2 --samples 48"
picture spaghetti-7 "spaghetti-7" "--camera -50,14 --samples 48"
picture spaghetti-31 "spaghetti-31 --set output.duration='1.2 s'" "--camera -35,18 --time 0.3 --samples 48"
picture spaghetti-76 "spaghetti-76-small" "--camera -50,20 --samples 48"
picture self-stacking "self-stacking" "--samples 48"
picture double-loop "double-loop" "--camera 2.6,-3.2,1.6:4.2,0.3,0.5 --time 1.1 --samples 48"
picture whip "whip" "--time 0.8 --width 8 --samples 48"
picture hairball-1k "hairball-1k --set output.duration='0.2 s'" ""
picture comb-out "comb-out-small" "--time 0.5 --samples 48"
picture debris-fling "debris-fling-small --set fibres.bristles.brush.count=400 --set fibres.debris.bundle.count=12" \
    "--samples 48"
picture rod-catch "rod-catch-small --set output.duration='0.6 s'" "--samples 48"
picture lock "lock --set output.duration='1.5 s'" "--children 40 --wisp 0.0004 --camera -60,5 --samples 48"
picture ceiling-cube "ceiling-cube" "--time 0.3 --camera -60,-8 --samples 48"
picture ceiling-jelly "ceiling-jelly" "--time 0.06 --camera -60,-8 --samples 48"
picture braid "braid" "--time 1 --samples 48"
picture net "net --set output.duration='0.4 s'" "--samples 48"
picture cloth-wall "cloth-wall" "--time 1.38 --samples 48"
picture candy "candy --set output.duration='2 s'" "--samples 48"
picture lips "lips --set output.duration='0.7 s'" "--time 0.52 --camera -60,12 --samples 48"
picture hair-on-jelly "hair-on-jelly --set output.duration='0.3 s'" "--samples 64"
film
