// Looks at a few rows of a scan's flats, darks and views: which references are odd ones, and what does not fit
// together.
#pragma once

#include <vector>

#include "core/io/reader/scan.h"
#include "core/io/reader/scan_choices.h"

namespace tl::io {

// The flats and darks to use, by index, and what is wrong with others and with the levels.
struct ReferenceCheck {
  std::vector<int64_t> flats, darks;
  std::vector<Doubt> doubts;
};

// Reads some rows in the middle of all flats and darks and of a few views. If these cannot be read, all references are
// used and no doubt is reported: reading them later gives the error. Errors: cancelled.
Result<ReferenceCheck> check_references(ScanReader& scan, const ScanChoices& choices, const CancelToken& cancel);

}  // namespace tl::io
