// Information in the names of frame files and folders: their order, and which are flats or darks.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace tl::io {

enum class FrameKind { projection, flat, dark };

// Natural order: numbers in names are compared as numbers, so a2 comes before a10.
bool natural_less(std::string_view a, std::string_view b);
// The kind of a frame by the words in its name, ignoring case. Flat: flat..., white..., bright..., ff, io, ref, refhst;
// dark: dark..., di, df, dk. Words that the other name has too say nothing.
FrameKind frame_kind(std::string_view name, std::string_view without_words_of = {});
// Whether the name says that the references were taken after the scan (after, post, end).
bool is_taken_after_scan(std::string_view name);

// The files of a folder whose names are wanted, in natural order; none if it is not a folder.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            bool (*is_wanted)(const std::filesystem::path& file));

// Whether a file name ends in .tif or .tiff, ignoring case.
bool is_tiff_name(const std::filesystem::path& file);
// The TIFF files of a folder in natural order; none if it is not a folder.
std::vector<std::filesystem::path> tiff_files(const std::filesystem::path& folder);
bool has_tiff_files(const std::filesystem::path& folder);

// The same for EDF files, whose names end in .edf, or in .edf.gz if they are compressed.
bool is_edf_name(const std::filesystem::path& file);
// The name without these endings.
std::string edf_stem(const std::filesystem::path& file);
std::vector<std::filesystem::path> edf_files(const std::filesystem::path& folder);

// Whether a name is that of a frame: TIFF or EDF.
bool is_frame_name(const std::filesystem::path& file);
bool has_frame_files(const std::filesystem::path& folder);

// The folders in a folder, in natural order.
std::vector<std::filesystem::path> subfolders(const std::filesystem::path& folder);

}  // namespace tl::io
