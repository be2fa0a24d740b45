// ByteOrder: the order of bytes of a number in a file.
#pragma once

#include <cstdint>

namespace tl::io {

enum class ByteOrder : uint32_t { little, big };

}  // namespace tl::io
