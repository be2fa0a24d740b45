// Trigger: a comparison of a measured number, from which on a scan is recorded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tl::stream {

enum class Comparison : uint8_t { less, at_most, greater, at_least, equal, different };

struct Trigger {
  std::string name;  // name of a value in the log or in headers of frames
  Comparison comparison = Comparison::greater;
  double limit = 0;

  // "load > 5"; also <, <=, >=, == and !=. Invalid for any other text, with the reason.
  static Result<Trigger> parse(std::string_view text);
  [[nodiscard]] bool holds(const std::string& of, double value) const;
  // The condition as text: "load > 5".
  [[nodiscard]] std::string text() const;
};

}  // namespace tl::stream
