// StrokeFile: a file to which every stroke is appended and in which nothing is ever rewritten.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/strokes/delayed_sync.h"
#include "core/strokes/stroke.h"

namespace tl::strokes {

// Strokes are numbered from 1. Each one was painted on the result of another one, its parent (0: nothing painted yet),
// so that strokes form a tree: a stroke after an undo begins a branch. The labels "at stroke n" result from n and all
// its ancestors. Format: resources/docs/formats.md.
//
// From any thread. Errors name the file, and suggest what to do.
class StrokeFile {
 public:
  // io, invalid: no such file, not a file of strokes, damaged inside. An incomplete last stroke of a killed program is
  // ignored.
  static Result<std::unique_ptr<StrokeFile>> open(const std::filesystem::path& path);
  // Makes a file without strokes, which must not exist.
  static Result<void> create(const std::filesystem::path& path, const VolumeGrid& grid);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const VolumeGrid& grid() const { return grid_; }
  [[nodiscard]] const BrickLayout& layout() const { return layout_; }
  // Reads strokes that another program has appended since.
  Result<void> look_again();
  [[nodiscard]] int64_t count() const;
  // invalid: there is no such stroke; the error gives the last one.
  [[nodiscard]] Result<int64_t> parent(int64_t stroke) const;
  // 32 digits that identify the grid, the stroke and all its ancestors, wherever they are stored.
  [[nodiscard]] Result<std::string> lineage(int64_t stroke) const;
  // invalid: it is damaged.
  [[nodiscard]] Result<Stroke> read(int64_t stroke) const;

  // Appends a stroke with one write, and returns its number. The first call locks the file and removes an incomplete
  // last stroke of a killed program. Errors: another program paints into it; io, with the file unchanged (full disk,
  // read-only), also if earlier strokes could not be written to the disk.
  Result<int64_t> append(int64_t parent, const Stroke& stroke);
  // A sentence about an incomplete stroke that append() removed; empty: there was none.
  [[nodiscard]] std::string note() const;

  // Whether the strokes of `other` are the first strokes of this file.
  [[nodiscard]] bool begins_as(const StrokeFile& other) const;
  // The bytes of all complete strokes, and the bytes before them.
  [[nodiscard]] Result<std::vector<std::byte>> whole_bytes() const;

 private:
  using Digest = std::array<uint64_t, 2>;
  struct Record {
    int64_t parent = 0, at = 0, bytes = 0;  // position and size of the compressed voxels
    Digest lineage{};
  };
  StrokeFile(std::filesystem::path path, io::FileDescriptor file, const VolumeGrid& grid);
  Result<void> index();
  Result<void> lock_to_write();
  [[nodiscard]] Result<std::vector<std::byte>> bytes_at(int64_t at, int64_t count) const;
  [[nodiscard]] Result<bool> is_whole(const Record& record) const;
  [[nodiscard]] Result<bool> has_record_after(int64_t at, int64_t size) const;
  [[nodiscard]] const Record* find(int64_t stroke) const;
  [[nodiscard]] Error no_such_stroke(int64_t stroke) const;
  [[nodiscard]] Digest lineage_before(int64_t parent) const;

  std::filesystem::path path_;
  io::FileDescriptor file_, writer_;
  VolumeGrid grid_;
  BrickLayout layout_;
  Digest root_{};  // of the grid
  mutable std::mutex mutex_;
  std::vector<Record> records_;
  int64_t end_ = 0;  // of the last whole stroke
  std::string note_;
  DelayedSync sync_;  // declared after writer_: it stops before that is closed
};

}  // namespace tl::strokes
