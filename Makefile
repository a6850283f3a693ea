# Plait, in two words: `make build`, `make test`. The first also installs what is missing (tools/setup.sh); the work is
# done by CMake and Ninja. `make help` lists the rest.
SHELL = /bin/bash
.DELETE_ON_ERROR:
.PHONY: help docs setup program build check test test-long sanitize fuzz fuzz-long coverage mutants demo bench install wheel format clean

PREFIX ?= /usr/local
NINJA = ninja $(if $(JOBS),-j $(JOBS))
CTEST = ctest --output-on-failure -j $(or $(JOBS),2)
PLAIT = build/plait

help:
	@echo 'make build      the program, as build/plait, and the libraries'
	@echo 'make test       all tests but the long ones, also under the address, undefined and thread sanitizers'
	@echo 'make check      the same without sanitizers'
	@echo 'make test-long  the long tests'
	@echo 'make demo       solves problems, simulates a ponytail, makes a picture and a film of it: files in demo/'
	@echo 'make bench      the benchmarks: files in bench-out/'
	@echo 'make docs       the documents as a site that works offline: site/index.html'
	@echo 'make install    into PREFIX ($(PREFIX)); DESTDIR is respected'
	@echo 'make wheel      the package for Python with the library inside: dist/plait-*.whl'
	@echo 'make mutants    plants mistakes in a copy of src/ and looks whether the tests notice (docs/testing.md)'
	@echo 'make fuzz, fuzz-long, coverage, format, clean'

# What is needed to use it; `build` makes the tests and libraries as well.
program:
	@tools/setup.sh build
	@cmake --preset release --log-level=WARNING >/dev/null
	@$(NINJA) -C build plait

build: program
	@$(NINJA) -C build

check: build
	$(CTEST) --test-dir build -LE long

# The sanitized trees come first, so that the last lines are those of the program as it is used.
test: build
	@tools/setup.sh build test
	@$(MAKE) --no-print-directory sanitize
	$(CTEST) --test-dir build -LE long

# What each of these trees leaves out, and does not build, is in test/CMakeLists.txt.
sanitize:
	@cmake --preset asan-ubsan --log-level=WARNING >/dev/null
	@$(NINJA) -C build-asan sanitized
	$(CTEST) --test-dir build-asan -L 'unit|cli' -LE 'long|apart'
	@cmake --preset tsan --log-level=WARNING >/dev/null
	@$(NINJA) -C build-tsan sanitized
	$(CTEST) --test-dir build-tsan -L unit -LE 'long|apart'

test-long: build
	@tools/setup.sh build test
	$(CTEST) --test-dir build -L long

# A minute for each fuzzer; fuzz-long: FUZZ_SECONDS, two hours if nothing else is said.
FUZZ_SECONDS ?= 7200
fuzz-long: SECONDS_EACH = $(FUZZ_SECONDS)
fuzz: SECONDS_EACH = 60
fuzz fuzz-long:
	@tools/setup.sh build test
	@cmake --preset fuzz --log-level=WARNING -DPLAIT_FUZZ_SECONDS=$(SECONDS_EACH) >/dev/null
	@$(NINJA) -C build-fuzz fuzzers
	$(CTEST) --test-dir build-fuzz -L fuzz

# Lines that the tests execute, file by file.
coverage:
	@tools/setup.sh build test
	@cmake --preset coverage --log-level=WARNING >/dev/null
	@$(NINJA) -C build-coverage
	$(CTEST) --test-dir build-coverage -L 'unit|cli' -LE long
	@tools/coverage.sh build-coverage

# One-line mistakes, planted in a copy (docs/testing.md): MUTANTS="--count 20 --seed 2 --file 'src/sim/*'"
mutants:
	@tools/setup.sh build test
	@tools/mutants/run.py $(MUTANTS)

FIBRES = $(PLAIT) generate fibres --force --rods 40
# Of the scene `pony` with fewer, thicker wisps: the same tail in seconds.
TAIL = --set fibres.tail.ponytail.count=48 --set materials.hair.contact_radius='1.1 mm' --set output.duration='1.5 s' \
       --set solver.tol=1e-3
demo:
	@tools/setup.sh program
	@cmake --preset release --log-level=WARNING >/dev/null
	@$(NINJA) -C build plait
	@mkdir -p demo/problems
	$(FIBRES) --nu 0.3 -o demo/problems/loose.hdf5
	$(FIBRES) --nu 1 -o demo/problems/dense.hdf5
	$(FIBRES) --nu 1 --heavy -o demo/problems/heavy.hdf5
	$(PLAIT) info demo/problems/dense.hdf5
	$(PLAIT) solve demo/problems/dense.hdf5 --force -o demo/solved.hdf5
	$(PLAIT) bench solvers demo/problems --max-time 2 --repeat 1 --plot demo/profile.svg
	$(PLAIT) run pony $(TAIL) --force -o demo/pony
	$(PLAIT) stats demo/pony
	$(PLAIT) render demo/pony --time 1 --samples 12 --denoise --force -o demo/pony.png
	$(PLAIT) render demo/pony --size 400x256 --samples 8 --denoise --frames 14::2 --fps 12.5 --force --video demo/pony.webp
	@echo
	@echo 'demo/pony.png      a picture of a ponytail in motion'
	@echo 'demo/pony.webp     the film; any browser shows it'
	@echo 'demo/pony/         the simulation: $(PLAIT) view demo/pony shows it in a browser, to look at from all sides;'
	@echo '                   open trajectory.xdmf in ParaView; stats.csv has a row per step'
	@echo 'demo/problems/     the problems: M, H, f, w, mu in the fclib layout (h5ls -r shows what is in them)'
	@echo 'demo/solved.hdf5   one of them with its impulses r and velocities u in /solution'
	@echo 'demo/profile.svg   the share of problems each solver has solved, against time; open it in a browser'
	@echo
	@echo 'What next ($(PLAIT) is the program):'
	@$(PLAIT) help | sed -n '/^To /,/^$$/p'

# Every benchmark's table is shown and kept as bench-out/NAME.txt.
BENCHMARKS = local table2 solvers scaling threads peers
bench:
	@tools/setup.sh build bench # first: a build that finds Siconos can compare with it
	@$(MAKE) --no-print-directory build
	@mkdir -p bench-out
	@set -e -o pipefail; for name in $(BENCHMARKS); do \
	    echo; echo "== plait bench $$name"; \
	    plot=; case $$name in solvers | scaling) plot="--plot bench-out/$$name.svg";; esac; \
	    $(PLAIT) bench $$name $$plot | tee bench-out/$$name.txt; \
	done

# No server and no network needed to read it, nor to search in it.
docs:
	@tools/setup.sh docs
	@/usr/bin/python3 tools/docs.py site site

install: build
	cmake --install build --prefix $(PREFIX)

# Needs no network; pip installs it in a virtual environment.
wheel: build
	@/usr/bin/python3 python/wheel.py build dist

format:
	@tools/setup.sh format
	clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build build-debug build-asan build-tsan build-coverage build-fuzz demo bench-out site dist
