// ByteOrder: which byte of a number comes first in a file.
#pragma once

#include <cstdint>

namespace tl::io {

enum class ByteOrder : uint32_t { little, big };

}  // namespace tl::io
