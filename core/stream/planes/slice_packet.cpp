// Writes and reads slice_data packets: scene, number of the slice, rows, columns, whether it is added to existing
// values, pixels. Source: https://github.com/cicwi/TomoPackets.
#include "core/stream/planes/slice_packet.h"

#include <cstring>
#include <string>

namespace tl::stream {
namespace {

constexpr int32_t slice_data = 0x201;
constexpr const char* slice_where = "packet slice_data";

struct SliceHeader {
  int32_t descriptor = slice_data, scene = 0, id = 0, rows = 0, cols = 0;
};
// After the header: one byte, then the number of pixels, then the pixels. Some versions add one more byte.
constexpr std::size_t list_begin = sizeof(SliceHeader) + 1, pixels_begin = list_begin + sizeof(int32_t);

}  // namespace

OwnedParts encode_slice(const Plane& plane) {
  const SliceHeader header{slice_data, 0, static_cast<int32_t>(plane.id), static_cast<int32_t>(plane.rows),
                           static_cast<int32_t>(plane.cols)};
  const auto count = static_cast<int32_t>(plane.values.size());
  std::vector<std::byte> bytes(pixels_begin + plane.values.size() * sizeof(float));
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + list_begin, &count, sizeof(count));
  if (!plane.values.empty())
    std::memcpy(bytes.data() + pixels_begin, plane.values.data(), plane.values.size() * sizeof(float));
  return {std::move(bytes)};
}

Result<Plane> decode_slice(Parts parts) {
  if (parts.size() != 1) return invalid("a packet needs one part, not " + std::to_string(parts.size()), slice_where);
  const Bytes bytes = parts[0];
  SliceHeader header;
  int32_t count = 0;
  if (bytes.size() < pixels_begin) return invalid("the packet is cut short", slice_where);
  std::memcpy(&header, bytes.data(), sizeof(header));
  std::memcpy(&count, bytes.data() + list_begin, sizeof(count));
  if (header.descriptor != slice_data)
    return invalid("the packet has the descriptor " + std::to_string(header.descriptor), slice_where);
  const int64_t rows = header.rows, cols = header.cols;
  const std::size_t rest = bytes.size() - pixels_begin,
                    size = count < 0 ? 0 : static_cast<std::size_t>(count) * sizeof(float);
  if (rows < 1 || rows > max_side || cols < 1 || cols > max_side || count != rows * cols ||
      (rest != size && rest != size + 1))
    return invalid("a slice of " + std::to_string(rows) + " x " + std::to_string(cols) + " has " +
                       std::to_string(rest / sizeof(float)) + " pixels",
                   slice_where);
  Plane plane;
  plane.id = header.id;
  plane.rows = rows;
  plane.cols = cols;
  plane.values.resize(static_cast<std::size_t>(count));
  std::memcpy(plane.values.data(), bytes.data() + pixels_begin, size);
  return plane;
}

}  // namespace tl::stream
