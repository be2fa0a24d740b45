// ScanTraits: properties of a scan that its views show and its metadata do not state.
#pragma once

namespace tl {
struct Projections;
}

namespace tl::learn {

// Properties of an output that its views show and its metadata do not state.
struct ScanTraits {
  bool leaves_rows = false;  // the object reaches the ends of the rows: too large, or half acquisition
};
ScanTraits traits_of(const Projections& scan);

}  // namespace tl::learn
