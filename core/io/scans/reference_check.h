// Looks at a few rows of a scan's flats, darks and views: which references are odd ones, and what does not fit
// together.
#pragma once

#include <vector>

#include "core/io/reader/scan.h"

namespace tl::io {

// The flats and darks to use, by index, and what is wrong with others and with the levels.
struct ReferenceCheck {
  std::vector<int64_t> flats, darks;
  std::vector<Doubt> doubts;
};

enum class OddReferences { leave_out, keep };
enum class UseOfDarks { all, none };  // none: the dark signal is 0

// What the user says about references and pixels.
struct ReferenceUse {
  OddReferences odd = OddReferences::leave_out;
  UseOfDarks darks = UseOfDarks::all;
  double pixel_unit = 1;  // what the number 1 means where pixels are not counts: 0.01 for percent
};

// Reads some rows in the middle of all flats and darks and of a few views. All references are used, without a doubt,
// where these cannot be read: reading all of them gives the error. Errors: cancelled.
Result<ReferenceCheck> check_references(ScanReader& scan, const ReferenceUse& use, const CancelToken& cancel);

}  // namespace tl::io
