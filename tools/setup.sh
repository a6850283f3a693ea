#!/bin/bash
# setup.sh LIST...: installs the Debian packages of the named lists that are missing. With nothing missing it does nothing
# and needs no network. Lists:
#   program what the program needs (`make demo`)
#   build   what `make build` needs: the same, and the package for Python
#   test    what `make test` needs besides (sanitizers; fclib, h5py, ParaView, ffmpeg and chromium to read our files with
#           somebody else's code)
#   show    what makes .mp4 and .gif films of pictures, and charts as PNG
#   bench   what `make bench` can make use of (other people's solvers to compare with, plots as PNG)
#   format  what `make format` needs
#   docs    what `make docs` needs
#   mpi     what plait-mpi needs (make build builds it where this is installed)
#   blender what the test of the add-on needs (1 GB); without it that test is skipped
set -euo pipefail

program="make cmake ninja-build pkg-config gcc libc6-dev libhdf5-dev libopenblas-dev liblapacke-dev libmumps-seq-dev libyaml-dev \
libembree-dev libpng-dev zlib1g-dev libwebp-dev libcivetweb-dev libjs-three"
build="$program python3-cffi python3-numpy"
show="ffmpeg librsvg2-bin"
test="g++ clang libfclib-dev hdf5-tools python3-numpy python3-h5py ffmpeg chromium python3-paraview librsvg2-bin mandoc \
python3-jsonschema python3-yaml python3-markdown python3-pytest python3-scipy python3-matplotlib python3-nbconvert \
python3-ipykernel python3-venv python3-pip mypy zsh fish"
bench="libsiconos-numerics-dev libsuitesparse-dev librsvg2-bin"
format="clang-format"
docs="python3-markdown"
mpi="libopenmpi-dev openmpi-bin libmumps-dev"
blender="blender"

say() { echo "setup: $*" >&2; }

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

missing() { # prints those of its arguments that are not installed
    local package
    for package; do
        installed "$package" || echo "$package"
    done
}

# The sanitizers' and OpenMP's libraries carry clang's version in their names.
clang_packages() {
    local version
    version=$(dpkg-query -W -f '${Version}' clang 2>/dev/null || true)
    [ -n "$version" ] || version=$(apt-cache policy clang | sed -n 's/ *Candidate: //p')
    version=${version#*:}
    version=${version%%[.-]*}
    case $version in
    '' | *[!0-9]*) ;; # not known before apt-get update
    *) echo "libclang-rt-$version-dev libomp-$version-dev" ;;
    esac
}

wanted() { # prints all packages of the lists
    local list
    for list; do
        echo "${!list}"
        if [ "$list" = test ]; then
            echo "$mpi"
            clang_packages
            # A node from elsewhere will do, if it has npm.
            if ! command -v node >/dev/null || ! command -v npm >/dev/null; then echo "nodejs npm"; fi
        fi
    done
}

# Node packages with locked versions, which some tests use, beside their package.json. Without them these tests are skipped.
node_packages() { # FOLDER
    local folder
    folder=$(dirname "$0")/../$1
    [ ! "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ] || return 0
    if ! command -v npm >/dev/null; then
        say "npm is not there: tests that need $1/node_modules will be skipped"
    elif ! (cd "$folder" && npm ci --no-audit --no-fund --loglevel=error >/dev/null); then
        say "npm ci failed in $1: tests that need its packages will be skipped"
    fi
}

finish() { # LIST...: what is not a Debian package
    local list
    for list; do
        if [ "$list" = test ]; then
            node_packages test/usd
            node_packages test/viewer # playwright-core, which drives a browser
        fi
    done
    exit 0
}

[ $# -gt 0 ] || set -- build
for list; do
    case $list in
    program | build | test | show | bench | format | docs | mpi | blender) ;;
    *)
        say "there is no list '$list'; lists: program build test show bench format docs mpi blender"
        exit 2
        ;;
    esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "this is no Debian system, so nothing is installed; if something is not found below, look for the equivalent of"
    say $(wanted "$@" 2>/dev/null)
    exit 0
fi

lack=$(missing $(wanted "$@"))
[ -n "$lack" ] || finish "$@"

if [ "$(id -u)" = 0 ]; then
    as_root=()
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root=(sudo)
else
    say "packages are missing, and neither root nor sudo is there to install them. As root, run:"
    say "apt-get update && apt-get install --no-install-recommends" $lack
    exit 1
fi

say "installing" $lack
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"; }
if ! apt update; then say "apt-get update failed; trying with the package lists that are here"; fi
lack=$(missing $(wanted "$@")) # clang's version is known now
if ! apt install --no-install-recommends $lack; then
    say "could not install:" $lack
    exit 1
fi
lack=$(missing $(wanted "$@"))
if [ -n "$lack" ]; then
    say "still missing:" $lack
    exit 1
fi
finish "$@"
