# options.cmake: what can be chosen, and the compiler flags that follow from it.

option(PLAIT_NATIVE "Optimise for this machine (-march=native); the program may not run on others" OFF)
option(PLAIT_TESTS "Build the tests" ON)
option(PLAIT_MPI "Insist on plait-mpi, the program for many processes; else it is built where MPI is found" OFF)
option(PLAIT_WERROR "Treat warnings as errors" ON)
option(PLAIT_COVERAGE "Count executed lines (gcov)" OFF)
option(PLAIT_FUZZ "Build the fuzzers of test/fuzz (clang)" OFF)
set(PLAIT_SANITIZE "" CACHE STRING "Sanitizers for everything, e.g. address,undefined or thread")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Flags of our own code only; none of them reaches a program that uses the installed library.
# No product and sum is contracted to one rounding, so that a result is the same on every machine of a kind.
# sqrt and friends need not set errno: nobody reads it, and loops can be vectorised without.
add_library(plait_flags INTERFACE)
target_compile_options(plait_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
    $<$<BOOL:${PLAIT_WERROR}>:-Werror>
    -ffp-contract=off -fno-math-errno)
# POSIX (clocks, temporary files) and M_PI, which plain C17 hides.
target_compile_definitions(plait_flags INTERFACE _XOPEN_SOURCE=700)

if(PLAIT_NATIVE)
    target_compile_options(plait_flags INTERFACE -march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    target_compile_options(plait_flags INTERFACE -march=x86-64-v2)
endif()

if(PLAIT_FUZZ AND NOT PLAIT_SANITIZE)
    set(PLAIT_SANITIZE address,undefined)
endif()
if(PLAIT_SANITIZE MATCHES "thread" AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "the thread sanitizer needs clang: gcc's OpenMP library hides its locks from it")
endif()
if(PLAIT_SANITIZE)
    target_compile_options(plait_flags INTERFACE
        -fsanitize=${PLAIT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -fno-semantic-interposition)
    target_link_options(plait_flags INTERFACE -fsanitize=${PLAIT_SANITIZE})
    if(CMAKE_C_COMPILER_ID MATCHES "Clang") # instrumented loops are not made for lanes: slower, not wrong
        target_compile_options(plait_flags INTERFACE -Wno-pass-failed)
    endif()
endif()
if(PLAIT_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "the fuzzers need clang (libFuzzer)")
    endif()
    target_compile_options(plait_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(PLAIT_COVERAGE)
    target_compile_options(plait_flags INTERFACE --coverage)
    target_link_options(plait_flags INTERFACE --coverage)
endif()
