// Any bytes as a table, the first one says how many columns: an error with words, or rows of finite numbers.
#include "file/columns.h"

#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    int columns = 1 + data[0] % 5, rows = -1;
    plait_error error = {0};
    const char *path = fuzz_write(data + 1, size - 1, "csv");
    double *value = plait_columns_read(path, columns, &rows, &error);
    if (!value && (error.status == PLAIT_OK || !error.text[0]))
        abort();
    if (value && rows < 0)
        abort();
    for (size_t i = 0; value && i < (size_t)rows * (size_t)columns; i++)
        if (!isfinite(value[i]))
            abort();
    free(value);
    remove(path);
    return 0;
}
