// For tests of limits of recursion: the frames of a sanitizer can be larger than the usual stack.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include "base/test_sanitizers.h"

namespace shlo {

// Runs `body` on a stack of 8 MiB, as programs have it, or of 512 MiB under AddressSanitizer.
template <typename Body>
void OnOwnStack(Body body) {
  constexpr size_t megabytes = kSanitized ? 512 : 8;
  const auto run = [](void* argument) -> void* {
    (*static_cast<Body*>(argument))();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_t thread;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, megabytes << 20), 0);
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace shlo
