// NIfTI-1 and NIfTI-2: a binary header and a block of numbers in one file (.nii) or in two (.hdr and .img), possibly
// packed by gzip (.nii.gz, .hdr.gz and .img.gz).
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>

#include "core/base/text.h"
#include "core/base/wording.h"
#include "core/io/bytes/ordered_fields.h"
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

NiftiHeader nifti_1(const std::string& bytes, ByteOrder order) {
  const OrderedFields f(bytes, order);
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
  const OrderedFields f(bytes, order);
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

// analyze: the older format of the same 348 bytes, which states neither position nor scale; text: a header of ESRI or
// ENVI, whose files have the same endings.
enum class NiftiVersion { none, one, two, analyze, text };
enum class NiftiFiles { one, pair };
struct NiftiKind {
  NiftiVersion version = NiftiVersion::none;
  ByteOrder order = ByteOrder::little;
  NiftiFiles files = NiftiFiles::one;
};

NiftiKind nifti_kind(const std::string& bytes) {
  if (bytes.size() < nifti_1_bytes) return {};
  const auto says = [&](std::size_t at, const char* magic) { return bytes.compare(at, 4, std::string(magic, 4)) == 0; };
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    const auto size = static_cast<std::size_t>(static_cast<uint32_t>(OrderedFields(bytes, order).get<int32_t>(0)));
    if (size == nifti_1_bytes && says(344, "n+1\0")) return {NiftiVersion::one, order};
    if (size == nifti_1_bytes && says(344, "ni1\0")) return {NiftiVersion::one, order, NiftiFiles::pair};
    if (size != nifti_2_bytes || bytes.size() < nifti_2_bytes) continue;
    if (says(4, "n+2\0")) return {NiftiVersion::two, order};
    if (says(4, "ni2\0")) return {NiftiVersion::two, order, NiftiFiles::pair};
  }
  return {};
}

// The other of two files, NAME.hdr and NAME.img: that ending for this one. Empty if the name ends in neither.
fs::path of_pair(const fs::path& path, const std::string& wanted) {
  const std::string name = path.filename().string();
  for (const std::string ending : {".hdr", ".img", ".hdr.gz", ".img.gz"}) {
    if (name.size() <= ending.size() ||
        lower_case(name).compare(name.size() - ending.size(), ending.size(), ending) != 0)
      continue;
    const std::string stem = name.substr(0, name.size() - ending.size());
    std::string capitals = wanted;
    std::transform(capitals.begin(), capitals.end(), capitals.begin(), [](unsigned char c) { return std::toupper(c); });
    std::error_code failed;
    for (const std::string& other : {wanted, wanted + ".gz", capitals})
      if (fs::is_regular_file(path.parent_path() / (stem + other), failed)) return path.parent_path() / (stem + other);
    return path.parent_path() / (stem + wanted);
  }
  return {};
}

// The file with the header: of NAME.img it is NAME.hdr, if there is one.
fs::path nifti_header_file(const fs::path& path) {
  const fs::path header = of_pair(path, ".hdr");
  std::error_code failed;
  return fs::is_regular_file(header, failed) ? header : path;
}

// What the header is; that of a pair may be of another format with this ending.
NiftiKind nifti_kind_of(const fs::path& header, const std::string& bytes) {
  const NiftiKind kind = nifti_kind(bytes);
  if (kind.version != NiftiVersion::none || lower_case(header.filename().string()).find(".hdr") == std::string::npos)
    return kind;
  if (bytes.size() >= nifti_1_bytes)
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
      if (OrderedFields(bytes, order).get<int32_t>(0) == static_cast<int32_t>(nifti_1_bytes))
        return {NiftiVersion::analyze, order, NiftiFiles::pair};
  if (bytes.find('\0') != std::string::npos) return {};
  for (const char* word : {"envi", "nrows", "ncols", "byteorder", "layout"})
    if (lower_case(bytes).find(word) != std::string::npos) return {NiftiVersion::text};
  return {};
}

Error not_nifti(const fs::path& path, NiftiVersion version) {
  const std::string header = nifti_header_file(path).filename().string();
  if (version == NiftiVersion::analyze)
    return unavailable(
        header + " is a header of ANALYZE 7.5, not of NIfTI: it states neither position nor scale of the voxels",
        path.string(), "Convert it to NIfTI (.nii) by the program that wrote it");
  if (version == NiftiVersion::text)
    return unavailable(header + " is a text header of ESRI or ENVI, not one of NIfTI", path.string(),
                       two_wordings("Read the numbers as raw frames (--raw-size)", "Open the numbers as raw frames") +
                           ", or save the volume in another format");
  return invalid("not a NIfTI file", path.string(), "Choose another format, or detect it");
}

bool is_gzip(const fs::path& path) {
  const auto start = first_bytes(path, 2, Packing::none);
  return start.ok() && start.value() == "\x1f\x8b";
}

int sniff_nifti(const fs::path& path) {
  const fs::path header = nifti_header_file(path);
  std::error_code failed;
  if (!fs::is_regular_file(path, failed) || !fs::is_regular_file(header, failed)) return 0;
  const auto start = first_bytes(header, nifti_2_bytes, Packing::gzip);
  return start.ok() && nifti_kind_of(header, start.value()).version != NiftiVersion::none ? 100 : 0;
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

void set_nifti_grid(const NiftiHeader& h, const RawBlock& block, StoredVolume& volume) {
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
  set_grid(axes, volume);
}

// `path`: the file with the voxels.
Result<RawBlock> block_of_nifti(const fs::path& path, const NiftiHeader& h, std::size_t header_bytes,
                                NiftiFiles files) {
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
  const auto first = files == NiftiFiles::pair ? 0 : static_cast<int64_t>(header_bytes) + 4;
  if (files == NiftiFiles::pair && h.offset < 0)
    return invalid("the voxels are said to begin before the file (vox_offset)", where, "Correct vox_offset");
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

// The text of the first comment between header and voxels, or behind a header of its own; empty if there is none.
std::string nifti_comment(const fs::path& path, const NiftiHeader& h, std::size_t header_bytes, NiftiFiles files) {
  const int64_t end = files == NiftiFiles::pair ? 2 * longest_nifti_comment : h.offset;
  if (end <= static_cast<int64_t>(header_bytes) + 4 || end > 2 * longest_nifti_comment) return {};
  const auto bytes = first_bytes(path, static_cast<std::size_t>(end), Packing::gzip);
  if (!bytes.ok() || bytes.value().size() < header_bytes + 4 || bytes.value()[header_bytes] == 0) return {};
  const OrderedFields f(bytes.value(), h.order);
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
  const fs::path header = nifti_header_file(path);
  TL_TRY(const std::string bytes, first_bytes(header, nifti_2_bytes, Packing::gzip));
  const NiftiKind kind = nifti_kind_of(header, bytes);
  if (kind.version != NiftiVersion::one && kind.version != NiftiVersion::two) return not_nifti(path, kind.version);
  const fs::path voxels = kind.files == NiftiFiles::pair ? of_pair(path, ".img") : header;
  std::error_code failed;
  if (!fs::is_regular_file(voxels, failed))
    return io_error(
        "the file with the voxels, " + (voxels.empty() ? "NAME.img" : voxels.filename().string()) + ", is missing",
        path.string(), "NAME.hdr and NAME.img belong together: put them in one folder");
  const bool one = kind.version == NiftiVersion::one;
  const NiftiHeader h = one ? nifti_1(bytes, kind.order) : nifti_2(bytes, kind.order);
  const std::size_t header_bytes = one ? nifti_1_bytes : nifti_2_bytes;
  TL_TRY(const RawBlock block, block_of_nifti(voxels, h, header_bytes, kind.files));
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = "nifti";
  info.voxel_type = block.type;
  TL_TRY(volume.voxels, raw_voxels(block));
  set_nifti_grid(h, block, volume);
  if (const auto at = h.text.find(nifti_unit); at != std::string::npos)
    if (const auto unit = parse_unit(h.text.substr(at + std::strlen(nifti_unit))); unit.ok()) info.unit = unit.value();
  // A slope of 0, and one that is not a number, mean that there is none.
  const bool scaled = std::isfinite(h.slope) && h.slope != 0;
  if (scaled && !std::isfinite(h.intercept))
    return invalid("its values have a slope, but no intercept (scl_inter)", path.string(), "Correct the header");
  if (scaled && (h.slope != 1 || h.intercept != 0)) info.scale = ValueScale{h.intercept, h.slope};
  info.description = nifti_comment(header, h, header_bytes, kind.files);
  volume.files = {{header, stamp_of(header)}};
  if (kind.files == NiftiFiles::pair) volume.files.push_back({voxels, stamp_of(voxels)});
  return volume;
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_nifti() {
  return {
      "nifti",
      "NIfTI",
      ".nii .nii.gz",
      "A binary header and raw numbers in one file, for ITK and medical imaging programs. Positions have seven digits.",
      "",
      tl::io::sniff_nifti,
      tl::io::open_nifti,
      tl::io::write_nifti};
}
