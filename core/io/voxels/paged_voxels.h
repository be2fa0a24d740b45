// PagedVoxels: numbers whose pages lie in several files, one after the other, such as the frames of a scan.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/io/voxels/stored_volume.h"

namespace tl::io {

struct PagedFile {
  int64_t pages = 0;
  std::function<Result<std::unique_ptr<StoredVoxels>>()> open;
};

// All files have pages of the same rows and columns. One of them is open at a time: that which was read last.
class PagedVoxels final : public StoredVoxels {
 public:
  explicit PagedVoxels(std::vector<PagedFile> files) : files_(std::move(files)) {}

  [[nodiscard]] int64_t pages() const;
  // Pages count through all files. Errors of open() and of the files' read().
  Result<void> read(const GridBox& box, const at::Tensor& out) override;

 private:
  std::vector<PagedFile> files_;
  const PagedFile* open_ = nullptr;
  std::unique_ptr<StoredVoxels> numbers_;
};

}  // namespace tl::io
