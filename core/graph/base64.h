// Base64 (RFC 4648, section 4). Internal to core.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tl {

std::string encode_base64(const void* data, std::size_t size);
// Nothing if the text is not base64 with padding.
std::optional<std::vector<unsigned char>> decode_base64(std::string_view text);

}  // namespace tl
