// Writes the headers of NIfTI-1 and NIfTI-2 before the voxels.
#include "core/io/volumes/nifti_writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "core/base/text.h"
#include "core/io/output/samples.h"
#include "core/io/voxels/raw_volume_writer.h"

namespace tl::io {
namespace {

template <class T>
void put_number(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
void put_words(std::string& bytes, std::size_t at, std::size_t room, const std::string& text) {
  std::copy_n(text.begin(), std::min(room - 1, text.size()), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

int16_t nifti_code(SampleType type) {
  constexpr int16_t float32 = 16, uint16 = 512, int32 = 8, uint8 = 2;
  return type == SampleType::float32  ? float32
         : type == SampleType::uint16 ? uint16
         : type == SampleType::int32  ? int32
                                      : uint8;
}

// Sizes, and the sform of our convention: rows of the affine from (column, row, page) to NIfTI's axes.
struct NiftiGrid {
  std::array<int64_t, 8> dim;
  std::array<double, 8> pixdim;
  std::array<std::array<double, 4>, 3> affine;
};
NiftiGrid nifti_grid(const VolumeGrid& g) {
  const Vec3 first = g.position(0, static_cast<double>(g.ny - 1), 0), down = Vec3{} - g.step_y;
  return {{3, g.nx, g.ny, g.nz, 1, 1, 1, 1},
          {1, norm(g.step_x), norm(g.step_y), norm(g.step_z), 1, 1, 1, 1},
          {{{-g.step_x.x, -down.x, -g.step_z.x, -first.x},
            {-g.step_x.y, -down.y, -g.step_z.y, -first.y},
            {g.step_x.z, down.z, g.step_z.z, first.z}}}};
}

constexpr int16_t scanner = 1;  // what the sform's axes are
constexpr char millimetres = 2;

// A NIfTI-1 header, which every program reads. Its numbers are float32: positions have seven digits.
std::string nifti_1_header(const VolumeTarget& target, int64_t offset) {
  const auto [dim, pixdim, rows] = nifti_grid(target.grid);
  std::string h(nifti_1_bytes, '\0');
  put_number(h, 0, static_cast<int32_t>(nifti_1_bytes));
  put_number(h, 70, nifti_code(target.type));
  put_number(h, 72, static_cast<int16_t>(8 * bytes_per_sample(target.type)));
  for (std::size_t i = 0; i < dim.size(); ++i) {
    put_number(h, 40 + 2 * i, static_cast<int16_t>(dim[i]));
    put_number(h, 76 + 4 * i, static_cast<float>(pixdim[i]));
  }
  put_number(h, 108, static_cast<float>(offset));
  put_number(h, 112, static_cast<float>(SampleScale{target.type, target.low, target.high}.step()));
  put_number(h, 116, static_cast<float>(target.type == SampleType::float32 ? 0.0 : target.low));
  h[123] = millimetres;
  if (target.unit != Unit::none) put_words(h, 148, 80, nifti_unit + std::string(symbol(target.unit)));
  put_number(h, 254, scanner);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < 4; ++c) put_number(h, 280 + 16 * r + 4 * c, static_cast<float>(rows[r][c]));
  put_words(h, 344, 4, "n+1");
  return h;
}

// A NIfTI-2 header, for volumes with more than 32767 voxels along an axis.
std::string nifti_2_header(const VolumeTarget& target, int64_t offset) {
  const auto [dim, pixdim, rows] = nifti_grid(target.grid);
  std::string h(nifti_2_bytes, '\0');
  put_number(h, 0, static_cast<int32_t>(nifti_2_bytes));
  std::memcpy(h.data() + 4, "n+2\0\r\n\x1a\n", 8);
  put_number(h, 12, nifti_code(target.type));
  put_number(h, 14, static_cast<int16_t>(8 * bytes_per_sample(target.type)));
  for (std::size_t i = 0; i < dim.size(); ++i) {
    put_number(h, 16 + 8 * i, dim[i]);
    put_number(h, 104 + 8 * i, pixdim[i]);
  }
  put_number(h, 168, offset);
  put_number(h, 176, SampleScale{target.type, target.low, target.high}.step());
  put_number(h, 184, target.type == SampleType::float32 ? 0.0 : target.low);
  if (target.unit != Unit::none) put_words(h, 240, 80, nifti_unit + std::string(symbol(target.unit)));
  put_number(h, 348, static_cast<int32_t>(scanner));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < 4; ++c) put_number(h, 400 + 32 * r + 8 * c, rows[r][c]);
  put_number(h, 500, static_cast<int32_t>(millimetres));
  return h;
}

}  // namespace

Result<std::unique_ptr<VolumeWriter>> write_nifti(const VolumeTarget& target) {
  TL_TRY(target.grid.validate());
  const bool packed = lower_case(target.path.extension().string()) == ".gz";
  if (!packed && target.compression == Compression::gzip)
    return invalid("compressed files of NIfTI have names of their own", target.path.string(),
                   "End the name in .nii.gz");
  std::string extension = {'\0', '\0', '\0', '\0'};
  if (!target.description.empty()) {
    constexpr std::size_t unit = 16;
    const std::size_t size = (8 + target.description.size() + 1 + unit - 1) / unit * unit;
    if (static_cast<int64_t>(size) > longest_nifti_comment)
      return invalid("the pipeline is too long for a NIfTI file", target.path.string(), "Choose another format");
    extension[0] = 1;
    extension.resize(4 + size, '\0');
    put_number(extension, 4, static_cast<int32_t>(size));
    put_number(extension, 8, comment_extension);
    std::copy(target.description.begin(), target.description.end(), extension.begin() + 12);
  }
  const bool fits = std::max({target.grid.nx, target.grid.ny, target.grid.nz}) <= std::numeric_limits<int16_t>::max();
  const auto bytes = static_cast<int64_t>((fits ? nifti_1_bytes : nifti_2_bytes) + extension.size());
  const std::string header = fits ? nifti_1_header(target, bytes) : nifti_2_header(target, bytes);
  return open_raw_volume(target, {header + extension, {}, packed ? RawPacking::all_by_gzip : RawPacking::none});
}

}  // namespace tl::io
