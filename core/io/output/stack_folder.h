// Folders of slices that we wrote: what their members are called, and how one is told from any other folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tl::io {

inline constexpr const char* scale_file = "scale.json";

// NAME_00000.tif: at least five digits, as many as `slices` need, so that names sort.
std::string slice_name(const std::string& stack, int64_t index, int64_t slices);
// Whether a file is called like a slice of that stack.
bool is_slice_name(std::string_view file, std::string_view stack);

// What the slices of a folder are called, by the first of them; empty where that is called otherwise.
std::string stack_in(const std::filesystem::path& folder);

// A folder may be replaced only if all of it is ours: its first slice embeds a pipeline of ours, and it holds nothing
// but slices of that name and scale.json. invalid: what speaks against it.
Result<void> check_is_our_stack(const std::filesystem::path& folder);

// Removes the members of an unfinished or replaced folder, and the folder where nothing else is in it. Members are
// files of one link called like slices, and scale.json; anything else stays.
void remove_our_members(const std::filesystem::path& folder, const std::string& stack);

}  // namespace tl::io
