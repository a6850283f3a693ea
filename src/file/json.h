// json.h: a JSON text as a tree of values in one array.
#ifndef PLAIT_FILE_JSON_H
#define PLAIT_FILE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "plait/status.h"

typedef enum plait_json_kind {
    PLAIT_JSON_NULL,
    PLAIT_JSON_BOOL, // number is 0 or 1
    PLAIT_JSON_NUMBER,
    PLAIT_JSON_STRING, // text as it stands between its quotes
    PLAIT_JSON_LIST,
    PLAIT_JSON_MAP
} plait_json_kind;

typedef struct plait_json_value {
    plait_json_kind kind;
    double number;
    const char *text, *key; // key: of an entry of a map; NULL: in a list
    size_t length, key_length;
    int child, next, count; // places of the first entry and of the next one of the same list; -1: none
} plait_json_value;

typedef struct plait_json {
    plait_json_value *value; // [0] is the whole
    int values;
    size_t room;
} plait_json;

// False with a message; the text stays where it is, and text[size] is 0.
bool plait_json_parse(plait_json *json, const char *name, const char *text, size_t size, plait_error *error);
void plait_json_free(plait_json *json);
int plait_json_get(const plait_json *json, int map, const char *key); // -1: there is none
int plait_json_at(const plait_json *json, int list, int i);           // -1: there is none
double plait_json_number(const plait_json *json, int map, const char *key, double otherwise);
// A whole number from 0 on; -1: it is none, or there is none.
int plait_json_index(const plait_json *json, int map, const char *key);
bool plait_json_is(const plait_json *json, int value, const char *text);

#endif
