// Model files: trained models in the form of safetensors, arrays by name behind a header of JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/values/values.h"

namespace tl::io {

// The content of a file: 8 bytes of length, the header {"__metadata__": {"format", "description", "checksum"}, NAME:
// {"dtype", "shape", "data_offsets"}, ...}, then the arrays, as the safetensors library writes and reads them (its
// version 0.4). The checksum is XXH3-128 of description and arrays.
std::string to_safetensors(const Model& model);

// Files of other programs, which have no description or checksum, are read too. Allocates no more than the size of the
// file. Errors: invalid, with `where`: not a safetensors file, arrays that overlap, leave gaps or reach beyond the end,
// unsupported types, a wrong checksum.
Result<Model> model_from_safetensors(std::string_view bytes, const std::string& where);

// Only the description; nothing after the header is read. Empty for files of other programs. Errors as read_model(),
// except that the arrays are not checked.
Result<std::string> read_model_description(const std::filesystem::path& file);

// The content of a model file of any format. Errors: io; invalid, before anything is read, if it is larger than
// max_model_bytes.
inline constexpr int64_t max_model_bytes = (int64_t{1} << 31) - 1;  // the limit of protobuf, and hence of ONNX
Result<std::string> model_file_bytes(const std::filesystem::path& file);

// Errors: those of model_file_bytes() and model_from_safetensors().
Result<Model> read_model(const std::filesystem::path& file);

}  // namespace tl::io
