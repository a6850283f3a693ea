// abi.c: the sizes of public structs as the library has them.
#include "plait/abi.h"

#include <string.h>

plait_status plait_compare_sizes(int count, const plait_struct_size *list, plait_error *error)
{
    static const plait_struct_size own[] = {PLAIT_STRUCTS(PLAIT_STRUCT_SIZE)};
    enum { OWN = sizeof own / sizeof *own };
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < OWN && strcmp(own[k].name, list[i].name) != 0)
            k++;
        if (k == OWN)
            return plait_error_set(error, PLAIT_BAD_INPUT, "the library has no struct '%s': it is of another version",
                                   list[i].name);
        if (own[k].size != list[i].size)
            return plait_error_set(error, PLAIT_BAD_INPUT,
                                   "%s has %zu bytes in the program's headers and %zu in the library: they are of two "
                                   "versions; compile the program again",
                                   list[i].name, list[i].size, own[k].size);
    }
    return PLAIT_OK;
}
