// .hair files: written and read again, bytes where the format has them, and files that are none.
#include "check.h"
#include "plait/io.h"

static const char *const PATH = "io_hair_test.hair";

static void spit(const unsigned char *bytes, size_t size)
{
    FILE *f = fopen(PATH, "wb");
    CHECK(f && fwrite(bytes, 1, size, f) == size);
    if (f)
        fclose(f);
}

static size_t slurp(unsigned char *bytes, size_t room)
{
    FILE *f = fopen(PATH, "rb");
    size_t n = f ? fread(bytes, 1, room, f) : 0;
    if (f)
        fclose(f);
    return n;
}

CASE(there_and_back)
{
    int first[3] = {0, 3, 5};
    double point[15];
    for (int i = 0; i < 15; i++)
        point[i] = 0.125 * i - 0.5;
    plait_hair hair = {.strands = 2, .first = first, .point = point, .thickness = 0.25, .info = "two strands"};
    plait_error error = {0};
    CHECK_INT(plait_hair_write(PATH, &hair, &error), PLAIT_OK);
    unsigned char b[256];
    CHECK_INT((int)slurp(b, sizeof b), 128 + 4 + 60);
    CHECK(memcmp(b, "HAIR\2\0\0\0\5\0\0\0\3\0\0\0", 16) == 0 && memcmp(b + 40, "two strands", 12) == 0);
    CHECK(b[128] == 2 && b[129] == 0 && b[130] == 1 && b[131] == 0);
    CHECK(memcmp(b + 132, "\0\0\0\xbf", 4) == 0); // -0.5 in single precision
    plait_hair *read = plait_hair_read(PATH, &error);
    if (CHECK(read)) {
        CHECK(read->strands == 2 && read->thickness == 0.25);
        CHECK_STR(read->info, "two strands");
        CHECK(memcmp(read->first, first, sizeof first) == 0 && memcmp(read->point, point, sizeof point) == 0);
    }
    plait_hair_free(read);
    plait_hair_free(NULL);
    remove(PATH);
}

// Widths, transparencies and colours of points, and those of all strands, come back as they were.
CASE(arrays_of_points)
{
    int first[3] = {0, 3, 5};
    double point[15] = {0};
    float width[5], clear[5], colour[15];
    for (int i = 0; i < 15; i++)
        point[i] = i, colour[i] = 0.0625f * (float)i, width[i % 5] = 0.01f * (float)i, clear[i % 5] = 0.5f;
    plait_hair hair = {.strands = 2, .first = first, .point = point, .thickness = 0.25, .tint = {0.25, 0.5, 0.75}};
    hair.width = width, hair.transparency = clear, hair.colour = colour, hair.clear = 0.125;
    plait_error error = {0};
    CHECK_INT(plait_hair_write(PATH, &hair, &error), PLAIT_OK);
    unsigned char b[400];
    CHECK_INT((int)slurp(b, sizeof b), 128 + 4 + 5 * (12 + 4 + 4 + 12));
    CHECK_INT(b[12], 31);
    CHECK(memcmp(b + 28, "\0\0\x80\x3e", 4) == 0);                                     // .25 in single precision
    CHECK(memcmp(b + 132 + 60, &width[0], 4) == 0 && memcmp(b + 212, clear, 20) == 0); // after the points
    plait_hair *read = plait_hair_read(PATH, &error);
    if (CHECK(read && read->width && read->colour && read->transparency)) {
        CHECK(memcmp(read->width, width, sizeof width) == 0 && memcmp(read->colour, colour, sizeof colour) == 0);
        CHECK(memcmp(read->transparency, clear, sizeof clear) == 0 && read->tint[2] == 0.75 && read->clear == 0.125);
    }
    plait_hair_free(read);
    // one that is not finite is refused, both ways
    memcpy(b + 212 + 20 + 8, "\0\0\x80\x7f", 4);
    spit(b, 292);
    CHECK(!plait_hair_read(PATH, &error) && strstr(error.text, "colour component 2"));
    colour[3] = NAN;
    CHECK_INT(plait_hair_write(PATH, &hair, &error), PLAIT_BAD_INPUT);
    remove(PATH);
}

// No list of segments, but colours and thickness per point.
CASE(other_arrays)
{
    unsigned char b[128 + 6 * (12 + 4 + 12)] = "HAIR";
    b[4] = 2, b[8] = 6, b[12] = 2 | 4 | 16, b[16] = 2;
    const float one = 1;
    for (int i = 0; i < 6; i++)
        memcpy(b + 128 + 12 * i, &one, 4);
    spit(b, sizeof b);
    plait_error error = {0};
    plait_hair *read = plait_hair_read(PATH, &error);
    if (CHECK(read))
        CHECK(read->first[1] == 3 && read->first[2] == 6 && read->point[3] == 1 && read->point[4] == 0 && read->width &&
              read->colour && !read->transparency);
    plait_hair_free(read);
    remove(PATH);
}

CASE(bad_files)
{
    int first[2] = {0, 2};
    double point[6] = {0, 0, 0, 1, 0, 0};
    plait_hair hair = {.strands = 1, .first = first, .point = point};
    unsigned char b[256], bad[256];
    plait_error error = {0};
    CHECK(!plait_hair_read("there-is-none.hair", &error));
    CHECK_INT(error.status, PLAIT_BAD_FILE);
    CHECK_INT(plait_hair_write(PATH, &hair, &error), PLAIT_OK);
    size_t n = slurp(b, sizeof b);
    CHECK_INT((int)n, 128 + 2 + 24);
    for (size_t cut = 0; cut < n; cut++) {
        spit(b, cut);
        CHECK(!plait_hair_read(PATH, &error));
    }
    const struct {
        int at, value;
    } wrong[] = {{0, 'X'}, {4, 0}, {4, 9}, {8, 1}, {11, 255}, {12, 1}, {13, 1}, {128, 7}, {128, 0}, {133, 0x7f}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(bad, b, n);
        bad[wrong[i].at] = (unsigned char)wrong[i].value;
        if (wrong[i].at == 133)
            bad[132] = 0x80; // infinity
        spit(bad, n);
        error.text[0] = 0;
        if (!CHECK(!plait_hair_read(PATH, &error)))
            printf("byte %d = %d was read\n", wrong[i].at, wrong[i].value);
        CHECK(strstr(error.text, PATH) == error.text);
    }
    point[1] = NAN;
    CHECK_INT(plait_hair_write(PATH, &hair, &error), PLAIT_BAD_INPUT);
    point[1] = 1e300; // not finite in single precision
    CHECK_INT(plait_hair_write(PATH, &hair, &error), PLAIT_BAD_INPUT);
    point[1] = 0, first[1] = 1;
    CHECK_INT(plait_hair_write(PATH, &hair, &error), PLAIT_BAD_INPUT);
    first[1] = 2;
    CHECK_INT(plait_hair_write("no-such-folder/x.hair", &hair, &error), PLAIT_BAD_FILE);
    remove(PATH);
}
