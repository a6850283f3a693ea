// Files that are not what they should be: each gives one message with the file's name, the place, what was expected and
// what was found; none crashes, hangs or takes the memory that a header promises. Files are ours, damaged with HDF5.
#include <hdf5.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_samples.h"

static const char *const path = "bad.hdf5";

// ---- tools to damage a file --------------------------------------------------------------------------------------

static hid_t edited(void)
{
    return H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
}

static void replace(const char *name, hid_t type, int64_t count, const void *values)
{
    hid_t file = edited();
    hsize_t extent = (hsize_t)count;
    if (H5Lexists(file, name, H5P_DEFAULT) > 0)
        H5Ldelete(file, name, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(id >= 0);
    if (values && count > 0)
        CHECK(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(id), H5Sclose(space), H5Fclose(file);
}

static void replace_int(const char *name, int value)
{
    replace(name, H5T_NATIVE_INT, 1, &value);
}

static void replace_text(const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    replace(name, type, 1, text);
    H5Tclose(type);
}

// Changes one number of a dataset.
static void poke_real(const char *name, int index, double value)
{
    double values[4096];
    hid_t file = edited(), id = H5Dopen2(file, name, H5P_DEFAULT);
    CHECK(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    values[index] = value;
    CHECK(H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(id), H5Fclose(file);
}

static void poke_int(const char *name, int index, int value)
{
    int values[4096];
    hid_t file = edited(), id = H5Dopen2(file, name, H5P_DEFAULT);
    CHECK(H5Dread(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    values[index] = value;
    CHECK(H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(id), H5Fclose(file);
}

static void drop(const char *name)
{
    hid_t file = edited();
    CHECK(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    H5Fclose(file);
}

static void make_local(void)
{
    plait_problem *p = sample_local_problem(3, 4);
    CHECK_INT(plait_problem_write(path, p, NULL, NULL), PLAIT_OK);
    plait_problem_free(p);
}

static void make_global(void)
{
    plait_problem *p = sample_fibres(3, 0.9);
    CHECK_INT(plait_problem_write(path, p, NULL, NULL), PLAIT_OK);
    plait_problem_free(p);
}

// Reading must fail, and the message must have the file's name and every one of the words (NULL ends them).
static void refuse(const char *file, const char *first, const char *second, const char *third)
{
    plait_error error = {0};
    plait_problem *p = plait_problem_read(file, NULL, &error);
    bool ok =
        !p && error.status != PLAIT_OK && strncmp(error.text, file, strlen(file)) == 0 && !strchr(error.text, '\n');
    ok = ok && (!first || strstr(error.text, first)) && (!second || strstr(error.text, second)) &&
         (!third || strstr(error.text, third));
    if (!CHECK(ok))
        printf("wanted '%s' '%s' '%s', got: %s\n", first ? first : "", second ? second : "", third ? third : "",
               error.text);
    CHECK(plait_problem_read(file, NULL, NULL) == NULL); // a caller who wants no words gets none
    plait_problem_free(p);
}

// Reading must work all the same.
static void accept(void)
{
    plait_error error = {0};
    plait_problem *p = plait_problem_read(path, NULL, &error);
    if (!CHECK(p != NULL))
        puts(error.text);
    plait_problem_free(p);
}

// ---- not a problem file at all -----------------------------------------------------------------------------------

CASE(other_things_than_problems)
{
    refuse("there_is_no_such.hdf5", "cannot be read", "No such file", NULL);
    refuse(".", "found a folder", NULL, NULL);
    refuse("/dev/null", "found a device", NULL, NULL);
    write_text_file(path, "", 0);
    refuse(path, "found an empty file", NULL, NULL);
    write_text_file(path, "<html>not found</html>", 22);
    refuse(path, "neither an HDF5 signature nor a number", NULL, NULL);
    write_text_file(path, "\x89HDF\r\n\x1a\n and then something else", 32);
    refuse(path, "cut off or damaged", NULL, NULL);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    refuse(path, "/fclib_local or /fclib_global", "found neither", NULL);
}

CASE(a_file_that_was_cut_off)
{
    make_global();
    struct stat status;
    CHECK_INT(stat(path, &status), 0);
    for (int part = 1; part < 64; part++) {
        make_global();
        CHECK_INT(truncate(path, status.st_size * part / 64), 0);
        refuse(path, NULL, NULL, NULL);
    }
    make_global();
    CHECK_INT(truncate(path, status.st_size - 1), 0);
    refuse(path, "cut off or damaged", NULL, NULL);
}

// Every single byte of the first few kB set to other values: an error or a problem, never a crash.
CASE(a_file_with_wrong_bytes)
{
    make_local();
    struct stat status;
    CHECK_INT(stat(path, &status), 0);
    size_t size = (size_t)status.st_size;
    unsigned char *bytes = malloc(size);
    FILE *file = fopen(path, "rb");
    CHECK_INT((long long)fread(bytes, 1, size, file), (long long)size);
    fclose(file);
    int read = 0, refused = 0;
    for (size_t at = 0; at < size; at += 13) {
        unsigned char kept = bytes[at];
        bytes[at] = (unsigned char)(kept ^ (1u << (at % 8)));
        file = fopen(path, "wb");
        fwrite(bytes, 1, size, file);
        fclose(file);
        bytes[at] = kept;
        plait_error error = {0};
        plait_problem *p = plait_problem_read(path, NULL, &error);
        read += p != NULL, refused += p == NULL;
        CHECK(p || error.text[0]);
        plait_problem_free(p);
    }
    free(bytes);
    CHECK(refused > 20 * read); // checksums notice nearly everything
    CHECK(refused > 0);
}

// ---- parts that are missing or of another kind -------------------------------------------------------------------

CASE(missing_parts)
{
    static const char *const local[] = {"spacedim", "W",   "W/m", "W/n",     "W/nz",       "W/nzmax",
                                        "W/i",      "W/x", "W/p", "vectors", "vectors/mu", "vectors/q"};
    static const char *const global[] = {"spacedim", "M", "H", "H/m", "H/p", "vectors/f", "vectors/w", "vectors/mu"};
    char name[64];
    for (size_t i = 0; i < sizeof local / sizeof *local; i++) {
        make_local();
        snprintf(name, sizeof name, "/fclib_local/%s", local[i]);
        drop(name);
        refuse(path, name, "found nothing of this name", NULL);
    }
    for (size_t i = 0; i < sizeof global / sizeof *global; i++) {
        make_global();
        snprintf(name, sizeof name, "/fclib_global/%s", global[i]);
        drop(name);
        refuse(path, name, "found nothing of this name", NULL);
    }
}

CASE(wrong_types)
{
    make_local();
    replace_text("/fclib_local/vectors/q", "twelve numbers");
    refuse(path, "/fclib_local/vectors/q", "found text", NULL);
    make_local();
    double half[13] = {0.5};
    replace("/fclib_local/W/p", H5T_NATIVE_DOUBLE, 13, half);
    refuse(path, "/fclib_local/W/p", "expected whole numbers, found real numbers", NULL);
    make_local();
    hid_t record = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(record, "re", 0, H5T_NATIVE_DOUBLE), H5Tinsert(record, "im", 8, H5T_NATIVE_DOUBLE);
    double complex_numbers[24] = {0};
    replace("/fclib_local/vectors/q", record, 12, complex_numbers);
    H5Tclose(record);
    refuse(path, "/fclib_local/vectors/q", "found records", NULL);
    make_local();
    hid_t odd = H5Tcopy(H5T_NATIVE_INT);
    H5Tset_precision(odd, 17);
    int zero = 0;
    replace("/fclib_local/spacedim", odd, 1, &zero);
    H5Tclose(odd);
    refuse(path, "/fclib_local/spacedim", "unusual", NULL);
    // A group where a dataset should be, and the reverse.
    make_local();
    drop("/fclib_local/W/x");
    hid_t file = edited();
    H5Gclose(H5Gcreate2(file, "/fclib_local/W/x", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
    refuse(path, "/fclib_local/W/x", "cannot be opened as one", NULL);
    make_local();
    replace_int("/fclib_local/vectors", 1);
    refuse(path, "/fclib_local/vectors/mu", "found nothing", NULL);
}

CASE(other_types_that_hold_the_same_numbers)
{
    make_local();
    long long big = 3;
    replace("/fclib_local/spacedim", H5T_STD_I64BE, 1, NULL);
    hid_t file = edited(), id = H5Dopen2(file, "/fclib_local/spacedim", H5P_DEFAULT);
    H5Dwrite(id, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, &big);
    H5Dclose(id), H5Fclose(file);
    int whole[4] = {0, 1, 2, 0};
    replace("/fclib_local/vectors/mu", H5T_NATIVE_INT, 4, whole);
    plait_problem *p = plait_problem_read(path, NULL, NULL);
    CHECK(p && p->mu[2] == 2);
    plait_problem_free(p);
}

// ---- numbers that cannot be --------------------------------------------------------------------------------------

CASE(wrong_sizes)
{
    make_local();
    replace_int("/fclib_local/spacedim", 4);
    refuse(path, "/fclib_local/spacedim", "expected a number from 2 to 3, found 4", NULL);
    make_local();
    replace_int("/fclib_local/spacedim", -3);
    refuse(path, "/fclib_local/spacedim", "found -3", NULL);
    make_local();
    replace_int("/fclib_local/W/m", -12);
    refuse(path, "/fclib_local/W/m", "found -12", NULL);
    make_local();
    replace_int("/fclib_local/W/m", 11);
    refuse(path, "/fclib_local/W/m", "expected 12, found 11", NULL);
    make_local();
    replace_int("/fclib_local/W/n", 13);
    refuse(path, "/fclib_local/W/n", "expected 12, found 13", NULL);
    make_local();
    int few[5] = {0};
    replace("/fclib_local/W/p", H5T_NATIVE_INT, 5, few);
    poke_int("/fclib_local/W/p", 4, 1);
    refuse(path, "/fclib_local/W/p", "expected 13 whole numbers, found 5", NULL);
    make_local();
    replace_int("/fclib_local/W/nz", -3);
    refuse(path, "/fclib_local/W/nz", "found -3", NULL);
    make_local();
    replace_int("/fclib_local/W/nzmax", -1);
    refuse(path, "/fclib_local/W/nzmax", "found -1", NULL);
    make_local();
    replace_int("/fclib_local/W/nzmax", 7);
    refuse(path, "/fclib_local/W/p", "expected at most nzmax = 7", NULL);
    make_local();
    replace_int("/fclib_local/spacedim", 2); // 4 contacts have 8 scalars then, but there are 12
    refuse(path, "/fclib_local/vectors/q", "expected 8 numbers, found 12", NULL);
    make_local();
    double five[5] = {0};
    replace("/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 5, five);
    refuse(path, "/fclib_local/vectors/q", "expected 12 numbers, found 5", NULL);
    make_local();
    replace("/fclib_local/W/x", H5T_NATIVE_DOUBLE, 5, five);
    refuse(path, "/fclib_local/W/x", "expected at least", "found 5");
    make_local();
    int two[2] = {3, 3};
    replace("/fclib_local/spacedim", H5T_NATIVE_INT, 2, two);
    refuse(path, "/fclib_local/spacedim", "expected 1 whole numbers, found 2", NULL);
    make_global();
    replace_int("/fclib_global/spacedim", 2);
    refuse(path, "/fclib_global/", NULL, NULL);
    // Sizes that would take all memory if they were believed.
    static const char *const sizes[] = {"M/m", "M/n", "H/m", "H/n"};
    char name[64];
    for (int i = 0; i < 4; i++) {
        make_global();
        snprintf(name, sizeof name, "/fclib_global/%s", sizes[i]);
        replace_int(name, INT_MAX);
        refuse(path, name, "found 2147483647", NULL);
    }
}

CASE(wrong_indices)
{
    make_local();
    poke_int("/fclib_local/W/i", 4, 12);
    refuse(path, "/fclib_local/W/i", "expected indices from 0 to 11, found 12 at index 4", NULL);
    make_local();
    poke_int("/fclib_local/W/i", 4, -1);
    refuse(path, "/fclib_local/W/i", "found -1", NULL);
    make_local();
    poke_int("/fclib_local/W/p", 0, 1);
    refuse(path, "/fclib_local/W/p", "expected 0 at the beginning, found 1", NULL);
    make_local();
    poke_int("/fclib_local/W/p", 5, 1);
    refuse(path, "/fclib_local/W/p", "never fall", NULL);
    make_local();
    poke_int("/fclib_local/W/p", 12, 1000000);
    refuse(path, "/fclib_local/W/p", "found 1000000", NULL);
    make_global();
    poke_int("/fclib_global/H/i", 0, 99999);
    refuse(path, "/fclib_global/H/i", "found 99999", NULL);
}

CASE(wrong_triplets)
{
    int row[2] = {0, 2}, col[2] = {0, 3};
    double x[2] = {1, 1};
    make_local();
    replace_int("/fclib_local/W/nz", 2);
    replace("/fclib_local/W/i", H5T_NATIVE_INT, 2, row);
    replace("/fclib_local/W/p", H5T_NATIVE_INT, 2, col);
    replace("/fclib_local/W/x", H5T_NATIVE_DOUBLE, 1, x);
    refuse(path, "/fclib_local/W/x", "expected at least 2 numbers, found 1", NULL);
    replace("/fclib_local/W/x", H5T_NATIVE_DOUBLE, 2, x);
    row[0] = 12;
    replace("/fclib_local/W/i", H5T_NATIVE_INT, 2, row);
    refuse(path, "/fclib_local/W/i", "found 12", NULL);
    row[0] = 0, col[1] = -7;
    replace("/fclib_local/W/i", H5T_NATIVE_INT, 2, row);
    replace("/fclib_local/W/p", H5T_NATIVE_INT, 2, col);
    refuse(path, "/fclib_local/W/p", "found -7", NULL);
    replace("/fclib_local/W/p", H5T_NATIVE_INT, 1, col);
    refuse(path, "/fclib_local/W/p", "expected 2 whole numbers, found 1", NULL);
    replace_int("/fclib_local/W/nz", INT_MAX);
    refuse(path, "/fclib_local/W/i", "expected 2147483647 whole numbers, found 2", NULL);
}

CASE(numbers_that_are_none)
{
    make_local();
    poke_real("/fclib_local/vectors/q", 7, NAN);
    refuse(path, "/fclib_local/vectors/q", "found NaN at index 7", NULL);
    make_local();
    poke_real("/fclib_local/W/x", 2, INFINITY);
    refuse(path, "/fclib_local/W/x", "found infinity at index 2", NULL);
    make_local();
    poke_real("/fclib_local/vectors/mu", 1, -0.5);
    refuse(path, "mu[1] is -0.5", NULL, NULL);
    make_global();
    poke_real("/fclib_global/vectors/f", 3, -INFINITY);
    refuse(path, "/fclib_global/vectors/f", "found infinity", NULL);
    make_global();
    poke_real("/fclib_global/M/x", 0, -1e9);
    refuse(path, "positive definite", NULL, NULL);
}

// W is the first block's upper right entry against its mirror image; the limit is 0.1 of the largest entry.
CASE(asymmetry_is_accepted_up_to_a_limit)
{
    static const double share[] = {2.5e-3, 0.09, 0.11, 0.9};
    for (int i = 0; i < 4; i++) {
        make_local();
        plait_problem *p = plait_problem_read(path, NULL, NULL);
        double *full = full_delassus(p), largest = 0;
        for (int k = 0; k < 144; k++)
            largest = fmax(largest, fabs(full[k]));
        int column = full[1] != 0 ? 1 : 2; // the second entry of the first row
        poke_real("/fclib_local/W/x", 1, full[column] + share[i] * largest);
        if (share[i] < 0.1)
            accept();
        else
            refuse(path, "not symmetric", "0.1", NULL);
        free(full);
        plait_problem_free(p);
    }
}

CASE(equality_constraints_are_refused_unless_empty)
{
    make_global();
    hid_t file = edited();
    H5Gclose(H5Gcreate2(file, "/fclib_global/G", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
    replace_int("/fclib_global/G/n", 0);
    accept();
    replace_int("/fclib_global/G/n", 2);
    refuse(path, "/fclib_global/G", "not supported", "found 2");
    make_local();
    file = edited();
    H5Gclose(H5Gcreate2(file, "/fclib_local/V", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
    replace_int("/fclib_local/V/n", 1);
    refuse(path, "/fclib_local/V", "not supported", "found 1");
}

// ---- headers that promise more than there is ---------------------------------------------------------------------

CASE(sizes_beyond_the_file)
{
    // A dataset of 2^31 - 1 numbers of which none was written takes no room in the file.
    make_local();
    replace("/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, INT_MAX, NULL);
    refuse(path, "/fclib_local/vectors/q", "expected 12 numbers, found 2147483647", NULL);
    make_local();
    replace("/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 12, NULL);
    refuse(path, "/fclib_local/vectors/q", "none were ever written", NULL);
    make_local();
    replace("/fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, INT_MAX, NULL);
    refuse(path, "/fclib_local/vectors/mu", "none were ever written", NULL);
    make_local();
    replace("/fclib_local/W/i", H5T_NATIVE_INT, INT_MAX, NULL);
    refuse(path, "/fclib_local/W/i", "none were ever written", NULL);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    CHECK(usage.ru_maxrss < 1000000); // kB: nothing of the promised gigabytes was touched
}

CASE(packed_data)
{
    // Deflated data are read; a chunk that would unpack to more than deflate can do is not.
    make_local();
    plait_problem *p = plait_problem_read(path, NULL, NULL);
    double q[12];
    memcpy(q, p->b, sizeof q);
    hid_t file = edited(), list = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t extent = 12, chunk = 5;
    H5Ldelete(file, "/fclib_local/vectors/q", H5P_DEFAULT);
    H5Pset_chunk(list, 1, &chunk), H5Pset_shuffle(list), H5Pset_deflate(list, 6);
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t id = H5Dcreate2(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q);
    H5Dclose(id), H5Fclose(file);
    plait_problem *packed = plait_problem_read(path, NULL, NULL);
    check_same_problem(p, packed);
    plait_problem_free(p), plait_problem_free(packed);

    make_local();
    file = edited();
    H5Ldelete(file, "/fclib_local/vectors/q", H5P_DEFAULT);
    H5Pset_scaleoffset(list, H5Z_SO_FLOAT_DSCALE, 3);
    id = H5Dcreate2(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q);
    H5Dclose(id), H5Sclose(space), H5Pclose(list), H5Fclose(file);
    refuse(path, "/fclib_local/vectors/q", "unusual filter", NULL);
}

// A file must not make us read other files.
CASE(data_that_are_elsewhere)
{
    make_local();
    CHECK_INT(rename(path, "whole.hdf5"), 0);
    make_local();
    drop("/fclib_local/vectors/q");
    hid_t file = edited();
    H5Lcreate_external("whole.hdf5", "/fclib_local/vectors/q", file, "/fclib_local/vectors/q", H5P_DEFAULT,
                       H5P_DEFAULT);
    H5Fclose(file);
    refuse(path, "/fclib_local/vectors/q", "found nothing of this name", NULL);
    make_local();
    drop("/fclib_local/vectors/q");
    file = edited();
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(list, "whole.hdf5", 0, 96);
    hsize_t extent = 12;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t id = H5Dcreate2(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Dclose(id), H5Sclose(space), H5Pclose(list), H5Fclose(file);
    refuse(path, "/fclib_local/vectors/q", "outside of the file", NULL);
}

// ---- odd, but read -----------------------------------------------------------------------------------------------

CASE(a_dense_matrix_that_claims_to_be_sparse)
{
    make_local();
    plait_problem *p = plait_problem_read(path, NULL, NULL);
    double *full = full_delassus(p), columns[144];
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            columns[12 * j + i] = full[12 * i + j];
    // p: nothing at all; of length 0; of the right length, but never written; all zeros.
    for (int kind = 0; kind < 4; kind++) {
        int zeros[13] = {0};
        make_local();
        replace("/fclib_local/W/x", H5T_NATIVE_DOUBLE, 144, columns);
        replace_int("/fclib_local/W/nzmax", 144);
        if (kind == 0)
            drop("/fclib_local/W/p");
        else
            replace("/fclib_local/W/p", H5T_NATIVE_INT, kind == 1 ? 0 : 13, kind == 3 ? zeros : NULL);
        plait_problem *q = plait_problem_read(path, NULL, NULL);
        check_same_problem(p, q);
        plait_problem_free(q);
    }
    free(full);
    plait_problem_free(p);
}

// H is not square: its values lie column by column, contact by contact.
CASE(a_dense_jacobian_that_claims_to_be_sparse)
{
    make_global();
    plait_problem *p = plait_problem_read(path, NULL, NULL);
    const plait_sparse *H = &p->dynamics->H;
    double *columns = calloc((size_t)H->rows * (size_t)H->cols, sizeof *columns);
    for (int i = 0; i < H->rows; i++)
        for (int64_t k = H->ptr[i]; k < H->ptr[i + 1]; k++)
            columns[i * H->cols + H->col[k]] = H->val[k];
    replace("/fclib_global/H/x", H5T_NATIVE_DOUBLE, (int64_t)H->rows * H->cols, columns);
    replace_int("/fclib_global/H/nzmax", H->rows * H->cols);
    drop("/fclib_global/H/p");
    plait_problem *q = plait_problem_read(path, NULL, NULL);
    check_same_problem(p, q);
    free(columns);
    plait_problem_free(p), plait_problem_free(q);
}

CASE(words_of_any_kind)
{
    plait_problem *p = sample_local_problem(3, 2);
    plait_problem_text in = {.title = "t", .description = "d", .math_info = "m"}, out;
    CHECK_INT(plait_problem_write(path, p, &in, NULL), PLAIT_OK);
    plait_problem_free(p);
    // 100 two-byte letters: the title has room for 63 of them.
    char letters[201] = "";
    for (int i = 0; i < 100; i++)
        memcpy(letters + 2 * i, "\xc3\xa9", 3);
    replace_text("/fclib_local/info/title", letters);
    replace_int("/fclib_local/info/math_info", 7); // not words: none
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    const char *text = "of variable length";
    replace("/fclib_local/info/description", type, 1, &text);
    H5Tclose(type);
    p = plait_problem_read(path, &out, NULL);
    CHECK(p != NULL);
    CHECK_INT((long long)strlen(out.title), 126);
    CHECK(memcmp(out.title, letters, 126) == 0);
    CHECK_STR(out.description, text);
    CHECK_STR(out.math_info, "");
    plait_problem_free(p);
}

CASE(hdf5_stays_as_talkative_as_it_was)
{
    H5E_auto2_t before = NULL, after = NULL;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    CHECK(before != NULL);
    CHECK(plait_problem_read("there_is_no_such.hdf5", NULL, NULL) == NULL);
    write_text_file(path, "\x89HDF\r\n\x1a\n and then something else", 32);
    CHECK(plait_problem_read(path, NULL, NULL) == NULL);
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    CHECK(before == after);
}
