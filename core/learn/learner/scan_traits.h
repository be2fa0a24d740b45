// ScanTraits: properties of a scan that can be seen in its views, but are not in its metadata.
#pragma once

namespace tl {
struct Projections;
}

namespace tl::learn {

// Properties of an output that can be seen in its views, but are not in its metadata.
struct ScanTraits {
  bool leaves_rows = false;  // the object reaches the ends of the rows: too large, or half acquisition
};
ScanTraits traits_of(const Projections& scan);

}  // namespace tl::learn
