// status.h: how the library reports trouble.
//
// Three kinds of trouble are never mixed: a programmer error is an assert; bad input, I/O and memory give a
// plait_status and a message in a plait_error that the caller owns; "not converged" is a report, not an error.
// The library never prints and never exits.
#ifndef PLAIT_STATUS_H
#define PLAIT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PLAIT_API __attribute__((visibility("default")))
#define PLAIT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PLAIT_API
#define PLAIT_PRINTF(fmt, args)
#endif

typedef enum plait_status {
    PLAIT_OK = 0,
    PLAIT_BAD_INPUT, // the data cannot be what the caller meant; the message says what was expected and found
    PLAIT_BAD_FILE,  // a file cannot be read or written
    PLAIT_NO_MEMORY  // an allocation failed
} plait_status;

// What went wrong, in one sentence for a person. Zero-initialise it; any function may be given NULL instead.
typedef struct plait_error {
    plait_status status;
    char text[512];
} plait_error;

// Stores a formatted message and returns the status, so that a failing function can `return plait_error_set(...)`.
PLAIT_API plait_status plait_error_set(plait_error *error, plait_status status, const char *format, ...)
    PLAIT_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
