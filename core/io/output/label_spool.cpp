// Stores slabs of labels compressed by deflate, one after the other.
#include "core/io/output/label_spool.h"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "core/io/bytes/deflate.h"
#include "core/io/bytes/inflated_stream.h"
#include "core/io/bytes/read_at.h"
#include "core/io/output/output_file.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

// Some network disks do not support unnamed files: there, the named file is deleted immediately after opening.
FileDescriptor unnamed_file(const fs::path& folder) {
  FileDescriptor file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.is_open()) return file;
  std::string name = (folder / ".tomoloom-labels-XXXXXX").string();
  file = FileDescriptor(mkostemp(name.data(), O_CLOEXEC));
  if (file.is_open()) unlink(name.c_str());
  return file;
}

}  // namespace

Result<LabelSpool> LabelSpool::create(const fs::path& folder) {
  const fs::path where = folder.empty() ? fs::path(".") : folder;
  FileDescriptor file = unnamed_file(where);
  if (!file.is_open()) return system_error("a temporary file cannot be made", where, errno);
  return LabelSpool(where, std::move(file));
}

Result<void> LabelSpool::add(const at::Tensor& slab) {
  const at::Tensor plain = slab.contiguous();
  const auto* const from = plain.const_data_ptr<int32_t>();
  std::vector<uint16_t> numbers(static_cast<std::size_t>(plain.numel()));
  std::transform(from, from + plain.numel(), numbers.begin(), [](int32_t n) { return static_cast<uint16_t>(n); });
  const std::vector<std::byte> packed = deflated(DeflateForm::zlib, std::as_bytes(std::span(numbers)));
  TL_TRY(write_all(file_.get(), packed, folder_));
  slabs_.push_back({plain.sizes().vec(), static_cast<int64_t>(packed.size())});
  return ok();
}

Result<void> LabelSpool::replay(const std::function<Result<void>(const at::Tensor& slab)>& take) const {
  int64_t at = 0;
  for (const Packed& one : slabs_) {
    std::vector<std::byte> packed(static_cast<std::size_t>(one.bytes));
    if (read_at(file_.get(), at, packed) != one.bytes)
      return system_error("a temporary file cannot be read", folder_, errno);
    at += one.bytes;
    at::Tensor slab = at::empty(one.shape, at::kInt);
    const auto plain = inflated(packed, slab.numel() * static_cast<int64_t>(sizeof(uint16_t)));
    if (!plain) return io_error("a temporary file is damaged", folder_.string(), "Check the disk");
    std::vector<uint16_t> numbers(static_cast<std::size_t>(slab.numel()));
    std::memcpy(numbers.data(), plain->data(), plain->size());
    std::copy(numbers.begin(), numbers.end(), slab.mutable_data_ptr<int32_t>());
    TL_TRY(take(slab));
  }
  return ok();
}

}  // namespace tl::io
