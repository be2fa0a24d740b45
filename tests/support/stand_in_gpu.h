// A device that is not the processor and has its memory on the host: the same pipelines, the same moves, without a
// GPU.
#pragma once

#include <cstdint>
#include <string>

#include "gpu/device/launch.h"

namespace tl::test {

inline constexpr const char* stand_in_device = "privateuseone:0";

// While one lives, tensors may be put on stand_in_device: torch's operators compute there on the CPU, and
// refuse, as those of a GPU do, tensors of several devices; functors run on the host. One at a time.
class StandIn {
 public:
  StandIn();
  ~StandIn();
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  // Allocations beyond so many bytes at a time are refused as a GPU refuses them.
  static void limit_memory(int64_t bytes);
  // Since construction: the largest number of bytes in use, and bytes brought there and back.
  static int64_t peak();
  static int64_t uploaded();
  static int64_t downloaded();

 private:
  StandInDevice gpu_;
};

}  // namespace tl::test
