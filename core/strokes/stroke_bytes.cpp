// Converts strokes to bytes and back; bytes are untrusted.
#include "core/strokes/stroke_bytes.h"

#include <zlib.h>

#include <bit>
#include <cstring>

#include "core/io/bytes/deflate.h"

namespace tl::strokes {
namespace {

static_assert(std::endian::native == std::endian::little, "files of strokes are written as the numbers lie in memory");

constexpr std::size_t head_bytes = sizeof(int64_t) + 2 * sizeof(uint32_t), lists = 3;

template <class T>
void put(std::vector<std::byte>& to, const T& value) {
  const auto* from = reinterpret_cast<const std::byte*>(&value);
  to.insert(to.end(), from, from + sizeof value);
}
template <class T>
T number_at(std::span<const std::byte> bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::vector<uint16_t> lists_of(const BrickChange& change) {
  const std::size_t count = change.voxels.size();
  std::vector<uint16_t> all(lists * count);
  uint16_t last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const VoxelChange& v = change.voxels[i];
    all[i] = static_cast<uint16_t>(v.index - last);
    all[count + i] = v.before;
    all[2 * count + i] = v.after;
    last = v.index;
  }
  return all;
}

Error damaged_stroke(const std::string& what, const std::string& where) {
  return invalid("a stroke is damaged: " + what, where);
}

Result<BrickChange> brick_of(std::span<const std::byte> packed, std::size_t count, int64_t brick,
                             const BrickLayout& layout, const std::string& where) {
  std::vector<uint16_t> all(lists * count);
  uLongf size = all.size() * sizeof(uint16_t);
  const uLongf expected = size;
  if (uncompress(reinterpret_cast<Bytef*>(all.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                 packed.size()) != Z_OK ||
      size != expected)
    return damaged_stroke("its bytes cannot be unpacked", where);
  BrickChange change{brick, std::vector<VoxelChange>(count)};
  std::size_t index = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && all[i] == 0) return damaged_stroke("a voxel comes twice", where);
    index += all[i];
    const VoxelChange v{static_cast<uint16_t>(index), all[count + i], all[2 * count + i]};
    if (index >= static_cast<std::size_t>(brick_voxels) || !layout.holds(layout.voxel(brick, index)))
      return damaged_stroke("a voxel lies outside the volume", where);
    if (v.before == v.after) return damaged_stroke("a voxel is not changed", where);
    change.voxels[i] = v;
  }
  return change;
}

}  // namespace

std::vector<std::byte> bytes_of(const Stroke& stroke) {
  std::vector<std::byte> all;
  for (const BrickChange& change : stroke.bricks) {
    const std::vector<uint16_t> plain = lists_of(change);
    const std::vector<std::byte> packed = io::deflated(io::DeflateForm::zlib, std::as_bytes(std::span(plain)));
    put(all, change.brick);
    put(all, static_cast<uint32_t>(change.voxels.size()));
    put(all, static_cast<uint32_t>(packed.size()));
    all.insert(all.end(), packed.begin(), packed.end());
  }
  return all;
}

Result<Stroke> stroke_of(std::span<const std::byte> bytes, const BrickLayout& layout, const std::string& where) {
  Stroke stroke;
  int64_t last = -1;
  while (!bytes.empty()) {
    if (bytes.size() < head_bytes) return damaged_stroke("it ends within a brick", where);
    const auto brick = number_at<int64_t>(bytes, 0);
    const auto count = number_at<uint32_t>(bytes, sizeof(int64_t));
    const auto packed = number_at<uint32_t>(bytes, sizeof(int64_t) + sizeof(uint32_t));
    bytes = bytes.subspan(head_bytes);
    if (brick <= last || brick >= layout.bricks()) return damaged_stroke("a brick lies outside the volume", where);
    if (count < 1 || count > brick_voxels) return damaged_stroke("a brick has a wrong count of voxels", where);
    if (packed > bytes.size()) return damaged_stroke("it ends within a brick", where);
    TL_TRY(BrickChange change, brick_of(bytes.subspan(0, packed), count, brick, layout, where));
    stroke.bricks.push_back(std::move(change));
    bytes = bytes.subspan(packed);
    last = brick;
  }
  return stroke;
}

}  // namespace tl::strokes
