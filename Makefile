# Everything in two words: `make build`, `make test`. The work is done by CMake and Ninja in build/.
.PHONY: build test clean

build:
	cmake -S . -B build -G Ninja
	ninja -C build

test: build
	ctest --test-dir build --output-on-failure -LE long

clean:
	rm -rf build build-asan build-tsan build-coverage build-fuzz demo bench-out
