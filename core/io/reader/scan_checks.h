// Helpers of all scan readers: checks of sizes, and defaults for missing metadata.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/io/reader/scan.h"
#include "core/io/reader/scan_choices.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/numbered_frames.h"

namespace tl::io {

// Uninitialised float32 [n, rows, cols]. Sizes are checked before memory is allocated; `unavailable` if memory is
// insufficient.
Result<at::Tensor> new_frames(int64_t n, int64_t rows, int64_t cols, const std::string& where);

// Invalid unless rows, columns and views lie inside the scan.
Result<void> check_region(const ScanInfo& info, Range views, Range rows, Range cols);

// Invalid if there are no frames, rows or columns, or implausibly many (more than 2^24 frames or 2^31 pixels each).
Result<void> check_sizes(int64_t frames, int64_t rows, int64_t cols, const std::string& where);

// Fills missing metadata: angles over 180 degrees (end not included), pixels of 1 mm; adds notes about it.
void guess_missing(ScanInfo& info);

// apply() and guess_missing() for a scan with missing views: views `indices` of `all` exist, and get the angles of
// these indices. A file of angles has one angle for each existing view, or for all.
Result<void> apply_with_gaps(const ScanChoices& choices, std::span<const int64_t> indices, int64_t all, ScanInfo& info);

// "12 of 180 views are missing: ...". `what`: name of the frames in the plural.
std::string missing_frames_note(const NumberedFrames& frames, const std::string& what);

// apply(), note_missing_references() and guess_missing(); views missing from the sequence of frame numbers are noted,
// and angles follow the numbers.
Result<void> apply_and_guess(const ScanChoices& choices, const std::optional<NumberedFrames>& numbers, ScanInfo& info);

// Adds a note if there are no flats or no darks and the choices name none, and if the pixels may be normalised already.
void note_missing_references(const ScanChoices& choices, ScanInfo& info);

// Whether pixels of this type ("uint16", ...) fit uint16.
bool holds_counts(const std::string& pixel_type);

// The note about the sense of rotation, if a file does not state it; `source` is the item that contains the angles.
std::string rotation_note(const std::string& source);

// Invalid unless all values are finite.
Result<void> check_finite(const std::vector<double>& values, const std::string& what, const std::string& where);

// Between the smallest and the largest angle [rad]; 0 if there are none.
double span_of_angles(const ScanInfo& info);
// A doubt if the angles cover so few degrees that they are probably radians.
std::optional<Doubt> doubt_about_angles(const ScanInfo& info);

// Hint if a file's angles cannot be used: the parameters of the load node that replace them.
std::string advice_on_angles();

// "1 flat", "3 flats".
std::string counted(int64_t n, const std::string& singular);

}  // namespace tl::io
