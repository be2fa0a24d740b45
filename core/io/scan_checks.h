// What all scan readers share: checked sizes, and the guesses for what a scan does not say.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/io/scan.h"

namespace tl::io {

// Uninitialised float32 [n, rows, cols]; sizes are checked before memory is asked for, a refusal is `unavailable`.
Result<at::Tensor> new_frames(int64_t n, int64_t rows, int64_t cols, const std::string& where);

// The asked rows and columns (and views) lie inside the scan.
Result<void> check_region(const ScanInfo& info, Range views, Range rows, Range cols);

// At least one view, rows and columns, and no more frames than any scan has (2^24).
Result<void> check_sizes(int64_t frames, int64_t rows, int64_t cols, const std::string& where);

// Fills what nobody told: angles over 180 degrees (end not included), pixels of 1 mm, and says so in the notes.
void guess_missing(ScanInfo& info);

// Notes that there are no flats or no darks, and what that means for pixels that may be normalised already.
void note_missing_references(ScanInfo& info);

// Whether pixels of a type ("uint16", ...) fit counts, which are uint16.
bool holds_counts(const std::string& pixel_type);

// Every angle is a finite number.
Result<void> check_finite(const std::vector<double>& values, const std::string& what, const std::string& where);

// What to do where a file's angles cannot be used: the parameters of the load node that replace them.
inline constexpr const char* advice_on_angles =
    "Correct the file, or give the angles: angles_dataset, angles_file or angle_step of the load node (--angles)";

// "1 flat", "3 flats".
std::string counted(int64_t n, const std::string& singular);

}  // namespace tl::io
