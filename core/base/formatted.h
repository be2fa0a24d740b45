// formatted(): text with numbers in it, as std::printf writes it.
#pragma once

#include <string>

namespace tl {

[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

}  // namespace tl
