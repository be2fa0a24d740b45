// Caches the labels in a file of strokes at the strokes that were requested recently, and copies such files.
#include "core/strokes/painted_labels.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/io/output/output_file.h"

namespace tl::strokes {
namespace {

namespace fs = std::filesystem;

// The files that are open in this program, by device and inode.
struct OpenFiles {
  using Id = std::pair<uint64_t, uint64_t>;
  std::mutex mutex;
  std::map<Id, std::weak_ptr<PaintedLabels>> labels;
  static OpenFiles& all() {
    static OpenFiles files;
    return files;
  }
};

}  // namespace

PaintedLabels::PaintedLabels(std::unique_ptr<StrokeFile> file) : file_(std::move(file)) {
  known_.push_back({0, std::make_shared<const Bricks>(file_->grid())});
}

Result<std::shared_ptr<PaintedLabels>> PaintedLabels::open(const fs::path& path) {
  OpenFiles& files = OpenFiles::all();
  const std::lock_guard lock(files.mutex);
  struct stat s {};
  if (stat(path.c_str(), &s) == 0)
    if (auto known = files.labels[{s.st_dev, s.st_ino}].lock()) return known;
  TL_TRY(std::unique_ptr<StrokeFile> file, StrokeFile::open(path));
  std::shared_ptr<PaintedLabels> labels(new PaintedLabels(std::move(file)));
  std::erase_if(files.labels, [](const auto& entry) { return entry.second.expired(); });
  files.labels[{s.st_dev, s.st_ino}] = labels;
  return labels;
}

Result<std::shared_ptr<PaintedLabels>> PaintedLabels::open_or_create(const fs::path& path, const VolumeGrid& grid) {
  std::error_code failed;
  if (!fs::exists(path, failed)) TL_TRY(StrokeFile::create(path, grid));
  return open(path);
}

Result<void> PaintedLabels::find(int64_t stroke) { return stroke > file_->count() ? file_->look_again() : ok(); }

Result<std::string> PaintedLabels::lineage(int64_t stroke) {
  TL_TRY(find(stroke));
  return file_->lineage(stroke);
}

// Undoes the strokes from one state back to the common ancestor, and applies those from there to the other state.
Result<Bricks> PaintedLabels::moved(const Known& from, int64_t to) {
  std::vector<int64_t> applied;
  int64_t up = from.stroke, down = to;
  Bricks labels = *from.labels;
  while (up != down) {
    if (up > down) {
      TL_TRY(const Stroke stroke, file_->read(up));
      TL_TRY(apply(labels, stroke, Direction::undo));
      TL_TRY(up, file_->parent(up));
    } else {
      applied.push_back(down);
      TL_TRY(down, file_->parent(down));
    }
  }
  for (; !applied.empty(); applied.pop_back()) {
    const int64_t next = applied.back();
    TL_TRY(const Stroke stroke, file_->read(next));
    if (const Result<void> fits = apply(labels, stroke, Direction::redo); !fits.ok())
      return invalid(
          "stroke " + std::to_string(next) + " in the file of strokes is damaged (" + fits.error().what + ")",
          file_->path().string(), "Restore it from a copy, or set \"stroke\" to an earlier one");
  }
  return labels;
}

std::shared_ptr<const Bricks> PaintedLabels::keep(int64_t stroke, Bricks labels) {
  constexpr std::size_t most = 4;  // they share equal bricks, so that four take little memory
  known_.push_front({stroke, std::make_shared<const Bricks>(std::move(labels))});
  if (known_.size() > most) known_.pop_back();
  return known_.front().labels;
}

Result<std::shared_ptr<const Bricks>> PaintedLabels::at(int64_t stroke) {
  TL_TRY(find(stroke));
  const std::lock_guard lock(mutex_);
  const auto exact =
      std::find_if(known_.begin(), known_.end(), [stroke](const Known& known) { return known.stroke == stroke; });
  if (exact != known_.end()) {
    known_.splice(known_.begin(), known_, exact);
    return known_.front().labels;
  }
  const auto nearest = std::min_element(known_.begin(), known_.end(), [stroke](const Known& a, const Known& b) {
    return std::abs(a.stroke - stroke) < std::abs(b.stroke - stroke);
  });
  TL_TRY(Bricks labels, moved(*nearest, stroke));
  return keep(stroke, std::move(labels));
}

Result<int64_t> PaintedLabels::append(int64_t parent, const Stroke& stroke) {
  TL_TRY(const std::shared_ptr<const Bricks> before, at(parent));
  Bricks after = *before;
  TL_TRY(apply(after, stroke, Direction::redo));
  TL_TRY(const int64_t number, file_->append(parent, stroke));
  const std::lock_guard lock(mutex_);
  keep(number, std::move(after));
  return number;
}

Result<fs::path> copy_strokes(const fs::path& from, const fs::path& to) {
  TL_TRY(const std::shared_ptr<PaintedLabels> source, PaintedLabels::open(from));
  constexpr int max_names = 1000;
  for (int i = 1; i < max_names; ++i) {
    const fs::path name =
        i == 1 ? to : to.parent_path() / (to.stem().string() + "-" + std::to_string(i) + to.extension().string());
    std::error_code failed;
    io::Overwrite overwrite = io::Overwrite::refuse;
    if (fs::exists(name, failed)) {
      const auto there = PaintedLabels::open(name);
      if (!there.ok()) continue;
      if (there.value()->file().begins_as(source->file())) return name;
      if (!source->file().begins_as(there.value()->file())) continue;
      overwrite = io::Overwrite::replace;  // all its strokes are in the copy too
    }
    TL_TRY(const std::vector<std::byte> bytes, source->file().whole_bytes());
    TL_TRY(io::write_bytes(name, bytes, io::no_inputs(overwrite)));
    return name;
  }
  return io_error("there are too many files of strokes of this name", to.string(), "Choose another folder");
}

}  // namespace tl::strokes
