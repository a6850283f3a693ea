// Any bytes as lines of an .obj: an error with words, or curves whose numbers are sound.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    plait_error error = {0};
    char *bytes = fuzz_text(data, size);
    fuzz_judge_curves(plait_curves_parse_obj("obj", bytes, size, &error), &error);
    free(bytes);
    return 0;
}
