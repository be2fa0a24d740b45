// Reads numbers and texts from the streams of a .txrm file.
#include "core/io/zeiss/txrm_values.h"

#include <algorithm>
#include <cstring>

#include "core/io/reader/scan_checks.h"

namespace tl::io {
namespace {

constexpr int64_t max_text = int64_t{1} << 20;  // largest size of a list of texts [bytes]

template <class T>
Result<std::optional<T>> first_value(CompoundFile& file, std::string_view name) {
  const CompoundStream* stream = file.find(name);
  if (stream == nullptr) return std::optional<T>();
  if (stream->size < static_cast<int64_t>(sizeof(T)))
    return io_error("a number should have " + std::to_string(sizeof(T)) + " bytes, not " + std::to_string(stream->size),
                    stream_location(file, name), "Copy the file again from its source");
  T value{};
  TL_TRY(CompoundFile::Cursor(file, *stream).read(0, sizeof value, reinterpret_cast<std::byte*>(&value)));
  return std::optional<T>(value);
}

}  // namespace

std::string stream_location(const CompoundFile& file, std::string_view stream) {
  return file.path().string() + ":" + std::string(stream);
}

Result<std::optional<int64_t>> TxrmValues::integer(std::string_view stream) {
  TL_TRY(const std::optional<int32_t> value, first_value<int32_t>(file_, stream));
  return value ? std::optional<int64_t>(*value) : std::nullopt;
}

Result<std::optional<double>> TxrmValues::number(std::string_view stream) {
  TL_TRY(const std::optional<float> value, first_value<float>(file_, stream));
  return value ? std::optional<double>(*value) : std::nullopt;
}

Result<std::vector<double>> TxrmValues::numbers(std::string_view name, int64_t count) {
  const CompoundStream* stream = file_.find(name);
  if (stream == nullptr) return std::vector<double>();
  constexpr auto bytes = static_cast<int64_t>(sizeof(float));
  // The length of a stream has been compared with that of the file.
  if (stream->size / bytes < count)
    return invalid("there are " + counted(stream->size / bytes, "number") + " for " + counted(count, "view"),
                   stream_location(file_, name), "The file is damaged or incomplete: copy it again from its source");
  std::vector<float> floats(static_cast<std::size_t>(count));
  TL_TRY(CompoundFile::Cursor(file_, *stream).read(0, count * bytes, reinterpret_cast<std::byte*>(floats.data())));
  return std::vector<double>(floats.begin(), floats.end());
}

// Texts of equal length, filled up with zeros.
Result<std::vector<std::string>> TxrmValues::texts(std::string_view name, int64_t count) {
  const CompoundStream* stream = file_.find(name);
  std::vector<std::string> all;
  if (stream == nullptr || count < 1 || count > stream->size) return all;
  TL_TRY(const std::vector<std::byte> bytes, file_.read_all(*stream, max_text));
  const int64_t length = stream->size / count;
  for (int64_t i = 0; i < count; ++i) {
    const char* text = reinterpret_cast<const char*>(bytes.data()) + i * length;
    all.emplace_back(text, strnlen(text, static_cast<std::size_t>(length)));
  }
  return all;
}

Result<std::string> TxrmValues::unit_of_axis(std::string_view axis) {
  TL_TRY(const std::optional<int64_t> count, integer("PositionInfo/TotalAxis"));
  TL_TRY(const std::vector<std::string> names, texts("PositionInfo/AxisNames", count.value_or(0)));
  TL_TRY(const std::vector<std::string> units, texts("PositionInfo/AxisUnits", count.value_or(0)));
  const auto found = std::find(names.begin(), names.end(), axis);
  const auto index = static_cast<std::size_t>(found - names.begin());
  return found != names.end() && index < units.size() ? units[index] : std::string();
}

}  // namespace tl::io
