// TxrmValues: the numbers and texts in the small streams of a .txrm file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/zeiss/compound_file.h"

namespace tl::io {

class TxrmValues {
 public:
  explicit TxrmValues(CompoundFile& file) : file_(file) {}

  // The first number of a stream; nothing if there is no such stream. Errors: io if the stream cannot be read or is too
  // short.
  Result<std::optional<int64_t>> integer(std::string_view stream);
  Result<std::optional<double>> number(std::string_view stream);
  // The first `count` float32 of a stream, one per image; empty if there is no such stream. Errors: invalid if it has
  // fewer.
  Result<std::vector<double>> numbers(std::string_view stream, int64_t count);
  // The unit of a motor axis ("eV"), from the lists of axis names and units; empty if it has none.
  Result<std::string> unit_of_axis(std::string_view axis);

 private:
  Result<std::vector<std::string>> texts(std::string_view stream, int64_t count);
  CompoundFile& file_;
};

// "FILE:ImageInfo/Angles".
std::string stream_location(const CompoundFile& file, std::string_view stream);

}  // namespace tl::io
