// Folders that we wrote, of slices or chunks: names of their members, and how such a folder is recognised.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tl::io {

inline constexpr const char* scale_file = "scale.json";

// NAME_00000.tif: five digits, or more if `slices` needs them, so that names sort.
std::string slice_name(const std::string& stack, int64_t index, int64_t slices);
// NAME_00000.png: the frames of a movie. A finished folder of frames is never replaced.
std::string frame_name(const std::string& stack, int64_t index, int64_t frames);
// The stack name of the TIFFs in a folder, by the first of them, or of the files of a series; empty if that is named
// in another way.
std::string stack_name_in(const std::filesystem::path& folder);

// NAME_00000.dcm: the slices of a series.
std::string dicom_name(const std::string& stack, int64_t index, int64_t slices);

// A folder may be replaced only if all of it is ours: it contains nothing but slices of one name and scale.json, or
// nothing but the headers and chunks of arrays of Zarr, and it embeds our pipeline. Otherwise invalid, with the reason.
Result<void> check_is_our_folder(const std::filesystem::path& folder);

// Removes the members of an unfinished or replaced folder, and the folder if nothing else is in it. Members are files
// with one hard link that are named like slices, frames, scale.json, or headers and chunks of Zarr in folders of
// theirs; everything else stays.
void remove_folder_members(const std::filesystem::path& folder, const std::string& stack);

}  // namespace tl::io
