// PaintedLabels: the labels at any stroke of a file, moved along its strokes from the labels requested last.
#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "core/strokes/stroke_file.h"

namespace tl::strokes {

// One per file in a program, so that painting and computing code share the labels and the lock of the file. From any
// thread.
class PaintedLabels {
 public:
  // Errors: as StrokeFile::open().
  static Result<std::shared_ptr<PaintedLabels>> open(const std::filesystem::path& path);
  // Like open(); a missing file is created, for labels on `grid`.
  static Result<std::shared_ptr<PaintedLabels>> open_or_create(const std::filesystem::path& path,
                                                               const VolumeGrid& grid);

  [[nodiscard]] const StrokeFile& file() const { return *file_; }
  [[nodiscard]] const VolumeGrid& grid() const { return file_->grid(); }
  // The labels at a stroke; 0: nothing is painted. The time depends on the number of strokes between it and a recently
  // requested one. invalid: no such stroke, or one of them is damaged.
  Result<std::shared_ptr<const Bricks>> at(int64_t stroke);
  // Like StrokeFile::lineage(), also for strokes that another program has appended.
  Result<std::string> lineage(int64_t stroke);
  // Like StrokeFile::append(); the labels at the new stroke are then cached.
  Result<int64_t> append(int64_t parent, const Stroke& stroke);

 private:
  explicit PaintedLabels(std::unique_ptr<StrokeFile> file);
  struct Known {
    int64_t stroke = 0;
    std::shared_ptr<const Bricks> labels;
  };
  Result<Bricks> moved(const Known& from, int64_t to);
  std::shared_ptr<const Bricks> keep(int64_t stroke, Bricks labels);
  Result<void> find(int64_t stroke);

  std::unique_ptr<StrokeFile> file_;
  std::mutex mutex_;
  std::list<Known> known_;  // the most recently requested one comes first
};

// Copies all strokes of a file to `to`, unless `to` has them already; it may then have more. Returns the path of the
// copy: next to `to`, as NAME-2, NAME-3..., if there is a file with other strokes. io: cannot be read or written.
Result<std::filesystem::path> copy_strokes(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace tl::strokes
