// SPDX-License-Identifier: Apache-2.0
// sanitizers.hpp: TERRANE_ASAN and TERRANE_TSAN are defined if this is compiled with that
// sanitizer, by g++ or clang.
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
