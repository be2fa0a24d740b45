// The wire "array": a header in JSON, then the pixels, as areaDetector's ZeroMQ plug-in, std_daq, RECASTX and concert
// send frames. Source: https://github.com/paulscherrerinstitute/htypes, array-1.0 and chunk-1.0.
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/graph/json_document.h"
#include "core/stream/wires/wire.h"

namespace tl::stream {
namespace array_wire {

using json::Json;

constexpr std::size_t max_header = std::size_t{1} << 20;  // bytes
constexpr std::size_t max_values = 64, max_name = 120;    // limits for the numbers sent with a frame
constexpr const char* where = "message array";

bool recognises(Parts parts) { return !parts.empty() && !parts[0].empty() && parts[0][0] == std::byte{'{'}; }

Error broken(std::string what, std::string hint = {}) { return invalid(std::move(what), where, std::move(hint)); }

// Nothing if absent, a finite number; anything else is an error.
Result<std::optional<double>> find_number(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || at->is_null()) return std::optional<double>();
  if (!at->is_number() || !std::isfinite(at->get<double>())) return broken(std::string(key) + " is not a number");
  return std::optional(at->get<double>());
}

Result<std::optional<int64_t>> find_integer(const Json& object, const char* key, int64_t max) {
  TL_TRY(const std::optional<double> value, find_number(object, key));
  if (!value) return std::optional<int64_t>();
  if (*value < 0 || *value > static_cast<double>(max) || *value != std::floor(*value))
    return broken(std::string(key) + " is not an integer from 0 to " + std::to_string(max));
  return std::optional(static_cast<int64_t>(*value));
}

// Reads rows and columns. ADZMQ before 1.4 writes the number type as a list, and the shape with the fastest axis first.
Result<void> read_shape(const Json& header, Frame& frame) {
  const auto at = header.find("shape");
  if (at == header.end() || !at->is_array()) return broken("the header has no shape", "It is a list: rows, columns");
  std::vector<int64_t> shape;
  if (at->size() > 3) return broken("the shape has " + std::to_string(at->size()) + " axes");
  for (const Json& side : *at) {
    if (!side.is_number_integer() || side < 1 || side > max_side)
      return broken("a side of the shape is not an integer from 1 to " + std::to_string(max_side));
    shape.push_back(side.get<int64_t>());
  }
  const auto htype = header.find("htype");
  if (htype != header.end() && htype->is_array()) shape = {shape.rbegin(), shape.rend()};
  if (shape.size() == 3 && shape[0] == 1) shape.erase(shape.begin());
  if (shape.size() != 2) return broken("a message of shape " + shape_text(shape) + " is not one frame");
  frame.rows = shape[0];
  frame.cols = shape[1];
  return ok();
}

Result<void> read_type(const Json& header, Frame& frame) {
  for (const char* key : {"type", "dtype"}) {
    const auto at = header.find(key);
    if (at == header.end()) continue;
    const std::string name = at->is_string() ? at->get<std::string>() : json::type_words(*at);
    if (name == "uint8" || name == "|u1" || name == "u1") {
      frame.type = PixelType::uint8;
    } else if (name == "uint16" || name == "<u2") {
      frame.type = PixelType::uint16;
    } else if (name == "float32" || name == "<f4") {
      frame.type = PixelType::float32;
    } else {
      return broken("pixels of type " + json::in_quotes(name) + " are not read",
                    "Send uint8, uint16 or float32, little-endian");
    }
    return ok();
  }
  return ok();  // uint16
}

Result<void> read_kind(const Json& header, Frame& frame) {
  const auto at = header.find("image_attributes");
  if (at == header.end() || !at->is_object()) return ok();
  TL_TRY(const std::optional<int64_t> index, find_integer(*at, "scan_index", 2));
  if (index) frame.kind = *index == 0 ? FrameKind::dark : *index == 1 ? FrameKind::flat : FrameKind::view;
  return ok();
}

// Adds the further numbers of the message: all except those that describe the frame.
void add_values(const Json& object, Frame& frame) {
  for (const auto& [name, value] : object.items()) {
    if (!value.is_number() || name.empty() || name.size() > max_name || frame.values.size() >= max_values) continue;
    if (name == "frame" || name == "angle" || name == "time" || name == "timestamp" || name == "shape") continue;
    if (const double number = value.get<double>(); std::isfinite(number)) frame.values.push_back({name, number, ""});
  }
}

Result<void> read_facts(const Json& header, Frame& frame) {
  TL_TRY(frame.number, find_integer(header, "frame", max_frame_number));
  TL_TRY(frame.angle, find_number(header, "angle"));
  std::optional<double> time;
  for (const char* key : {"timestamp", "time"}) {
    if (time) break;
    TL_TRY(time, find_number(header, key));
  }
  frame.sender_time = time.value_or(no_time);
  add_values(header, frame);
  const auto attributes = header.find("ndattr");
  if (attributes == header.end() || !attributes->is_object()) return ok();
  if (!frame.angle) {
    TL_TRY(frame.angle, find_number(*attributes, "angle"));
  }
  add_values(*attributes, frame);
  return ok();
}

Result<Message> decode_end(const Json& header) {
  EndOfStream end;
  TL_TRY(end.first, find_integer(header, "first", max_frame_number));
  TL_TRY(end.frames, find_integer(header, "frames", FrameNumbers::max_jump * 1000));
  return Message(end);
}

Result<Message> decode(Parts parts) {
  if (!recognises(parts)) return broken("the header is not a JSON object");
  if (parts[0].size() > max_header) return broken("the header is longer than a megabyte");
  const std::string_view text(reinterpret_cast<const char*>(parts[0].data()), parts[0].size());
  TL_TRY(const json::Document document, json::read_document(text, where));
  const Json& header = document.root;
  if (!header.is_object()) return broken("the header is not a JSON object");
  if (const auto end = header.find("end"); end != header.end() && end->is_boolean() && end->get<bool>())
    return decode_end(header);
  Frame frame;
  TL_TRY(read_shape(header, frame));
  TL_TRY(read_type(header, frame));
  TL_TRY(read_kind(header, frame));
  TL_TRY(read_facts(header, frame));
  if (parts.size() != 2)
    return broken("a frame is a header and its pixels, not " + std::to_string(parts.size()) + " parts");
  const int64_t bytes = frame.rows * frame.cols * bytes_per_pixel(frame.type);
  if (static_cast<int64_t>(parts[1].size()) != bytes)
    return broken("the frame has " + std::to_string(parts[1].size()) + " bytes of pixels, not " + std::to_string(bytes),
                  "Its shape is " + std::to_string(frame.rows) + " x " + std::to_string(frame.cols) + " of " +
                      std::string(to_string(frame.type)));
  frame.pixels.assign(parts[1].begin(), parts[1].end());
  return Message(std::move(frame));
}

std::vector<std::byte> text_bytes(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

OwnedParts encode_frame(const Frame& frame) {
  Json header = {
      {"htype", "array-1.0"}, {"shape", {frame.rows, frame.cols}}, {"type", std::string(to_string(frame.type))}};
  if (frame.number) header["frame"] = *frame.number;
  header["image_attributes"] = {{"scan_index", frame.kind == FrameKind::dark   ? 0
                                               : frame.kind == FrameKind::flat ? 1
                                                                               : 2}};
  if (frame.angle) header["angle"] = *frame.angle;
  if (std::isfinite(frame.sender_time)) header["timestamp"] = frame.sender_time;
  for (const NearbyValue& value : frame.values) header["ndattr"][value.name] = value.value;
  return {text_bytes(header.dump()), frame.pixels};
}

OwnedParts encode(const Message& message) {
  if (const auto* frame = std::get_if<Frame>(&message)) return encode_frame(*frame);
  if (const auto* end = std::get_if<EndOfStream>(&message)) {
    Json header = {{"end", true}};
    if (end->first) header["first"] = *end->first;
    if (end->frames) header["frames"] = *end->frames;
    return {text_bytes(header.dump())};
  }
  return {};
}

}  // namespace array_wire

Wire wire_array() {
  return {"array",
          "a header in JSON, then the pixels",
          Numbering::through_all_kinds,
          array_wire::recognises,
          array_wire::decode,
          array_wire::encode};
}

}  // namespace tl::stream
