// Serves requests in a reading process: opens a scan and reads frames into shared memory.
#include "core/io/process/reader_child.h"

#include <ATen/ATen.h>
#include <hdf5.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "core/io/bytes/reader_limits.h"
#include "core/io/hdf5/file.h"
#include "core/io/process/reader_messages.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/scan_formats.h"
#include "core/io/tiff/file.h"
#include "core/io/volumes/format.h"

namespace tl::io {
namespace {

// Maps shared memory that was received.
class MappedMemory {
 public:
  MappedMemory() = default;
  MappedMemory(MappedMemory&& other) noexcept { *this = std::move(other); }
  MappedMemory& operator=(MappedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~MappedMemory() { reset(); }

  // Takes ownership of the file.
  void map(int file, uint64_t id) {
    reset();
    struct stat status {};
    if (fstat(file, &status) == 0) {
      void* at = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (at != MAP_FAILED) {
        data_ = static_cast<std::byte*>(at);
        size_ = status.st_size;
        id_ = id;
      }
    }
    close(file);
  }
  // The address of `bytes` bytes at `offset`; null if the range is not inside the memory of that id.
  [[nodiscard]] std::byte* address(uint64_t id, int64_t offset, int64_t bytes) const {
    const bool inside = data_ != nullptr && id == id_ && offset >= 0 && bytes >= 0 && bytes <= size_ - offset;
    return inside ? data_ + offset : nullptr;
  }

 private:
  void reset() {
    if (data_ != nullptr) munmap(std::exchange(data_, nullptr), static_cast<std::size_t>(size_));
    size_ = 0;
  }
  std::byte* data_ = nullptr;
  int64_t size_ = 0;
  uint64_t id_ = 0;
};

Error not_understood() { return {ErrorKind::internal, "a request to a reading process is not understood", {}, {}}; }

class ReaderLoop {
 public:
  // The reply, or the error to send instead.
  Result<Message> answer(const Message& request) {
    switch (request.kind) {
      case MessageKind::open_scan: return open(request);
      case MessageKind::read_frames: return read(request);
      case MessageKind::read_description: return description(request);
      case MessageKind::read_tree: return tree(request);
      default: return not_understood();
    }
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  void close_files() { scan_.reset(); }

 private:
  Result<Message> open(const Message& message) {
    const auto request = deserialise<OpenRequest>(message);
    if (!request || chdir(request->folder.c_str()) != 0) return not_understood();
    path_ = request->path;
    allow_cpu_time(cpu_time_for(0));
    const auto sources = std::make_shared<SourceFiles>(request->path, request->choices.outside_links);
    std::optional<VolumeFileInfo> volume_info;
    if (request->content == FileContent::volume) {
      TL_TRY(StoredVolume volume, open_volume_here(request->path, request->format, {sources, request->threads}));
      volume_info = volume.info;
      TL_TRY(scan_, slices_as_views(std::move(volume)));
    } else {
      TL_TRY(scan_, open_scan_here(request->path, request->format, {sources, request->threads, request->choices}));
    }
    if (sources->requires_scan_folder()) {
      std::error_code failed;
      const auto folder = std::filesystem::absolute(request->path, failed).parent_path();
      if (failed || chdir(folder.c_str()) != 0)
        return io_error("the folder of the file cannot be entered", path_, "Check its permissions");
    }
    return serialise(MessageKind::scan, OpenReply{scan_->info(), std::move(volume_info), scan_->inputs()->files()});
  }

  Result<Message> read(const Message& message) {
    const auto request = deserialise<ReadRequest>(message);
    if (!request || !scan_) {
      if (message.file >= 0) close(message.file);
      return not_understood();
    }
    if (message.file >= 0) {
      std::rotate(memory_.begin(), memory_.begin() + 1, memory_.end());
      memory_.back().map(message.file, request->memory);
    }
    const FrameRegion& region = request->region;
    const int64_t rows = region.rows.size(), cols = region.cols.size(), n = region.frames.size();
    const at::ScalarType type = request->numbers == PixelNumbers::counts     ? at::kUInt16
                                : request->numbers == PixelNumbers::integers ? at::kInt
                                                                             : at::kFloat;
    const auto sample = static_cast<int64_t>(at::elementSize(type));
    const int64_t bytes = ((n - 1) * request->step + rows * cols) * sample;
    std::byte* to = nullptr;
    for (const MappedMemory& one : memory_)
      if (to == nullptr) to = one.address(request->memory, request->offset, bytes);
    if (to == nullptr)
      return unavailable("there is not enough memory for the pixels", path_, "Read fewer views or rows at a time");
    // Readers add CPU time for data that they decompress.
    allow_cpu_time(cpu_time_for(n * rows * cols * sample));
    const at::Tensor out = at::from_blob(to, {n, rows, cols}, {request->step, cols, 1}, at::TensorOptions(type));
    TL_TRY(scan_->read_into(region, out, {}));
    return Message{};
  }

  // Opens the path in a request that contains only a path. False: not such a request.
  bool take_path(const Message& message) {
    const auto request = deserialise<PathRequest>(message);
    if (request) path_ = request->path;
    allow_cpu_time(cpu_time_for(0));
    return request && chdir(request->folder.c_str()) == 0;
  }

  Result<Message> tree(const Message& message) {
    if (!take_path(message)) return not_understood();
    TL_TRY(const Hdf5Tree all, read_hdf5_tree_here(path_));
    return serialise(MessageKind::tree, all);
  }

  Result<Message> description(const Message& message) {
    if (!take_path(message)) return not_understood();
    TL_TRY(TiffFile tiff, TiffFile::open(path_));
    return Message{MessageKind::text, tiff.description(), -1};
  }

  std::string path_;
  std::unique_ptr<ScanReader> scan_;                // the opened scan, or the slices of a volume
  std::array<MappedMemory, memories_kept> memory_;  // oldest first
};

Message reply_to(ReaderLoop& loop, const Message& request) {
  try {
    Result<Message> reply = loop.answer(request);
    return reply.ok() ? std::move(reply).value() : failure(reply.error());
  } catch (const std::bad_alloc&) {
    return failure(io_error("the file is damaged: reading it takes more memory than twice its size and 128 MiB",
                            loop.path(), "Copy it again from its source, or rewrite it with smaller chunks or tiles"));
  } catch (const Failure& known) {
    return failure(known.error());
  } catch (const std::exception& error) {
    return failure(
        Error{ErrorKind::internal, error.what(), loop.path(), "This is a bug in Tomoloom: please report it."});
  }
}

}  // namespace

void prepare_readers() {
  // Ignores HDF5's path variables: a scan is read from its folder or from files that it names, and the storage checks
  // cover no other folders.
  for (const char* prefix : {"HDF5_EXT_PREFIX", "HDF5_EXTFILE_PREFIX", "HDF5_VDS_PREFIX"}) unsetenv(prefix);
  H5open();
  (void)scan_formats();
  (void)volume_formats();
}

void serve_reader(int socket) {
  constexpr std::size_t most = 1 << 20;
  limit_this_process();
  allow_memory_for(0);
  // On the heap and never destroyed: the process ends with _exit().
  auto* loop = new ReaderLoop;
  while (true) {
    const ReceivedMessage arrival = receive_message(socket, most, nullptr);
    if (arrival.how != Received::message) _exit(0);
    if (arrival.message.kind == MessageKind::close_scan) {
      // Replies before the process ends, since freeing its memory takes milliseconds.
      loop->close_files();
      (void)send_message(socket, {MessageKind::closed, {}, -1});
      _exit(0);
    }
    if (!send_message(socket, reply_to(*loop, arrival.message))) _exit(0);
  }
}

}  // namespace tl::io
