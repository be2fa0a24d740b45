// Iterates over fields; every length is compared with the remaining bytes before it is used.
#include "core/net/onnx/wire.h"

#include <bit>

namespace tl::net::onnx {
namespace {

constexpr unsigned bits_of_type = 3;

}  // namespace

std::optional<uint64_t> WireReader::varint() {
  constexpr std::size_t longest = 10;
  uint64_t value = 0;
  for (std::size_t i = 0; i < longest && i < left_.size(); ++i) {
    const auto byte = static_cast<unsigned char>(left_[i]);
    if (i + 1 == longest && byte > 1) return std::nullopt;  // beyond 64 bits
    value |= static_cast<uint64_t>(byte & 0x7fU) << (7 * i);
    if (byte < 0x80) {
      left_.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

std::optional<uint64_t> WireReader::fixed(std::size_t bytes) {
  if (left_.size() < bytes) return std::nullopt;
  uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value |= uint64_t{static_cast<unsigned char>(left_[i])} << (8 * i);
  left_.remove_prefix(bytes);
  return value;
}

std::optional<WireField> WireReader::field() {
  const auto key = varint();
  if (!key || *key >> bits_of_type == 0) return std::nullopt;
  WireField f;
  f.number = *key >> bits_of_type;
  f.type = static_cast<WireType>(*key & 7U);
  std::optional<uint64_t> value;
  switch (f.type) {
    case WireType::varint:
    case WireType::bytes: value = varint(); break;
    case WireType::fixed64: value = fixed(8); break;
    case WireType::fixed32: value = fixed(4); break;
  }
  if (!value) return std::nullopt;  // groups, which are obsolete, too
  f.value = *value;
  if (f.type == WireType::bytes) {
    if (f.value > left_.size()) return std::nullopt;
    f.bytes = left_.substr(0, static_cast<std::size_t>(f.value));
    left_.remove_prefix(f.bytes.size());
  }
  return f;
}

std::optional<WireField> WireReader::next() {
  if (damaged_ || left_.empty()) return std::nullopt;
  auto f = field();
  damaged_ = !f;
  return f;
}

bool append_varints(const WireField& field, std::vector<int64_t>& to) {
  if (field.type == WireType::varint) {
    to.push_back(static_cast<int64_t>(field.value));
    return true;
  }
  if (field.type != WireType::bytes) return false;
  uint64_t value = 0;
  unsigned shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift > 63 || (shift == 63 && byte > 1)) return false;
    value |= static_cast<uint64_t>(byte & 0x7fU) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    to.push_back(static_cast<int64_t>(value));
    value = 0;
    shift = 0;
  }
  return shift == 0;
}

bool append_fixed(const WireField& field, std::size_t width, std::string& to) {
  if (field.type == WireType::bytes) {
    to.append(field.bytes);
    return field.bytes.size() % width == 0;
  }
  if (field.type != (width == 4 ? WireType::fixed32 : WireType::fixed64)) return false;
  for (std::size_t i = 0; i < width; ++i) to.push_back(static_cast<char>(field.value >> (8 * i)));
  return true;
}

void WireWriter::varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7U) message_.push_back(static_cast<char>(value | 0x80U));
  message_.push_back(static_cast<char>(value));
}

void WireWriter::number(uint64_t field, uint64_t value) {
  varint(field << bits_of_type | static_cast<uint64_t>(WireType::varint));
  varint(value);
}

void WireWriter::real(uint64_t field, float value) {
  varint(field << bits_of_type | static_cast<uint64_t>(WireType::fixed32));
  const auto bits = std::bit_cast<uint32_t>(value);
  for (unsigned i = 0; i < 4; ++i) message_.push_back(static_cast<char>(bits >> (8 * i)));
}

void WireWriter::bytes(uint64_t field, std::string_view value) {
  varint(field << bits_of_type | static_cast<uint64_t>(WireType::bytes));
  varint(value.size());
  message_.append(value);
}

}  // namespace tl::net::onnx
