// NodeWork: how much a node has computed, or has to compute, in numbers that its time grows with.
#pragma once

#include <cstdint>

namespace tl {

struct NodeWork {
  int64_t calls = 0;   // of run() or accumulate()
  double read = 0;     // numbers in its inputs, flats and darks included; for a source, pixels of the views it reads
  double made = 0;     // numbers in its outputs, each times the number of views (or voxels along a ray) summed for it
  double seconds = 0;  // measured time; 0 for planned work

  NodeWork& operator+=(const NodeWork& more) {
    calls += more.calls;
    read += more.read;
    made += more.made;
    seconds += more.seconds;
    return *this;
  }
};

}  // namespace tl
