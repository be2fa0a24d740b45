// ZarrArray: the header of an array of Zarr 2 or 3, and the location of its chunks.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/voxels/raw_voxels.h"
#include "core/io/zarr/codecs.h"

namespace tl::io {

enum class ZarrVersion : uint32_t { two, three };

struct ZarrArray {
  std::filesystem::path folder;
  ZarrVersion version = ZarrVersion::two;
  std::vector<int64_t> shape, chunk;  // of equal rank, all positive
  std::string type;                   // of the stored numbers: "uint16", ...
  ByteOrder order = ByteOrder::little;
  std::vector<ZarrCodec> codecs;  // in the order of decompression
  bool has_checksum = false;      // crc32c after each chunk, four bytes
  std::optional<double> fill;     // value of missing chunks; nothing (null): the file states none
  std::string separator = ".";    // between the indices in a chunk's name
  bool has_prefix = false;        // "c" before the indices
  std::vector<std::string> axes;  // axis names, if the header states them ("" for an axis without a name)

  // Relative to the folder: "0/1/2", "c/0/1/2", "0.1.2".
  [[nodiscard]] std::string chunk_name(std::span<const int64_t> index) const;
  // Whether this is the name of a chunk of the array.
  [[nodiscard]] bool has_chunk(std::string name) const;
  // Bytes of an unpacked chunk; at most 2^62.
  [[nodiscard]] int64_t chunk_bytes() const;
  // The number of chunks that cover the array; at most 2^62.
  [[nodiscard]] int64_t chunks() const;
};

// Names of the headers.
inline constexpr const char *zarr_array_2 = ".zarray", *zarr_group_2 = ".zgroup", *zarr_attributes_2 = ".zattrs",
                            *zarr_header_3 = "zarr.json";

// Reads the header of the array in this folder. invalid: it is damaged; unavailable: it uses an unsupported feature,
// which the message names.
Result<ZarrArray> read_zarr_array(const std::filesystem::path& folder);

// The object in a JSON file of at most 64 MiB and 64 levels; invalid if it is not an object.
Result<nlohmann::json> read_json_object(const std::filesystem::path& file);

// The finite number under that key; nothing if there is none.
std::optional<double> json_number(const nlohmann::json& object, const char* key);
// The text under that key; empty if there is none.
std::string json_text(const nlohmann::json& object, const char* key);
// The members of an object as texts; members of other types as JSON.
std::map<std::string, std::string> json_texts(const nlohmann::json& object);
// The member under that key; null if there is none, or if `object` is not an object.
const nlohmann::json& json_member(const nlohmann::json& object, const char* key);

}  // namespace tl::io
