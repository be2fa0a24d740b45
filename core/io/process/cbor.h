// Converts structs to CBOR (RFC 8949) and back, both by one list of their fields. Internal to the reading process.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tl::io::cbor {

using Json = nlohmann::json;

// The fields of a struct, for both directions: [](auto& field, auto& s) { return field("a", s.a) && field("b", s.b); }.
// A message has exactly these keys.
template <class S>
inline constexpr std::nullptr_t fields = nullptr;
// The last enumerator of an enumeration that counts from 0.
template <class E>
inline constexpr std::nullptr_t last = nullptr;

// The value in the bytes, if they are exactly one value. Refused before anything is allocated: lengths beyond the end,
// deep nesting, lists of unstated length (nlohmann-json recurses into them), and too many values.
std::optional<Json> parse(std::string_view bytes);
std::string to_bytes(const Json& value);

namespace detail {
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T>
inline constexpr bool is_number_list = false;
template <class T>
inline constexpr bool is_number_list<std::vector<T>> = std::is_arithmetic_v<T>;
}  // namespace detail

template <class T>
Json encoded(const T& value);
template <class T>
bool decode(const Json& from, T& value);

struct FieldEncoder {
  Json object = Json::object();
  bool operator()(const char* name, const auto& value) {
    object.emplace(name, encoded(value));
    return true;
  }
};
struct FieldDecoder {
  const Json& object;
  std::size_t count = 0;  // fields so far
  bool operator()(const char* name, auto& value) {
    const auto found = object.find(name);
    ++count;
    return found != object.end() && decode(*found, value);
  }
};

template <class T>
Json encoded(const T& value) {
  if constexpr (detail::is_optional<T>) {
    return value ? encoded(*value) : Json();
  } else if constexpr (detail::is_number_list<T>) {  // as bytes in native order: both processes run on one machine
    const auto* bytes = reinterpret_cast<const uint8_t*>(value.data());
    return Json::binary(std::vector<uint8_t>(bytes, bytes + value.size() * sizeof(typename T::value_type)));
  } else if constexpr (detail::is_list<T>) {
    Json list = Json::array();
    for (const auto& element : value) list.push_back(encoded(element));
    return list;
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return value.string();
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<uint64_t>(value);
  } else if constexpr (!std::is_null_pointer_v<std::remove_const_t<decltype(fields<T>)>>) {
    FieldEncoder encoder;
    fields<T>(encoder, value);
    return std::move(encoder.object);
  } else {
    return value;
  }
}

// False: the value is of another type, or a number is not finite or too large.
template <class T>
bool decode(const Json& from, T& value) {
  if constexpr (detail::is_optional<T>) {
    return from.is_null() || decode(from, value.emplace());
  } else if constexpr (detail::is_number_list<T>) {
    using Number = typename T::value_type;
    if (!from.is_binary() || from.get_binary().size() % sizeof(Number) != 0) return false;
    value.resize(from.get_binary().size() / sizeof(Number));
    if (!value.empty()) std::memcpy(value.data(), from.get_binary().data(), from.get_binary().size());
    return !std::is_floating_point_v<Number> ||
           std::all_of(value.begin(), value.end(), [](Number x) { return std::isfinite(x); });
  } else if constexpr (detail::is_list<T>) {
    if (!from.is_array()) return false;
    value.resize(from.size());
    return std::equal(value.begin(), value.end(), from.begin(),
                      [](auto& to, const Json& one) { return decode(one, to); });
  } else if constexpr (std::is_same_v<T, bool>) {
    if (from.is_boolean()) value = from.get<bool>();
    return from.is_boolean();
  } else if constexpr (std::is_floating_point_v<T>) {
    if (from.is_number_float()) value = from.get<T>();
    return from.is_number_float() && std::isfinite(value);
  } else if constexpr (std::is_integral_v<T>) {
    const bool fits = std::is_unsigned_v<T>
                          ? from.is_number_unsigned()
                          : from.is_number_integer() && (!from.is_number_unsigned() ||
                                                         from.get<uint64_t>() <= std::numeric_limits<int64_t>::max());
    if (fits) value = from.get<T>();
    return fits;
  } else if constexpr (std::is_enum_v<T>) {
    const bool known = from.is_number_unsigned() && from.get<uint64_t>() <= static_cast<uint64_t>(last<T>);
    if (known) value = static_cast<T>(from.get<uint64_t>());
    return known;
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::filesystem::path>) {
    if (from.is_string()) value = from.get_ref<const std::string&>();
    return from.is_string();
  } else {
    if (!from.is_object()) return false;
    FieldDecoder decoder{from};
    return fields<T>(decoder, value) && decoder.count == from.size();
  }
}

}  // namespace tl::io::cbor
