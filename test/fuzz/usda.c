// Any bytes as a .usda: an error with words, or curves whose numbers are sound.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_curves(plait_curves_parse_usda, data, size);
}
