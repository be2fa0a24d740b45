// What readers of laboratory scanners share: a text file that describes a scan, next to its frames.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/text/key_value_file.h"
#include "core/io/tiff/scan.h"

namespace tl::io {

// Numbers of scanner files that are believed: lengths [mm], steps and angles [deg].
inline constexpr Bounds believed_lengths{1e-6, 1e9}, believed_steps{-360, 360}, believed_angles{-1e6, 1e6};

// The file itself, if it is wanted, or the files of a folder that are.
std::vector<std::filesystem::path> scanner_files(const std::filesystem::path& path,
                                                 bool (*is_wanted)(const std::filesystem::path& file));
// The one file among them. Invalid if there is none or more than one; `kind` names it: ".xtekct file".
Result<std::filesystem::path> only_scanner_file(const std::filesystem::path& path,
                                                const std::vector<std::filesystem::path>& files,
                                                const std::string& kind);

// Invalid unless the frames have the rows and columns that the file states in the keys named.
Result<void> check_frame_size(const ScanInfo& info, int64_t rows, int64_t cols, const std::string& keys);

// The frames PREFIX NUMBER.tif next to the file, by the first of the prefixes that has any, in the order of their
// numbers; the case of letters does not count. Other TIFFs next to them are previews and references of the scanner,
// which are noted, but for as many as the reader uses. Invalid if there are none.
Result<std::vector<std::filesystem::path>> numbered_scanner_frames(const std::filesystem::path& description,
                                                                   const std::vector<std::string>& prefixes,
                                                                   ScanInfo& info, int64_t used_references = 0);
// Which of the scan's frames these are, from 0 on, by their numbers, however many are left out. Views that are missing
// are noted, as is another number of frames than the file states. Invalid if two frames have one number.
Result<std::vector<int64_t>> indices_of_frames(const std::vector<std::filesystem::path>& frames, int64_t stated,
                                               ScanInfo& info);

// Leaves out the frame behind so many views, if there is one, and notes it with the reason: "it repeats the first
// view". Invalid if two frames have one number.
Result<void> leave_out_frame_behind(int64_t views, const std::string& reason,
                                    std::vector<std::filesystem::path>& frames, ScanInfo& info);

// Frames that the scanner has corrected: `level` counts are the flat of all pixels, and 0 the dark. `source` is the key
// that states it. Counts are returned as stored.
void divide_by_level(double level, const std::string& source, ScanInfo& info,
                     std::optional<UniformReferences>& references);

// The same for a scanner that does not state the level: the largest count is guessed, unless the user names flats or
// says that pixels are not counts.
void guess_level(const ScanChoices& choices, ScanInfo& info, std::optional<UniformReferences>& references);

// Invalid if the user says that frames are sinograms.
Result<void> check_frames_are_views(const ScanChoices& choices, const std::filesystem::path& path,
                                    const std::string& scanner);

}  // namespace tl::io
