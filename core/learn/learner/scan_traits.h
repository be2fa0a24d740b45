// ScanTraits: what the views of a scan show beyond what is declared of them.
#pragma once

namespace tl {
struct Projections;
}

namespace tl::learn {

// What the views of an output show beyond what is declared of them.
struct ScanTraits {
  bool leaves_rows = false;  // the object reaches the ends of the rows: too large, or half acquisition
};
ScanTraits traits_of(const Projections& scan);

}  // namespace tl::learn
