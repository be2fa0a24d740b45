// Reads, checks and appends to files of strokes.
#include "core/strokes/stroke_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <span>

#include "core/base/text.h"
#include "core/io/bytes/read_at.h"
#include "core/io/output/output_file.h"
#include "core/strokes/stroke_bytes.h"

namespace tl::strokes {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr std::array<char, 16> magic{'T', 'o', 'm', 'o', 'l', 'o', 'o', 'm', ' ', 's', 't', 'r', 'o', 'k', 'e', 's'};
constexpr uint32_t version = 1;

// Without padding, since it is written as it is in memory.
struct FileHead {
  std::array<char, 16> mark = magic;
  uint32_t format = version, edge = static_cast<uint32_t>(brick_edge);
  std::array<int64_t, 3> shape{};
  std::array<double, 12> grid_vectors{};  // centre and steps along x, y, z
  uint64_t check = 0;                     // of all before it
};
struct RecordHead {
  std::array<char, 8> mark{'s', 't', 'r', 'o', 'k', 'e', ' ', ' '};
  int64_t number = 0, parent = 0, bytes = 0;
  std::array<uint64_t, 2> lineage{};  // digest of the parent's lineage and the compressed voxels
  uint64_t check = 0;                 // of all before it
};
static_assert(sizeof(FileHead) == 152 && sizeof(RecordHead) == 56);
constexpr auto head_size = static_cast<int64_t>(sizeof(FileHead)),
               record_size = static_cast<int64_t>(sizeof(RecordHead));

template <class Head>
uint64_t check_of(const Head& head) {
  return XXH3_64bits(&head, offsetof(Head, check));
}
template <class Head>
std::span<const std::byte> as_bytes_of(const Head& head) {
  return std::as_bytes(std::span(&head, 1));
}
bool is_record(const RecordHead& head) {
  return head.mark == RecordHead{}.mark && head.check == check_of(head) && head.bytes > 0;
}

std::array<uint64_t, 2> digest_of(const std::array<uint64_t, 2>& parent, std::span<const std::byte> bytes) {
  XXH3_state_t* const state = XXH3_createState();
  XXH3_128bits_reset(state);
  XXH3_128bits_update(state, parent.data(), sizeof parent);
  XXH3_128bits_update(state, bytes.data(), bytes.size());
  const XXH128_hash_t digest = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  return {digest.high64, digest.low64};
}

FileHead head_of(const VolumeGrid& g) {
  FileHead head;
  head.shape = {g.nz, g.ny, g.nx};
  std::size_t at = 0;
  for (const Vec3& v : {g.centre, g.step_x, g.step_y, g.step_z})
    for (const double number : {v.x, v.y, v.z}) head.grid_vectors[at++] = number;
  head.check = check_of(head);
  return head;
}

Result<VolumeGrid> grid_of(const FileHead& head, const fs::path& path) {
  if (head.mark != magic)
    return invalid("this is not a file of strokes", path.string(),
                   "Choose the file next to the pipeline, or none to start again");
  if (head.format > version)
    return invalid("the file of strokes was made by a newer program", path.string(), "Open it with that one");
  if (head.check != check_of(head) || head.format != version || head.edge != brick_edge)
    return invalid("the first bytes of the file of strokes are damaged", path.string(), "Restore it from a copy");
  const auto& p = head.grid_vectors;
  const VolumeGrid grid{head.shape[0],      head.shape[1],      head.shape[2],       {p[0], p[1], p[2]},
                        {p[3], p[4], p[5]}, {p[6], p[7], p[8]}, {p[9], p[10], p[11]}};
  if (const Result<void> valid = grid.validate(); !valid.ok())
    return invalid("the volume of the file of strokes is impossible: " + valid.error().what, path.string(),
                   "Restore it from a copy");
  return grid;
}

Result<int64_t> size_of(int file, const fs::path& path) {
  struct stat s {};
  if (fstat(file, &s) != 0) return io::system_error("the file of strokes cannot be read", path, errno);
  if (!S_ISREG(s.st_mode)) return invalid("this is not a file of strokes", path.string(), "Choose another file");
  return static_cast<int64_t>(s.st_size);
}

Result<void> read_whole(int file, int64_t at, std::span<std::byte> to, const fs::path& path) {
  const int64_t got = io::read_at(file, at, to);
  if (got < static_cast<int64_t>(to.size()))
    return io::system_error("the file of strokes cannot be read", path, got < 0 ? errno : EIO);
  return ok();
}

Result<void> write_at(int file, int64_t at, std::span<const std::byte> from, const fs::path& path) {
  while (!from.empty()) {
    const ssize_t put = pwrite(file, from.data(), from.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return io::system_error("the stroke cannot be written", path, errno);
    from = from.subspan(static_cast<std::size_t>(put));
    at += put;
  }
  return ok();
}

}  // namespace

StrokeFile::StrokeFile(fs::path path, io::FileDescriptor file, const VolumeGrid& grid)
    : path_(std::move(path)), file_(std::move(file)), grid_(grid), layout_(grid), end_(head_size) {
  const FileHead head = head_of(grid);
  root_ = digest_of({}, as_bytes_of(head));
}

Result<void> StrokeFile::create(const fs::path& path, const VolumeGrid& grid) {
  TL_TRY(grid.validate());
  return io::write_bytes(path, as_bytes_of(head_of(grid)), io::no_inputs(io::Overwrite::refuse));
}

Result<std::unique_ptr<StrokeFile>> StrokeFile::open(const fs::path& path) {
  io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) {
    Error error = io::system_error("the file of strokes cannot be opened", path, errno);
    error.hint = "Restore it next to the pipeline, or choose where it is now";
    return error;
  }
  TL_TRY(const int64_t size, size_of(file.get(), path));
  if (size < head_size) return invalid("this is not a file of strokes", path.string(), "Choose another file");
  FileHead head;
  TL_TRY(read_whole(file.get(), 0, std::as_writable_bytes(std::span(&head, 1)), path));
  TL_TRY(const VolumeGrid grid, grid_of(head, path));
  std::unique_ptr<StrokeFile> strokes(new StrokeFile(path, std::move(file), grid));
  TL_TRY(strokes->index());
  return strokes;
}

Result<void> StrokeFile::look_again() {
  const std::lock_guard lock(mutex_);
  return index();
}

// Reads the heads of records from `end_` on. The last record's voxels are checked too: a power failure can leave its
// head with voxels that were never written.
Result<void> StrokeFile::index() {
  TL_TRY(const int64_t size, size_of(file_.get(), path_));
  if (size < end_)
    return invalid("the file of strokes became shorter while it was open", path_.string(),
                   "Restore it from a copy, and open the pipeline again");
  while (size - end_ >= record_size) {
    RecordHead head;
    TL_TRY(read_whole(file_.get(), end_, std::as_writable_bytes(std::span(&head, 1)), path_));
    const auto number = static_cast<int64_t>(records_.size()) + 1;
    const bool fits = is_record(head) && head.number == number && head.parent >= 0 && head.parent < number;
    const Record record{head.parent, end_ + record_size, head.bytes, head.lineage};
    const bool complete = fits && head.bytes <= size - record.at;
    const bool is_last = complete && record.at + head.bytes == size;
    bool good = complete;
    if (is_last) {
      TL_TRY(good, is_whole(record));
    }
    if (!good) {
      TL_TRY(const bool more, has_record_after(end_ + 1, size));
      if (!more) return ok();  // leftovers of a stroke that was being written
      return invalid("stroke " + std::to_string(number) + " in the file of strokes is damaged", path_.string(),
                     "Restore it from a copy, or cut it off after " + std::to_string(end_) +
                         " bytes and set \"stroke\" to " + std::to_string(number - 1));
    }
    records_.push_back(record);
    end_ = record.at + record.bytes;
  }
  return ok();
}

Result<Bytes> StrokeFile::bytes_at(int64_t at, int64_t count) const {
  Bytes bytes(static_cast<std::size_t>(count));
  TL_TRY(read_whole(file_.get(), at, bytes, path_));
  return bytes;
}

StrokeFile::Digest StrokeFile::lineage_before(int64_t parent) const {
  return parent == 0 ? root_ : records_[static_cast<std::size_t>(parent - 1)].lineage;
}

Result<bool> StrokeFile::is_whole(const Record& record) const {
  TL_TRY(const Bytes bytes, bytes_at(record.at, record.bytes));
  return digest_of(lineage_before(record.parent), bytes) == record.lineage;
}

// Whether there is a record's head anywhere from `at` on: a damaged part before it is then not the end of the file.
Result<bool> StrokeFile::has_record_after(int64_t at, int64_t size) const {
  constexpr int64_t block = int64_t{1} << 20;
  for (; at + record_size <= size; at += block) {
    TL_TRY(const Bytes bytes, bytes_at(at, std::min(block + record_size - 1, size - at)));
    for (std::size_t i = 0; i + sizeof(RecordHead) <= bytes.size(); ++i) {
      if (bytes[i] != std::byte{'s'}) continue;
      RecordHead head;
      std::memcpy(&head, bytes.data() + i, sizeof head);
      if (is_record(head)) return true;
    }
  }
  return false;
}

const StrokeFile::Record* StrokeFile::find(int64_t stroke) const {
  return stroke < 1 || stroke > static_cast<int64_t>(records_.size()) ? nullptr
                                                                      : &records_[static_cast<std::size_t>(stroke - 1)];
}

Error StrokeFile::no_such_stroke(int64_t stroke) const {
  return invalid("stroke " + std::to_string(stroke) + " is not in the file of strokes, which has " +
                     std::to_string(records_.size()),
                 path_.string(), "Set \"stroke\" to one that is there, or restore the file from a copy");
}

int64_t StrokeFile::count() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(records_.size());
}

Result<int64_t> StrokeFile::parent(int64_t stroke) const {
  const std::lock_guard lock(mutex_);
  const Record* record = find(stroke);
  if (record == nullptr) return no_such_stroke(stroke);
  return record->parent;
}

Result<std::string> StrokeFile::lineage(int64_t stroke) const {
  const std::lock_guard lock(mutex_);
  if (stroke != 0 && find(stroke) == nullptr) return no_such_stroke(stroke);
  const Digest digest = lineage_before(stroke);
  return formatted("%016llx%016llx", static_cast<unsigned long long>(digest[0]),
                   static_cast<unsigned long long>(digest[1]));
}

Result<Stroke> StrokeFile::read(int64_t stroke) const {
  const std::lock_guard lock(mutex_);
  const Record* record = find(stroke);
  if (record == nullptr) return no_such_stroke(stroke);
  const auto damaged = [&](const std::string& why) {
    return invalid(
        "stroke " + std::to_string(stroke) + " in the file of strokes is damaged" + why, path_.string(),
        "Restore it from a copy, or set \"stroke\" to " + std::to_string(record->parent) + ", the one before it");
  };
  TL_TRY(const Bytes bytes, bytes_at(record->at, record->bytes));
  if (digest_of(lineage_before(record->parent), bytes) != record->lineage) return damaged("");
  Result<Stroke> read = stroke_of(bytes, layout_, path_.string());
  if (!read.ok()) return damaged(" (" + read.error().what + ")");
  return read;
}

Result<void> StrokeFile::lock_to_write() {
  if (writer_.is_open()) return ok();
  io::FileDescriptor file(::open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) return io::system_error("the file of strokes cannot be written", path_, errno);
  struct stat ours {
  }, read{};
  if (fstat(file.get(), &ours) != 0 || fstat(file_.get(), &read) != 0 || ours.st_dev != read.st_dev ||
      ours.st_ino != read.st_ino)
    return invalid("the file of strokes was replaced while it was open", path_.string(), "Open the pipeline again");
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return invalid("another program is painting into this file", path_.string(),
                   "Close the pipeline there, or save this one under another name");
  TL_TRY(index());
  TL_TRY(const int64_t size, size_of(file.get(), path_));
  if (size > end_) {
    if (ftruncate(file.get(), static_cast<off_t>(end_)) != 0)
      return io::system_error("the file of strokes cannot be written", path_, errno);
    note_ = "The last stroke in " + path_.filename().string() +
            " was incomplete, as a killed program leaves it: " + std::to_string(size - end_) + " bytes were cut off.";
  }
  writer_ = std::move(file);
  return ok();
}

Result<int64_t> StrokeFile::append(int64_t parent, const Stroke& stroke) {
  TL_CHECK(!stroke.empty(), "a stroke changes something");
  const std::lock_guard lock(mutex_);
  if (const int failure = sync_.failure(); failure != 0) {
    Error error = io::system_error("the strokes painted last did not reach the disk", path_, failure);
    error.hint = "Save the pipeline in another folder, which copies its strokes, and go on there";
    return error;
  }
  TL_TRY(lock_to_write());
  if (parent != 0 && find(parent) == nullptr) return no_such_stroke(parent);
  const Bytes voxels = bytes_of(stroke);
  RecordHead head{.number = static_cast<int64_t>(records_.size()) + 1,
                  .parent = parent,
                  .bytes = static_cast<int64_t>(voxels.size()),
                  .lineage = digest_of(lineage_before(parent), voxels)};
  head.check = check_of(head);
  Bytes all;
  all.reserve(sizeof head + voxels.size());
  const auto head_bytes = as_bytes_of(head);
  all.insert(all.end(), head_bytes.begin(), head_bytes.end());
  all.insert(all.end(), voxels.begin(), voxels.end());
  if (Result<void> written = write_at(writer_.get(), end_, all, path_); !written.ok()) {
    (void)ftruncate(writer_.get(), static_cast<off_t>(end_));
    return std::move(written).error();
  }
  records_.push_back({parent, end_ + record_size, head.bytes, head.lineage});
  end_ += static_cast<int64_t>(all.size());
  sync_.changed(writer_.get());
  return head.number;
}

std::string StrokeFile::note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

bool StrokeFile::begins_as(const StrokeFile& other) const {
  if (this == &other) return true;
  const std::scoped_lock lock(mutex_, other.mutex_);
  return root_ == other.root_ && other.records_.size() <= records_.size() &&
         std::equal(other.records_.begin(), other.records_.end(), records_.begin(),
                    [](const Record& a, const Record& b) { return a.parent == b.parent && a.lineage == b.lineage; });
}

Result<Bytes> StrokeFile::whole_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_at(0, end_);
}

}  // namespace tl::strokes
