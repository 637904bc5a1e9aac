// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/os_locks.hpp"

#include "terrane/base/atomic.hpp"

namespace terrane {

namespace {
// As what it is put in front of, the process's. Written once, by whoever is first.
atomic<void (*)()> hears_of_waits{nullptr};
}  // namespace

void on_os_wait(void (*hear)()) { hears_of_waits.store(hear, memory_order_relaxed); }

}  // namespace terrane

#if defined(TERRANE_CHECKED) && !defined(TERRANE_TSAN)

#include <dlfcn.h>
#include <pthread.h>

namespace {

__thread int held_here = 0;

/// What the C library, or a sanitizer, has by that name.
template <class F>
F* behind(F*, const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

int counted(int problem) {
  if (problem == 0) ++held_here;
  return problem;
}

}  // namespace

namespace terrane {
int os_locks_held() { return held_here; }
}  // namespace terrane

#define TERRANE_BEHIND(name) static auto* const real = behind(&name, #name)

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* lock) noexcept {
  TERRANE_BEHIND(pthread_mutex_lock);
  return counted(real(lock));
}
int pthread_mutex_trylock(pthread_mutex_t* lock) noexcept {
  TERRANE_BEHIND(pthread_mutex_trylock);
  return counted(real(lock));
}
int pthread_mutex_unlock(pthread_mutex_t* lock) noexcept {
  TERRANE_BEHIND(pthread_mutex_unlock);
  --held_here;
  return real(lock);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  TERRANE_BEHIND(pthread_rwlock_rdlock);
  return counted(real(lock));
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  TERRANE_BEHIND(pthread_rwlock_wrlock);
  return counted(real(lock));
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  TERRANE_BEHIND(pthread_rwlock_unlock);
  --held_here;
  return real(lock);
}
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* lock) {
  TERRANE_BEHIND(pthread_cond_wait);
  if (const auto hear = terrane::hears_of_waits.load(terrane::memory_order_relaxed)) hear();
  return real(condition, lock);
}

}  // extern "C"

#endif
