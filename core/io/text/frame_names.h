// Information in the names of frame files and folders: their order, and which are flats or darks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tl::io {

enum class FrameKind { projection, flat, dark };

// Natural order: numbers in names are compared as numbers, so a2 comes before a10.
bool natural_less(std::string_view a, std::string_view b);
// Sorts the names of one folder, where "-" before a number may be a sign: if another name has a number at that position
// (a-1, a0, a1), or if it follows neither letter nor digit and the numbers have no leading zeros (a_-10, a_-9).
// Elsewhere (scan-10, 2024-01-05) it is a separator.
void sort_naturally(std::vector<std::filesystem::path>& files);
// The kind of a frame by the words in its name, ignoring case; capital letters and digits begin words. Flat: flat,
// white and bright, alone or as in flats, flatfield, flat_before, FlatAfter; ff, io, ref, refhst. Dark: dark, in the
// same forms; di, df, dk. Longer words (flatworm, whitefly, darkroom) do not count, nor do words that also occur in
// `without_words_of`.
FrameKind frame_kind(std::string_view name, std::string_view without_words_of = {});
// Whether the name indicates that the references were taken after the scan (after, post, end).
bool is_taken_after_scan(std::string_view name);

// The members of a folder in natural order, without those whose names begin with a point: hidden files, and the
// companions ._NAME of macOS.
std::vector<std::filesystem::path> visible_members(const std::filesystem::path& folder);
// The files in the folder whose names are accepted; none if it is not a folder.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            bool (*is_wanted)(const std::filesystem::path& file));

// Whether a file name ends in .tif or .tiff, ignoring case.
bool is_tiff_name(const std::filesystem::path& file);
// The TIFF files of a folder in natural order; none if it is not a folder.
std::vector<std::filesystem::path> tiff_files(const std::filesystem::path& folder);
bool has_tiff_files(const std::filesystem::path& folder);

// The EDF files, whose names end in .edf, or in .edf.gz if they are compressed.
bool is_edf_name(const std::filesystem::path& file);
// The name without these endings.
std::string edf_stem(const std::filesystem::path& file);
std::vector<std::filesystem::path> edf_files(const std::filesystem::path& folder);

// Whether a file name has the ending of a frame: TIFF or EDF.
bool is_frame_name(const std::filesystem::path& file);
bool has_frame_files(const std::filesystem::path& folder);

// The folders in a folder, in natural order.
std::vector<std::filesystem::path> subfolders(const std::filesystem::path& folder);

}  // namespace tl::io
