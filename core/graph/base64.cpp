// Encodes and decodes base64.
#include "core/graph/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tl {
namespace {

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr unsigned char no_letter = 255;
constexpr std::array<unsigned char, 256> values_of_letters() {
  std::array<unsigned char, 256> values{};
  values.fill(no_letter);
  for (std::size_t i = 0; i < letters.size(); ++i)
    values[static_cast<unsigned char>(letters[i])] = static_cast<unsigned char>(i);
  return values;
}

}  // namespace

std::string encode_base64(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t count = std::min<std::size_t>(3, size - i);
    uint32_t triple = 0;
    for (std::size_t k = 0; k < 3; ++k) triple = triple << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? letters[triple >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::optional<std::vector<unsigned char>> decode_base64(std::string_view text) {
  static constexpr auto values = values_of_letters();
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::vector<unsigned char> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t used = i + 4 == text.size() ? 4 - padding : 4;
    uint32_t triple = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const unsigned char value = k < used ? values[static_cast<unsigned char>(text[i + k])] : 0;
      if (value == no_letter) return std::nullopt;
      triple = triple << 6 | value;
    }
    for (std::size_t k = 0; k + 1 < used; ++k) bytes.push_back(static_cast<unsigned char>(triple >> (16 - 8 * k)));
  }
  return bytes;
}

}  // namespace tl
