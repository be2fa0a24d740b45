// LabelSpool: slabs of labels in a temporary file, for an output whose type turns out to be too narrow.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/file_descriptor.h"

namespace tl::io {

// Numbers of 0 to 65535, packed: of labels a few bytes per hundred voxels. Not from several threads at a time.
class LabelSpool {
 public:
  // The file has no name, so that nothing remains of it even after a crash; it uses space on the disk of `folder`. io:
  // it cannot be created there.
  static Result<LabelSpool> create(const std::filesystem::path& folder);

  // A slab [z, y, x] of int32 on the CPU.
  Result<void> add(const at::Tensor& slab);
  // Passes all slabs to `take`, in the order in which they were added.
  Result<void> replay(const std::function<Result<void>(const at::Tensor& slab)>& take) const;

 private:
  LabelSpool(std::filesystem::path folder, FileDescriptor file) : folder_(std::move(folder)), file_(std::move(file)) {}
  struct Packed {
    std::vector<int64_t> shape;
    int64_t bytes;
  };
  std::filesystem::path folder_;
  FileDescriptor file_;
  std::vector<Packed> slabs_;
};

}  // namespace tl::io
