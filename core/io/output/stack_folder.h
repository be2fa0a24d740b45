// Folders of slices or chunks that this program wrote: names of their members, and how such a folder is recognised.
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
// The stack name of the TIFFs in a folder, or of the files of a series, from the first file name; empty for names of
// another form.
std::string stack_name_in(const std::filesystem::path& folder);

// NAME_00000.dcm: file name of a slice of a series.
std::string dicom_name(const std::string& stack, int64_t index, int64_t slices);

// A folder may be replaced only if this program wrote all of it: it contains only slices of one name and scale.json, or
// only headers and chunks of Zarr arrays, and it embeds a pipeline of Tomoloom. Otherwise invalid, with the reason.
Result<void> check_is_our_folder(const std::filesystem::path& folder);

// Removes the members of an unfinished or replaced folder, and the folder if it is then empty. Members are files with
// one hard link that are named like slices, frames, scale.json, or headers and chunks of Zarr in their folders;
// everything else stays.
void remove_folder_members(const std::filesystem::path& folder, const std::string& stack);

}  // namespace tl::io
