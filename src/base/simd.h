// simd.h: fixed-width lanes that the compiler turns into vector instructions of the machine it runs on.
//
// Loops over PLAIT_LANES independent items are written plainly; PLAIT_CLONES compiles a function for several
// instruction sets and the loader picks one. Floating-point contraction is off everywhere, so all clones give the
// same bits.
#ifndef PLAIT_BASE_SIMD_H
#define PLAIT_BASE_SIMD_H

#define PLAIT_LANES 8

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define PLAIT_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PLAIT_SANITIZED 1
#endif

// Sanitizers and dispatch at load time do not mix.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(PLAIT_SANITIZED)
#define PLAIT_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PLAIT_CLONES
#endif

#endif
