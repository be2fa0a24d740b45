// The wire "tomop": the packets of RECAST3D: a descriptor, fields in a fixed order, lists as count and items. Source:
// https://github.com/cicwi/TomoPackets, and RECAST3D's slicerecon for their handling by servers.
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "core/stream/wires/wire.h"

namespace tl::stream {
namespace tomop_wire {

enum Descriptor : int32_t {
  scan_settings = 0x302,
  parallel_beam = 0x303,
  parallel_vectors = 0x304,
  cone_beam = 0x305,
  cone_vectors = 0x306,
  projection = 0x309,
};
constexpr const char* where = "message tomop";
constexpr double degrees_per_radian = 57.29577951308232;
constexpr int64_t max_views = 1 << 20;  // of one geometry
constexpr int64_t numbers_per_vector = 12;

Error broken(std::string what) { return invalid(std::move(what), where); }

// Reads fields one after the other. After a missing field, all later ones are 0 and complete() is false.
class FieldReader {
 public:
  explicit FieldReader(Bytes bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value{};
    if (bytes_.size() < sizeof(T)) {
      complete_ = false;
      bytes_ = {};
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
    return value;
  }
  // The rest as a list of float32. Empty and incomplete unless its stated count agrees with the remaining bytes.
  Bytes take_floats() {
    const auto count = take<int32_t>();
    if (count < 0 || static_cast<std::size_t>(count) != bytes_.size() / sizeof(float) ||
        bytes_.size() % sizeof(float) != 0) {
      complete_ = false;
      return {};
    }
    return std::exchange(bytes_, {});
  }
  [[nodiscard]] bool complete() const { return complete_ && bytes_.empty(); }

 private:
  Bytes bytes_;
  bool complete_ = true;
};

std::vector<double> doubles(Bytes floats) {
  std::vector<double> all(floats.size() / sizeof(float));
  for (std::size_t i = 0; i < all.size(); ++i) {
    float value = 0;
    std::memcpy(&value, floats.data() + i * sizeof(float), sizeof(float));
    all[i] = value;
  }
  return all;
}

int32_t descriptor_of(Parts parts) { return parts.size() == 1 ? FieldReader(parts[0]).take<int32_t>() : 0; }

bool recognises(Parts parts) {
  const int32_t descriptor = descriptor_of(parts);
  return descriptor >= scan_settings && descriptor <= projection;
}

bool is_shape(int64_t rows, int64_t cols) { return rows >= 1 && rows <= max_side && cols >= 1 && cols <= max_side; }

Result<Message> decode_projection(FieldReader in) {
  const auto kind = in.take<int32_t>(), number = in.take<int32_t>();
  const int64_t rows = in.take<int32_t>(), cols = in.take<int32_t>();
  const Bytes pixels = in.take_floats();
  if (!in.complete()) return broken("a projection is cut short, or its list has another length than its count says");
  if (kind < 0 || kind > 2) return broken("a projection has the type " + std::to_string(kind));
  if (number < 0) return broken("a projection has the number " + std::to_string(number));
  if (!is_shape(rows, cols) || rows * cols * int64_t{sizeof(float)} != static_cast<int64_t>(pixels.size()))
    return broken("a projection of " + std::to_string(rows) + " x " + std::to_string(cols) + " has " +
                  std::to_string(pixels.size() / sizeof(float)) + " pixels");
  Frame frame;
  frame.number = number;
  frame.kind = kind == 0 ? FrameKind::dark : kind == 1 ? FrameKind::flat : FrameKind::view;
  frame.rows = rows;
  frame.cols = cols;
  frame.type = PixelType::float32;
  frame.pixels.assign(pixels.begin(), pixels.end());
  return Message(std::move(frame));
}

Result<Message> decode_settings(FieldReader in) {
  ScanSettings settings;
  (void)in.take<int32_t>();  // the scene
  settings.darks = in.take<int32_t>();
  settings.flats = in.take<int32_t>();
  settings.linear = in.take<uint8_t>() != 0;
  if (!in.complete() || settings.darks < 0 || settings.flats < 0) return broken("scan settings are cut short or wrong");
  return Message(settings);
}

Result<Message> decode_geometry(int32_t descriptor, FieldReader in) {
  StreamGeometry g;
  g.beam = descriptor == cone_beam || descriptor == cone_vectors ? Beam::cone : Beam::parallel;
  (void)in.take<int32_t>();  // the scene
  g.rows = in.take<int32_t>();
  g.cols = in.take<int32_t>();
  g.views = in.take<int32_t>();
  if (descriptor == cone_beam) {
    g.source_to_axis = in.take<float>();
    g.axis_to_detector = in.take<float>();
    g.pitch_u = in.take<float>();
    g.pitch_v = in.take<float>();
  }
  const Bytes list = in.take_floats();
  if (!in.complete()) return broken("a geometry is cut short, or its list has another length than its count says");
  const bool has_angles = descriptor == parallel_beam || descriptor == cone_beam;
  const int64_t needed = g.views * (has_angles ? 1 : numbers_per_vector);
  if (!is_shape(g.rows, g.cols) || g.views < 1 || g.views > max_views ||
      needed * int64_t{sizeof(float)} != static_cast<int64_t>(list.size()))
    return broken("a geometry of " + std::to_string(g.views) + " views has a list of " +
                  std::to_string(list.size() / sizeof(float)) + " numbers");
  std::vector<double> numbers = doubles(list);
  for (const auto& length : {g.source_to_axis, g.axis_to_detector, g.pitch_u, g.pitch_v})
    if (length) numbers.push_back(*length);
  for (const double number : numbers)
    if (!std::isfinite(number)) return broken("a geometry holds a number that is not finite");
  numbers.resize(static_cast<std::size_t>(needed));
  if (has_angles)
    for (double& angle : numbers) angle *= degrees_per_radian;
  (has_angles ? g.angles : g.vectors) = std::move(numbers);
  return Message(std::move(g));
}

Result<Message> decode(Parts parts) {
  if (parts.size() != 1) return broken("a packet needs one part, not " + std::to_string(parts.size()));
  FieldReader in(parts[0]);
  const auto descriptor = in.take<int32_t>();
  switch (descriptor) {
    case projection: return decode_projection(in);
    case scan_settings: return decode_settings(in);
    case parallel_beam:
    case parallel_vectors:
    case cone_beam:
    case cone_vectors: return decode_geometry(descriptor, in);
    default: return broken("no packet has the descriptor " + std::to_string(descriptor));
  }
}

class FieldWriter {
 public:
  template <class T>
  void put(T value) {
    const std::size_t end = bytes_.size();
    bytes_.resize(end + sizeof(T));
    std::memcpy(bytes_.data() + end, &value, sizeof(T));
  }
  void reserve(std::size_t more) { bytes_.reserve(bytes_.size() + more); }
  void put_int(int64_t value) { put(static_cast<int32_t>(value)); }
  OwnedParts parts() { return {std::move(bytes_)}; }

 private:
  std::vector<std::byte> bytes_;
};

template <class T>
void put_pixels(const std::vector<std::byte>& pixels, FieldWriter& out) {
  out.reserve(pixels.size() / sizeof(T) * sizeof(float));
  for (std::size_t i = 0; i + sizeof(T) <= pixels.size(); i += sizeof(T)) {
    T value{};
    std::memcpy(&value, pixels.data() + i, sizeof(T));
    out.put(static_cast<float>(value));
  }
}

OwnedParts encode_frame(const Frame& frame) {
  FieldWriter out;
  out.put_int(projection);
  out.put_int(frame.kind == FrameKind::dark ? 0 : frame.kind == FrameKind::flat ? 1 : 2);
  out.put_int(frame.number.value_or(0));
  out.put_int(frame.rows);
  out.put_int(frame.cols);
  out.put_int(frame.rows * frame.cols);
  if (frame.type == PixelType::uint8) put_pixels<uint8_t>(frame.pixels, out);
  if (frame.type == PixelType::uint16) put_pixels<uint16_t>(frame.pixels, out);
  if (frame.type == PixelType::float32) put_pixels<float>(frame.pixels, out);
  return out.parts();
}

OwnedParts encode_geometry(const StreamGeometry& g) {
  const bool cone = g.beam == Beam::cone, has_angles = g.vectors.empty();
  FieldWriter out;
  out.put_int(has_angles ? (cone ? cone_beam : parallel_beam) : (cone ? cone_vectors : parallel_vectors));
  out.put_int(0);
  out.put_int(g.rows);
  out.put_int(g.cols);
  out.put_int(g.views);
  if (cone && has_angles)
    for (const auto& length : {g.source_to_axis, g.axis_to_detector, g.pitch_u, g.pitch_v})
      out.put(static_cast<float>(length.value_or(1)));
  const std::vector<double>& list = has_angles ? g.angles : g.vectors;
  out.put_int(static_cast<int64_t>(list.size()));
  for (const double number : list) out.put(static_cast<float>(has_angles ? number / degrees_per_radian : number));
  return out.parts();
}

OwnedParts encode(const Message& message) {
  if (const auto* frame = std::get_if<Frame>(&message)) return encode_frame(*frame);
  if (const auto* geometry = std::get_if<StreamGeometry>(&message)) return encode_geometry(*geometry);
  if (const auto* settings = std::get_if<ScanSettings>(&message)) {
    FieldWriter out;
    for (const int64_t value : {int64_t{scan_settings}, int64_t{0}, settings->darks, settings->flats})
      out.put_int(value);
    out.put(static_cast<uint8_t>(settings->linear ? 1 : 0));
    return out.parts();
  }
  return {};
}

}  // namespace tomop_wire

Wire wire_tomop() {
  return {"tomop",           "the packets of RECAST3D", Numbering::per_kind, tomop_wire::recognises, tomop_wire::decode,
          tomop_wire::encode};
}

}  // namespace tl::stream
