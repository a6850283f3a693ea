// Any bytes as a .abc file: an error with words, or curves and meshes whose numbers are sound.
#include "file_harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return plait_fuzz_file(data, size, "abc");
}
