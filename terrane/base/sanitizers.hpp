// SPDX-License-Identifier: Apache-2.0
// sanitizers.hpp: which of them this is compiled with, whoever the compiler is: TERRANE_ASAN,
// TERRANE_TSAN.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define TERRANE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TERRANE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TERRANE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TERRANE_TSAN 1
#endif
#endif
