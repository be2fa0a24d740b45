// Folders of slices that we wrote: names of their members, and how such a folder is recognised.
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
// Whether a file is named like a slice of that stack.
bool is_slice_name(std::string_view file, std::string_view stack);

// The stack name of the slices in a folder, by the first of them; empty if that is named otherwise.
std::string stack_name_in(const std::filesystem::path& folder);

// A folder may be replaced only if all of it is ours: its first slice embeds our pipeline, and it contains only slices
// of that name and scale.json. Otherwise invalid, with the reason.
Result<void> check_is_our_stack(const std::filesystem::path& folder);

// Removes the members of an unfinished or replaced folder, and the folder if nothing else is in it. Members are files
// with one hard link that are named like slices or frames, and scale.json; everything else stays.
void remove_stack_members(const std::filesystem::path& folder, const std::string& stack);

}  // namespace tl::io
