// Computes the voxels that a stroke changes, and applies it.
#include "core/strokes/stroke.h"

#include <map>

namespace tl::strokes {

int64_t Stroke::voxels() const {
  int64_t all = 0;
  for (const BrickChange& b : bricks) all += static_cast<int64_t>(b.voxels.size());
  return all;
}

Stroke painted(const Bricks& labels, const VoxelSet& voxels, uint16_t number, const std::set<int64_t>& locked) {
  Stroke stroke;
  int64_t last = -1;
  const Bricks::Brick* now = nullptr;
  voxels.for_each([&](int64_t brick, std::size_t index) {
    if (brick != last) now = labels.find(brick);
    last = brick;
    const uint16_t before = now == nullptr ? uint16_t{0} : now->numbers[index];
    if (before == number || locked.count(before) != 0) return;
    if (stroke.bricks.empty() || stroke.bricks.back().brick != brick) stroke.bricks.push_back({brick, {}});
    stroke.bricks.back().voxels.push_back({static_cast<uint16_t>(index), before, number});
  });
  return stroke;
}

Result<void> apply(Bricks& labels, const Stroke& stroke, Direction direction) {
  std::map<int64_t, std::shared_ptr<const Bricks::Brick>> changed;
  for (const BrickChange& change : stroke.bricks) {
    const Bricks::Brick* old = labels.find(change.brick);
    const auto brick = old == nullptr ? std::make_shared<Bricks::Brick>() : std::make_shared<Bricks::Brick>(*old);
    for (const VoxelChange& v : change.voxels) {
      const uint16_t from = direction == Direction::redo ? v.before : v.after;
      const uint16_t to = direction == Direction::redo ? v.after : v.before;
      uint16_t& number = brick->numbers[v.index];
      if (number != from) return invalid("a stroke does not fit the labels that it was painted over");
      brick->labelled += (to != 0 ? 1 : 0) - (from != 0 ? 1 : 0);
      number = to;
    }
    changed[change.brick] = brick;
  }
  for (auto& [brick, with] : changed) labels.replace(brick, std::move(with));
  return ok();
}

}  // namespace tl::strokes
