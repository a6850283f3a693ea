# options.cmake: what can be chosen, and the compiler flags that follow from it.

option(PLAIT_NATIVE "Optimise for this machine (-march=native); the program may not run on others" OFF)
option(PLAIT_TESTS "Build the tests" ON)
option(PLAIT_WERROR "Treat warnings as errors" ON)
set(PLAIT_SANITIZE "" CACHE STRING "Sanitizers for everything, e.g. address,undefined or thread")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Flags of our own code only; none of them reaches a program that uses the installed library.
add_library(plait_flags INTERFACE)
target_compile_options(plait_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
    $<$<BOOL:${PLAIT_WERROR}>:-Werror>
    -ffp-contract=off)
# clock_gettime and friends; C17 without extensions hides them otherwise.
target_compile_definitions(plait_flags INTERFACE _POSIX_C_SOURCE=200809L)

if(PLAIT_NATIVE)
    target_compile_options(plait_flags INTERFACE -march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    target_compile_options(plait_flags INTERFACE -march=x86-64-v2)
endif()

if(PLAIT_SANITIZE)
    target_compile_options(plait_flags INTERFACE
        -fsanitize=${PLAIT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
    target_link_options(plait_flags INTERFACE -fsanitize=${PLAIT_SANITIZE})
endif()
