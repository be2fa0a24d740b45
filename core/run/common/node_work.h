// NodeWork: how much a node has computed, or has to compute, in numbers that its time grows with.
#pragma once

#include <cstdint>

namespace tl {

struct NodeWork {
  int64_t calls = 0;   // of run() or accumulate()
  double read = 0;     // numbers in its inputs, flats and darks included; of a source, pixels of the views touched
  double made = 0;     // numbers in its outputs, each times the views (or voxels along a ray) that are summed in it
  double seconds = 0;  // that it took; 0 of planned work

  NodeWork& operator+=(const NodeWork& more) {
    calls += more.calls;
    read += more.read;
    made += more.made;
    seconds += more.seconds;
    return *this;
  }
};

}  // namespace tl
