// Measures the text before it is written.
#include "core/base/formatted.h"

#include <cstdarg>
#include <cstdio>

namespace tl {

std::string formatted(const char* format, ...) {
  va_list to_measure, to_write;
  va_start(to_measure, format);
  va_copy(to_write, to_measure);
  std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, to_measure)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, to_write);
  va_end(to_write);
  va_end(to_measure);
  return text;
}

}  // namespace tl
