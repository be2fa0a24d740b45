// Decodes and encodes messages of a log, as lines.
#include "core/stream/values/log_lines.h"

#include <cmath>
#include <cstring>
#include <string>

#include "core/base/text.h"
#include "core/graph/json_document.h"

namespace tl::stream {
namespace log_wire_lines {

constexpr const char* where = "line of a log";
constexpr std::size_t max_line = 4096, max_name = 120, max_unit = 31;  // bytes
constexpr std::size_t max_lines = 10'000;                              // of a message

Result<TimedValue> decode_line(std::string_view text) {
  if (text.size() > max_line) return invalid("the line is longer than " + std::to_string(max_line) + " bytes", where);
  TL_TRY(const json::Document document, json::read_document(text, where));
  const json::Json& line = document.root;
  if (!line.is_object()) return invalid("the line is not a JSON object", where);
  const auto name = line.find("name"), value = line.find("value"), time = line.find("time"), unit = line.find("unit");
  TimedValue read;
  if (name == line.end() || !name->is_string()) return invalid("the line has no name", where);
  read.name = name->get<std::string>();
  if (read.name.empty() || read.name.size() > max_name) return invalid("the name is empty or too long", where);
  if (value == line.end() || !value->is_number() || !std::isfinite(value->get<double>()))
    return invalid("the value is not a number", where);
  read.value = value->get<double>();
  if (time != line.end()) {
    if (!time->is_number() || !std::isfinite(time->get<double>())) return invalid("the time is not a number", where);
    read.time = time->get<double>();
  }
  if (unit != line.end()) {
    if (!unit->is_string()) return invalid("the unit is not a string", where);
    read.unit = unit->get<std::string>();
    if (read.unit.size() > max_unit) return invalid("the unit is too long", where);
  }
  return read;
}

bool recognises(Parts parts) { return !parts.empty(); }

Result<Message> decode(Parts parts) {
  LogLines lines;
  for (const Bytes& part : parts) {
    std::string_view text(reinterpret_cast<const char*>(part.data()), part.size());
    while (!text.empty()) {
      const std::string_view line = trimmed(text.substr(0, text.find('\n')));
      text.remove_prefix(
          std::min(text.size(), text.find('\n') == std::string_view::npos ? text.size() : text.find('\n') + 1));
      if (line.empty()) continue;
      if (lines.values.size() >= max_lines) return invalid("the message has too many lines", where);
      Result<TimedValue> read = decode_line(line);
      if (read.ok()) {
        lines.values.push_back(std::move(read).value());
      } else {
        ++lines.bad;
      }
    }
  }
  return Message(std::move(lines));
}

OwnedParts encode(const Message& message) {
  const auto* lines = std::get_if<LogLines>(&message);
  if (lines == nullptr) return {};
  std::string text;
  for (const TimedValue& value : lines->values) {
    json::Json line;
    if (std::isfinite(value.time)) line["time"] = value.time;
    line["name"] = value.name;
    line["value"] = value.value;
    if (!value.unit.empty()) line["unit"] = value.unit;
    text += line.dump() + "\n";
  }
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return {std::move(bytes)};
}

}  // namespace log_wire_lines

const Wire& log_wire() {
  static const Wire wire{"log",
                         "lines of JSON, each with a number",
                         Numbering::through_all_kinds,
                         log_wire_lines::recognises,
                         log_wire_lines::decode,
                         log_wire_lines::encode};
  return wire;
}

}  // namespace tl::stream
