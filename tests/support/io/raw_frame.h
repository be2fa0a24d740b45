// Writes frames as scanners do that store plain numbers: uint16, little-endian, without a header.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <string>

#include "tests/support/file_tree.h"

namespace tl::test {

// A frame [row, col] of counts.
inline void write_raw_frame(const std::filesystem::path& file, const at::Tensor& counts) {
  const at::Tensor numbers = counts.round().to(at::kInt).to(at::kUInt16).contiguous();
  put(file, std::string(static_cast<const char*>(numbers.const_data_ptr()), numbers.nbytes()));
}

}  // namespace tl::test
