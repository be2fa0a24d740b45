// NIfTI-1 and NIfTI-2: a binary header and a block of numbers in one file (.nii), possibly packed by gzip (.nii.gz).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/base/text.h"
#include "core/io/volumes/format.h"
#include "core/io/volumes/nifti_writer.h"
#include "core/io/voxels/raw_voxels.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

struct NiftiType {
  int16_t code;
  const char* type;
};
constexpr NiftiType nifti_types[] = {{2, "uint8"},    {4, "int16"},    {8, "int32"},    {16, "float32"},
                                     {64, "float64"}, {256, "int8"},   {512, "uint16"}, {768, "uint32"},
                                     {1024, "int64"}, {1280, "uint64"}};

// The fields of both versions that say something about the voxels.
struct NiftiHeader {
  ByteOrder order = ByteOrder::little;
  std::array<int64_t, 8> dim{};
  int64_t type = 0, bits = 0, offset = 0, qform = 0, sform = 0, units = 0;
  std::array<double, 8> pixdim{};
  double slope = 0, intercept = 0;
  std::array<double, 6> quaternion{};  // b, c, d, and the offset
  std::array<double, 12> affine{};     // three rows of four numbers
  std::string text;                    // descrip
};

// Takes numbers from a header, in its byte order.
class NiftiFields {
 public:
  NiftiFields(const std::string& bytes, ByteOrder order) : bytes_(bytes), order_(order) {}
  template <class T>
  [[nodiscard]] T get(std::size_t at) const {
    std::array<char, sizeof(T)> raw{};
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at), sizeof(T), raw.begin());
    if (order_ == ByteOrder::big) std::reverse(raw.begin(), raw.end());
    T value;
    std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  template <class T, class To, std::size_t N>
  void fill(std::array<To, N>& to, std::size_t at) const {
    for (std::size_t i = 0; i < N; ++i) to[i] = static_cast<To>(get<T>(at + i * sizeof(T)));
  }

 private:
  const std::string& bytes_;
  ByteOrder order_;
};

NiftiHeader nifti_1(const std::string& bytes, ByteOrder order) {
  const NiftiFields f(bytes, order);
  NiftiHeader h;
  h.order = order;
  f.fill<int16_t>(h.dim, 40);
  h.type = f.get<int16_t>(70);
  h.bits = f.get<int16_t>(72);
  f.fill<float>(h.pixdim, 76);
  const auto offset = f.get<float>(108);
  h.offset = offset >= 0 && offset < 1e9F && std::floor(offset) == offset ? static_cast<int64_t>(offset) : -1;
  h.slope = f.get<float>(112);
  h.intercept = f.get<float>(116);
  h.units = f.get<uint8_t>(123);
  h.text = std::string(bytes.c_str() + 148, strnlen(bytes.c_str() + 148, 80));
  h.qform = f.get<int16_t>(252);
  h.sform = f.get<int16_t>(254);
  f.fill<float>(h.quaternion, 256);
  f.fill<float>(h.affine, 280);
  return h;
}

NiftiHeader nifti_2(const std::string& bytes, ByteOrder order) {
  const NiftiFields f(bytes, order);
  NiftiHeader h;
  h.order = order;
  h.type = f.get<int16_t>(12);
  h.bits = f.get<int16_t>(14);
  f.fill<int64_t>(h.dim, 16);
  f.fill<double>(h.pixdim, 104);
  h.offset = f.get<int64_t>(168);
  h.slope = f.get<double>(176);
  h.intercept = f.get<double>(184);
  h.text = std::string(bytes.c_str() + 240, strnlen(bytes.c_str() + 240, 80));
  h.qform = f.get<int32_t>(344);
  h.sform = f.get<int32_t>(348);
  f.fill<double>(h.quaternion, 352);
  f.fill<double>(h.affine, 400);
  h.units = f.get<int32_t>(500);
  return h;
}

enum class NiftiVersion { none, one, two };
struct NiftiKind {
  NiftiVersion version = NiftiVersion::none;
  ByteOrder order = ByteOrder::little;
};

NiftiKind nifti_kind(const std::string& bytes) {
  if (bytes.size() < nifti_1_bytes) return {};
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    const auto size = static_cast<std::size_t>(static_cast<uint32_t>(NiftiFields(bytes, order).get<int32_t>(0)));
    if (size == nifti_1_bytes && bytes.compare(344, 4, std::string("n+1\0", 4)) == 0) return {NiftiVersion::one, order};
    if (size == nifti_2_bytes && bytes.size() >= nifti_2_bytes && bytes.compare(4, 4, std::string("n+2\0", 4)) == 0)
      return {NiftiVersion::two, order};
  }
  return {};
}

bool is_gzip(const fs::path& path) {
  const auto start = first_bytes(path, 2, Packing::none);
  return start.ok() && start.value() == "\x1f\x8b";
}

int sniff_nifti(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return 0;
  const auto start = first_bytes(path, nifti_2_bytes, Packing::gzip);
  return start.ok() && nifti_kind(start.value()).version != NiftiVersion::none ? 100 : 0;
}

// NIfTI's axes point right, anterior, superior; those of ITK's world, and ours, left, posterior, superior.
Vec3 from_ras(double x, double y, double z) { return {-x, -y, z}; }

// Millimetres of the header's unit of length; 0 if it names none.
double nifti_mm(int64_t units) {
  const int64_t length = units & 7;
  return length == 1 ? 1e3 : length == 2 ? 1 : length == 3 ? 1e-3 : 0;
}

struct NiftiAxes {
  Vec3 col, row, page, first;
};

NiftiAxes axes_of_affine(const std::array<double, 12>& m) {
  return {from_ras(m[0], m[4], m[8]), from_ras(m[1], m[5], m[9]), from_ras(m[2], m[6], m[10]),
          from_ras(m[3], m[7], m[11])};
}

NiftiAxes axes_of_quaternion(const NiftiHeader& h) {
  const double b = h.quaternion[0], c = h.quaternion[1], d = h.quaternion[2];
  const double a = std::sqrt(std::max(0.0, 1 - b * b - c * c - d * d));
  const double flip = h.pixdim[0] < 0 ? -1 : 1;  // of the pages
  return {h.pixdim[1] * from_ras(a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)),
          h.pixdim[2] * from_ras(2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)),
          flip * h.pixdim[3] * from_ras(2 * (b * d + a * c), 2 * (c * d - a * b), a * a + d * d - c * c - b * b),
          from_ras(h.quaternion[3], h.quaternion[4], h.quaternion[5])};
}

bool are_orthogonal(const NiftiAxes& axes) {
  constexpr double rounding = 1e-5;  // of axes stored as float32
  const auto right_angle = [](Vec3 a, Vec3 b) { return std::abs(dot(a, b)) <= rounding * norm(a) * norm(b); };
  return right_angle(axes.col, axes.row) && right_angle(axes.col, axes.page) && right_angle(axes.row, axes.page) &&
         norm(axes.col) > 0 && norm(axes.row) > 0 && norm(axes.page) > 0;
}

// Axes from float32 numbers are orthogonal within their rounding only.
NiftiAxes made_orthogonal(NiftiAxes axes) {
  const auto without = [](Vec3 a, Vec3 b) { return a - (dot(a, b) / dot(b, b)) * b; };
  axes.row = without(axes.row, axes.col);
  axes.page = without(without(axes.page, axes.col), axes.row);
  return axes;
}

void place_nifti(const NiftiHeader& h, const RawBlock& block, StoredVolume& volume) {
  VolumeFileInfo& info = volume.info;
  FileAxes axes{block.pages, block.rows, block.cols, {}, {0, 0, 1}, {0, -1, 0}, {-1, 0, 0}};
  const double mm = nifti_mm(h.units);
  NiftiAxes found;
  bool stated = false;
  if (h.sform > 0) {
    found = axes_of_affine(h.affine);
    info.voxel_size_source = "sform";
    stated = are_orthogonal(found);
    if (!stated) info.notes.emplace_back("The axes of the sform are not orthogonal: they are ignored.");
  }
  if (!stated && h.qform > 0) {
    found = axes_of_quaternion(h);
    info.voxel_size_source = "qform";
    stated = are_orthogonal(found);
  }
  if (stated) {
    found = made_orthogonal(found);
    const double scale = mm > 0 ? mm : 1;
    axes.col_step = scale * found.col;
    axes.row_step = scale * found.row;
    axes.page_step = scale * found.page;
    axes.centre = centre_from_first(axes, scale * found.first);
    info.position = info.voxel_size = Origin::file;
  } else if (h.pixdim[1] > 0 && h.pixdim[2] > 0 && (h.pixdim[3] > 0 || block.pages == 1)) {
    const double scale = mm > 0 ? mm : 1;
    axes.col_step = scale * h.pixdim[1] * axes.col_step;
    axes.row_step = scale * h.pixdim[2] * axes.row_step;
    axes.page_step = scale * (h.pixdim[3] > 0 ? h.pixdim[3] : h.pixdim[1]) * axes.page_step;
    info.voxel_size = Origin::file;
    info.voxel_size_source = "pixdim";
  } else {
    guess_voxel_size(info);
  }
  if (mm == 0 && info.voxel_size == Origin::file)
    info.notes.emplace_back("The header names no unit of length: millimetres are assumed.");
  place(axes, volume);
}

Result<RawBlock> block_of_nifti(const fs::path& path, const NiftiHeader& h, std::size_t header_bytes) {
  const std::string where = path.string();
  const int64_t rank = h.dim[0];
  if (rank < 2 || rank > 7)
    return invalid("the image has " + std::to_string(rank) + " dimensions", where, "The file is probably damaged");
  for (int64_t i = 4; i <= rank; ++i)
    if (h.dim[static_cast<std::size_t>(i)] > 1)
      return invalid("the file holds a series of volumes, or voxels of several numbers", where,
                     "Save one volume a file");
  RawBlock block;
  for (const NiftiType& t : nifti_types)
    if (t.code == h.type) block.type = t.type;
  if (block.type.empty())
    return invalid("voxels of the NIfTI type " + std::to_string(h.type) + " cannot be read", where,
                   "Save integers or floats");
  if (h.bits != 0 && h.bits != 8 * bytes_of_number(block.type))
    return invalid("its numbers are " + block.type + " (datatype) of " + std::to_string(h.bits) + " bits (bitpix)",
                   where, "The header is damaged, or was changed by hand: correct one of the two");
  // Four bytes that announce extensions follow the header.
  const auto first = static_cast<int64_t>(header_bytes) + 4;
  if (h.offset < first)
    return invalid("the voxels are said to begin within the header (vox_offset)", where,
                   "Correct vox_offset: in files of one piece it is " + std::to_string(first) + " or more");
  block.file = path;
  block.order = h.order;
  block.cols = h.dim[1];
  block.rows = h.dim[2];
  block.pages = rank > 2 ? h.dim[3] : 1;
  block.offset = h.offset;
  block.packing = is_gzip(path) ? Packing::gzip : Packing::none;
  return block;
}

// The text of the first comment between header and voxels; empty if there is none.
std::string nifti_comment(const fs::path& path, const NiftiHeader& h, std::size_t header_bytes) {
  if (h.offset <= static_cast<int64_t>(header_bytes) + 4 || h.offset > 2 * longest_nifti_comment) return {};
  const auto bytes = first_bytes(path, static_cast<std::size_t>(h.offset), Packing::gzip);
  if (!bytes.ok() || bytes.value().size() < header_bytes + 4 || bytes.value()[header_bytes] == 0) return {};
  const NiftiFields f(bytes.value(), h.order);
  for (std::size_t at = header_bytes + 4; at + 8 <= bytes.value().size();) {
    const int64_t size = f.get<int32_t>(at);
    if (size < 16 || size > static_cast<int64_t>(bytes.value().size() - at)) return {};
    const std::string text = bytes.value().substr(at + 8, static_cast<std::size_t>(size) - 8);
    if (f.get<int32_t>(at + 4) == comment_extension) return text.substr(0, text.find('\0'));
    at += static_cast<std::size_t>(size);
  }
  return {};
}

Result<StoredVolume> open_nifti(const fs::path& path, const VolumeAccess& /*access*/) {
  TL_TRY(const std::string bytes, first_bytes(path, nifti_2_bytes, Packing::gzip));
  const NiftiKind kind = nifti_kind(bytes);
  if (kind.version == NiftiVersion::none)
    return invalid("not a NIfTI file", path.string(), "Choose another format, or detect it");
  const bool one = kind.version == NiftiVersion::one;
  const NiftiHeader h = one ? nifti_1(bytes, kind.order) : nifti_2(bytes, kind.order);
  const std::size_t header_bytes = one ? nifti_1_bytes : nifti_2_bytes;
  TL_TRY(const RawBlock block, block_of_nifti(path, h, header_bytes));
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = "nifti";
  info.voxel_type = block.type;
  TL_TRY(volume.voxels, raw_voxels(block));
  place_nifti(h, block, volume);
  if (const auto at = h.text.find(nifti_unit); at != std::string::npos)
    if (const auto unit = parse_unit(h.text.substr(at + std::strlen(nifti_unit))); unit.ok()) info.unit = unit.value();
  // A slope of 0, and one that is no number, mean that there is none.
  const bool scaled = std::isfinite(h.slope) && h.slope != 0;
  if (scaled && !std::isfinite(h.intercept))
    return invalid("its values have a slope, but no intercept (scl_inter)", path.string(), "Correct the header");
  if (scaled && (h.slope != 1 || h.intercept != 0)) info.scale = ValueScale{h.intercept, h.slope};
  info.description = nifti_comment(path, h, header_bytes);
  volume.files = {{path, stamp_of(path)}};
  return volume;
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_nifti() {
  return {
      "nifti",
      "NIfTI",
      ".nii .nii.gz",
      "A binary header and raw numbers in one file, for ITK and programs of medical imaging. Places have seven digits.",
      "",
      tl::io::sniff_nifti,
      tl::io::open_nifti,
      tl::io::write_nifti};
}
