// Reads the numbers of MRC files, those of four bits too.
#include "core/io/mrc/mrc_numbers.h"

#include <ATen/ATen.h>

#include "core/io/voxels/raw_voxels.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

// Numbers of four bits: two in a byte, the first in the lower half; rows begin with a new byte.
class HalfByteVoxels final : public StoredVoxels {
 public:
  explicit HalfByteVoxels(std::unique_ptr<StoredVoxels> bytes) : bytes_(std::move(bytes)) {}
  Result<void> read(const GridBox& box, const at::Tensor& out) override {
    if (out.scalar_type() != at::kFloat && out.scalar_type() != at::kInt)
      return unavailable("numbers of four bits are read as float32 or int32", "MRC, mode 101");
    const Range packed{box.x.begin / 2, (box.x.end + 1) / 2};
    // Page by page: the bytes of one are few.
    for (int64_t page = box.z.begin; page < box.z.end; ++page) {
      const at::Tensor bytes = at::empty({1, box.y.size(), packed.size()}, at::kFloat);
      TL_TRY(bytes_->read({{page, page + 1}, box.y, packed}, bytes));
      const at::Tensor high = (bytes[0] / 16).floor(), low = bytes[0] - 16 * high;
      const at::Tensor both = at::stack({low, high}, 2).view({box.y.size(), 2 * packed.size()});
      out[page - box.z.begin].copy_(both.narrow(1, box.x.begin - 2 * packed.begin, box.x.size()));
    }
    return ok();
  }
  [[nodiscard]] std::string note() const override { return bytes_->note(); }

 private:
  std::unique_ptr<StoredVoxels> bytes_;
};

}  // namespace

Result<std::unique_ptr<StoredVoxels>> mrc_numbers(const fs::path& path, const MrcHeader& h) {
  RawBlock block;
  block.file = path;
  block.type = h.type;
  block.order = h.order;
  block.cols = h.packing == MrcPacking::bytes ? h.cols : (h.cols + 1) / 2;
  block.rows = h.rows;
  block.pages = h.pages;
  block.offset = h.offset;
  TL_TRY(std::unique_ptr<StoredVoxels> bytes, raw_voxels(block));
  if (h.packing == MrcPacking::bytes) return bytes;
  return std::unique_ptr<StoredVoxels>(new HalfByteVoxels(std::move(bytes)));
}

}  // namespace tl::io
