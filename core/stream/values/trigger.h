// Trigger: a comparison of a measured number, from which on a scan is recorded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tl::stream {

enum class Comparison : uint8_t { less, at_most, greater, at_least, equal, different };

struct Trigger {
  std::string name;  // of a value of the log or of headers of frames
  Comparison comparison = Comparison::greater;
  double limit = 0;

  // "load > 5"; also <, <=, >=, == and !=. Invalid: another text, with what is wrong.
  static Result<Trigger> parse(std::string_view text);
  [[nodiscard]] bool holds(const std::string& of, double value) const;
  // As it is written: "load > 5".
  [[nodiscard]] std::string text() const;
};

}  // namespace tl::stream
