// Reads and writes model files.
#include "core/io/model/safetensors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/io/voxels/raw_voxels.h"
#include "core/values/hash.h"

namespace tl::io {
namespace {

using ModelJson = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::string_view format_name = "tomoloom-model";
constexpr std::size_t length_bytes = 8, alignment = 8;
constexpr std::size_t longest_header = std::size_t{100} << 20;  // as the safetensors library
constexpr std::size_t max_dimensions = 16;

struct StoredType {
  const char* name;
  at::ScalarType type;
};
constexpr StoredType stored_types[] = {
    {"F32", at::kFloat}, {"F64", at::kDouble}, {"F16", at::kHalf}, {"BF16", at::kBFloat16}, {"I64", at::kLong},
    {"I32", at::kInt},   {"I16", at::kShort},  {"I8", at::kChar},  {"U8", at::kByte},       {"BOOL", at::kBool}};

const char* dtype_name(at::ScalarType type) {
  for (const StoredType& s : stored_types)
    if (s.type == type) return s.name;
  TL_CHECK(false, "a model has an array of a type that model files do not support");
  return "";
}

std::string model_checksum(std::string_view description, std::string_view arrays) {
  return Hasher().add(description).add(arrays).digest().text();
}

struct Entry {
  std::string name;
  at::ScalarType type = at::kFloat;
  std::vector<int64_t> shape;
  std::size_t begin = 0, end = 0;
};

Error damaged(const std::string& what, const std::string& where) {
  return invalid("this is not a model file: " + what, where, "Choose a file that Save model wrote");
}

std::optional<std::size_t> size_from(const ModelJson& number) {
  if (!number.is_number_unsigned()) return std::nullopt;
  return number.get<std::size_t>();
}

Result<Entry> parse_entry(const std::string& name, const ModelJson& json, std::size_t available,
                          const std::string& where) {
  const auto wrong = [&](const std::string& what) { return damaged("array \"" + name + "\" " + what, where); };
  if (!json.is_object() || !json.contains("dtype") || !json["dtype"].is_string() || !json.contains("shape") ||
      !json["shape"].is_array() || !json.contains("data_offsets") || !json["data_offsets"].is_array() ||
      json["data_offsets"].size() != 2)
    return wrong("has no type, shape or offsets");
  Entry e;
  e.name = name;
  const auto dtype = json["dtype"].get<std::string>();
  const auto known = std::find_if(std::begin(stored_types), std::end(stored_types),
                                  [&](const StoredType& s) { return dtype == s.name; });
  if (known == std::end(stored_types)) return wrong("is of the type \"" + dtype.substr(0, 16) + "\"");
  e.type = known->type;
  const auto begin = size_from(json["data_offsets"][0]), end = size_from(json["data_offsets"][1]);
  if (!begin || !end || *begin > *end || *end > available) return wrong("reaches beyond the end of the file");
  e.begin = *begin;
  e.end = *end;
  if (json["shape"].size() > max_dimensions) return wrong("has too many dimensions");
  std::size_t count = 1;
  bool empty = false;
  for (const ModelJson& n : json["shape"]) {
    const auto size = size_from(n);
    if (!size || *size > static_cast<std::size_t>(std::numeric_limits<int64_t>::max())) return wrong("has no shape");
    e.shape.push_back(static_cast<int64_t>(*size));
    empty = empty || *size == 0;
    // Each element needs a byte at least, so that the file's size limits the count.
    if (!empty && *size > 0 && count > (e.end - e.begin) / *size) return wrong("is shorter than its shape says");
    count *= empty ? 1 : *size;
  }
  // Arrays without elements need a limit of their own for the other sizes.
  constexpr int64_t longest_empty = 1 << 20;
  if (empty && (e.shape.size() > 3 || *std::max_element(e.shape.begin(), e.shape.end()) > longest_empty))
    return wrong("has no shape");
  const std::size_t bytes = empty ? 0 : count * c10::elementSize(e.type);
  if (bytes != e.end - e.begin) return wrong("is not as long as its shape says");
  return e;
}

Result<void> check_offsets(std::vector<Entry> entries, std::size_t available, const std::string& where) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
  std::size_t at = 0;
  for (const Entry& e : entries) {
    if (e.begin != at) return damaged("array \"" + e.name + "\" overlaps another one or leaves a gap", where);
    at = e.end;
  }
  if (at != available) return damaged("more or fewer bytes than its arrays take", where);
  return ok();
}

std::string text_in(const ModelJson& metadata, const char* key) {
  const auto found = metadata.find(key);
  return found != metadata.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<uint64_t> header_length(std::string_view bytes, const std::string& where) {
  if (bytes.size() < length_bytes) return damaged("it is too short", where);
  uint64_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i)
    length |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  if (length > longest_header) return damaged("its header reaches beyond the end", where);
  return length;
}

Result<ModelJson> parse_header(std::string_view text, const std::string& where) {
  constexpr int deepest = 8;
  ModelJson header = ModelJson::parse(
      text, [](int depth, ModelJson::parse_event_t, ModelJson&) { return depth <= deepest; }, false);
  if (!header.is_object()) return damaged("its header is not JSON", where);
  return header;
}

}  // namespace

std::string to_safetensors(const Model& model) {
  ModelJson header = ModelJson::object();
  std::string arrays;
  ModelJson entries = ModelJson::object();
  for (const auto& [name, array] : model.arrays) {
    const at::Tensor plain = array.detach().to(at::kCPU).contiguous();
    const std::size_t begin = arrays.size();
    arrays.append(static_cast<const char*>(plain.const_data_ptr()), plain.nbytes());
    entries[name] = {{"dtype", dtype_name(plain.scalar_type())},
                     {"shape", plain.sizes().vec()},
                     {"data_offsets", {begin, arrays.size()}}};
  }
  header["__metadata__"] = {{"format", format_name},
                            {"description", model.description},
                            {"checksum", model_checksum(model.description, arrays)}};
  header.update(entries);
  std::string text = header.dump(-1, ' ', false, ModelJson::error_handler_t::replace);
  text.resize((text.size() + alignment - 1) / alignment * alignment, ' ');
  std::string bytes(length_bytes, '\0');
  const uint64_t length = text.size();
  for (std::size_t i = 0; i < length_bytes; ++i) bytes[i] = static_cast<char>(length >> (8 * i));
  return bytes + text + arrays;
}

Result<Model> model_from_safetensors(std::string_view bytes, const std::string& where) {
  TL_TRY(const uint64_t length, header_length(bytes, where));
  if (length > bytes.size() - length_bytes) return damaged("its header reaches beyond the end", where);
  const std::string_view text = bytes.substr(length_bytes, static_cast<std::size_t>(length));
  const std::string_view data = bytes.substr(length_bytes + static_cast<std::size_t>(length));
  TL_TRY(const ModelJson header, parse_header(text, where));
  Model model;
  std::vector<Entry> entries;
  std::string checksum;
  for (const auto& [name, value] : header.items()) {
    if (name == "__metadata__") {
      if (!value.is_object()) return damaged("its metadata are not an object of texts", where);
      model.description = text_in(value, "description");
      checksum = text_in(value, "checksum");
      continue;
    }
    TL_TRY(Entry e, parse_entry(name, value, data.size(), where));
    entries.push_back(std::move(e));
  }
  TL_TRY(check_offsets(entries, data.size(), where));
  if (!checksum.empty() && checksum != model_checksum(model.description, data))
    return invalid("the model file is damaged: its checksum does not match", where, "Copy or save it again");
  for (const Entry& e : entries) {
    at::Tensor array = at::empty(e.shape, e.type);
    if (e.end > e.begin) std::memcpy(array.mutable_data_ptr(), data.data() + e.begin, e.end - e.begin);
    if (e.type == at::kBool) {
      // Any other byte would be neither true nor false.
      const auto part = data.substr(e.begin, e.end - e.begin);
      if (std::any_of(part.begin(), part.end(), [](char c) { return c != 0 && c != 1; }))
        return damaged("array \"" + e.name + "\" is not of truth values", where);
    }
    model.arrays.emplace(e.name, std::move(array));
  }
  return model;
}

Result<std::string> read_model_description(const fs::path& file) {
  const std::string where = file.string();
  TL_TRY(const std::string start, first_bytes(file, length_bytes, Packing::none));
  TL_TRY(const uint64_t length, header_length(start, where));
  TL_TRY(const std::string bytes, first_bytes(file, length_bytes + static_cast<std::size_t>(length), Packing::none));
  if (bytes.size() < length_bytes + length) return damaged("its header reaches beyond the end", where);
  TL_TRY(const ModelJson header, parse_header(std::string_view(bytes).substr(length_bytes), where));
  const auto metadata = header.find("__metadata__");
  return metadata != header.end() && metadata->is_object() ? text_in(*metadata, "description") : std::string();
}

Result<std::string> model_file_bytes(const fs::path& file) {
  std::error_code failed;
  const uintmax_t size = fs::file_size(file, failed);  // if the file does not exist, reading it reports why
  if (!failed && size > static_cast<uintmax_t>(max_model_bytes))
    return invalid("the file has " + std::to_string(size >> 20) + " MiB; models have at most " +
                       std::to_string(max_model_bytes >> 20),
                   file.string(), "Choose the file of a model, or save its numbers in half precision");
  return first_bytes(file, static_cast<std::size_t>(max_model_bytes), Packing::none);
}

Result<Model> read_model(const fs::path& file) {
  TL_TRY(const std::string bytes, model_file_bytes(file));
  return model_from_safetensors(bytes, file.string());
}

}  // namespace tl::io
