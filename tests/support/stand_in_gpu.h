// A device other than the CPU whose memory is on the host: tests pipelines and transfers without a
// GPU.
#pragma once

#include <cstdint>
#include <string>

#include "gpu/device/launch.h"

namespace tl::test {

inline constexpr const char* stand_in_device = "privateuseone:0";

// While an object exists, tensors may be placed on stand_in_device: torch's operators compute on the CPU for it, and
// refuse tensors on different devices, like those of a GPU; functors run on the host. One at a time.
class StandIn {
 public:
  StandIn();
  ~StandIn();
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  // Allocations are refused beyond a total of so many bytes, as by a GPU.
  static void limit_memory(int64_t bytes);
  // Since construction: the largest number of bytes in use, and bytes brought there and back.
  static int64_t peak();
  static int64_t uploaded();
  static int64_t downloaded();

 private:
  StandInDevice gpu_;
};

}  // namespace tl::test
