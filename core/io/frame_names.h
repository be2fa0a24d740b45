// What the names of frame files and folders tell: their order, and which are flats or darks.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace tl::io {

enum class FrameKind { projection, flat, dark };

// Numbers in names count as numbers: a2 comes before a10.
bool natural_less(std::string_view a, std::string_view b);
// By the words in a name, whatever its case: flat, white, bright, ff, io, ref; dark, di, df, dk.
FrameKind frame_kind(std::string_view name);
// True when the name says that the references were taken after the scan.
bool taken_after(std::string_view name);

// Whether a file of that name counts as a frame: .tif or .tiff, whatever the case.
bool is_tiff_name(const std::filesystem::path& file);
// The TIFF files of a folder in natural order; none when it is no folder.
std::vector<std::filesystem::path> tiff_files(const std::filesystem::path& folder);
// The folders in a folder, in natural order.
std::vector<std::filesystem::path> subfolders(const std::filesystem::path& folder);

}  // namespace tl::io
