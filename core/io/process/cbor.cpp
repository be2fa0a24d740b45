// Checks CBOR from a process that may be corrupted, before nlohmann-json parses it.
#include "core/io/process/cbor.h"

namespace tl::io::cbor {
namespace {

// Whether the bytes are one value in which all lengths are stated and lie inside the bytes.
bool is_plain(std::string_view bytes) {
  constexpr std::size_t max_depth = 16, max_values = std::size_t{1} << 22;
  enum Major { whole, negative, binary, text, list, object, tag, simple };
  std::vector<uint64_t> missing = {1};  // number of values missing from each open container, innermost last
  for (std::size_t count = 0; !missing.empty();) {
    if (missing.back() == 0) {
      missing.pop_back();
      continue;
    }
    --missing.back();
    if (bytes.empty() || ++count > max_values) return false;
    const auto head = static_cast<uint8_t>(bytes.front());
    const int major = head >> 5, info = head & 31;
    bytes.remove_prefix(1);
    if (info > 27 || major == tag) return false;
    uint64_t number = static_cast<uint64_t>(info);
    if (info >= 24) {
      const std::size_t length = std::size_t{1} << (info - 24);
      if (bytes.size() < length) return false;
      number = 0;
      for (const char byte : bytes.substr(0, length)) number = number << 8 | static_cast<uint8_t>(byte);
      bytes.remove_prefix(length);
    }
    if (major < binary || major == simple) continue;
    if (number > bytes.size()) return false;  // every element takes at least one byte
    if (major == binary || major == text)
      bytes.remove_prefix(number);
    else if (missing.size() > max_depth)
      return false;
    else
      missing.push_back(major == object ? 2 * number : number);
  }
  return bytes.empty();
}

}  // namespace

std::optional<Json> parse(std::string_view bytes) {
  if (!is_plain(bytes)) return std::nullopt;
  Json value = Json::from_cbor(bytes.begin(), bytes.end(), true, false);
  return value.is_discarded() ? std::nullopt : std::optional(std::move(value));
}

std::string to_bytes(const Json& value) {
  std::string bytes;
  Json::to_cbor(value, nlohmann::detail::output_adapter<char>(bytes));
  return bytes;
}

}  // namespace tl::io::cbor
