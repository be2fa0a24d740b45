// Reads headers of MRC files.
#include "core/io/mrc/mrc_header.h"

#include <algorithm>
#include <cmath>

#include "core/io/bytes/ordered_fields.h"
#include "core/io/voxels/raw_voxels.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

// Where the fields stand (A. Cheng et al., J. Struct. Biol. 192, 146 (2015)).
namespace mrc_at {
constexpr std::size_t size = 0, mode = 12, start = 16, sampling = 28, cell = 40, angles = 52, axes = 64,
                      space_group = 88, more_bytes = 92, more_type = 104, imod_stamp = 152, imod_flags = 156,
                      origin = 196, map = 208, machine = 212;
}  // namespace mrc_at
constexpr int32_t imod_stamp = 1146047817;  // "IMOD"
constexpr int32_t mrc_image_stack = 0, first_mrc_volume_stack = 401;

bool says_mrc(const std::string& bytes) {
  return bytes.size() >= mrc_bytes && bytes.compare(mrc_at::map, 3, "MAP") == 0;
}

// By the machine stamp; where that says nothing, by the mode, which is small in the right order.
ByteOrder mrc_order(const std::string& bytes) {
  const auto stamp = static_cast<unsigned char>(bytes[mrc_at::machine]);
  constexpr unsigned char little = 0x44, big = 0x11;
  if (stamp == little) return ByteOrder::little;
  if (stamp == big) return ByteOrder::big;
  constexpr int32_t most = 1000;
  const auto mode = OrderedFields(bytes, ByteOrder::little).get<int32_t>(mrc_at::mode);
  return mode >= 0 && mode < most ? ByteOrder::little : ByteOrder::big;
}

// IMOD's files of bytes are unsigned unless a flag says otherwise; those of the standard are signed.
bool has_unsigned_mrc_bytes(const OrderedFields& f) {
  constexpr int32_t bytes_are_signed = 1;
  return f.get<int32_t>(mrc_at::imod_stamp) == imod_stamp &&
         (f.get<int32_t>(mrc_at::imod_flags) & bytes_are_signed) == 0;
}

Result<void> set_mrc_type(const OrderedFields& f, MrcHeader& h, const std::string& where) {
  const auto mode = f.get<int32_t>(mrc_at::mode);
  switch (mode) {
    case 0: h.type = has_unsigned_mrc_bytes(f) ? "uint8" : "int8"; return ok();
    case 1: h.type = "int16"; return ok();
    case 2: h.type = "float32"; return ok();
    case 6: h.type = "uint16"; return ok();
    case 12: h.type = "float16"; return ok();
    case 101:
      h.type = "uint8";
      h.packing = MrcPacking::halves_of_bytes;
      return ok();
    case 3:
    case 4:
      return invalid("its numbers are complex (mode " + std::to_string(mode) + ")", where,
                     "Transform it back to real space");
    case 16: return invalid("its pixels are colours (mode 16)", where, "Save grey values");
    default: break;
  }
  return invalid("numbers of the mode " + std::to_string(mode) + " cannot be read", where,
                 "Modes 0, 1, 2, 6, 12 and 101 can be read: save as one of these");
}

Result<void> set_mrc_axes(const OrderedFields& f, MrcHeader& h, const std::string& where) {
  const auto axes = f.three<int32_t>(mrc_at::axes);
  // Files of some programs leave them at 0.
  if (axes == std::array<int32_t, 3>{0, 0, 0}) return ok();
  std::array<int32_t, 3> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != std::array<int32_t, 3>{1, 2, 3})
    return invalid("columns, rows and sections are not x, y and z in some order (MAPC, MAPR, MAPS)", where,
                   "The header is damaged: write the file again");
  for (std::size_t i = 0; i < axes.size(); ++i) h.axes[i] = static_cast<std::size_t>(axes[i] - 1);
  return ok();
}

Result<void> set_mrc_place(const OrderedFields& f, MrcHeader& h, const std::string& where) {
  const auto angles = f.three<float>(mrc_at::angles), cell = f.three<float>(mrc_at::cell),
             origin = f.three<float>(mrc_at::origin);
  constexpr float right = 90, rounding = 1e-3F;
  for (const float angle : angles)
    if (angle != 0 && !(std::abs(angle - right) < rounding))
      return invalid("the axes of its cell are not at right angles (CELLB)", where,
                     "Resample it to a right-angled grid");
  const auto sampling = f.three<int32_t>(mrc_at::sampling), start = f.three<int32_t>(mrc_at::start);
  std::array<double, 3> step{}, first{};
  for (std::size_t a = 0; a < 3; ++a) {
    const double edge = static_cast<double>(cell[a]) * mrc_mm / static_cast<double>(std::max(1, sampling[a]));
    if (std::isfinite(edge) && edge > 0 && sampling[a] > 0) step[a] = edge;
  }
  const bool is_ours_or_standard = f.get<int32_t>(mrc_at::imod_stamp) != imod_stamp;
  for (std::size_t a = 0; a < 3; ++a) {
    // IMOD states where the coordinates begin as seen from the first number, the standard the opposite.
    const double position = (is_ours_or_standard ? 1 : -1) * static_cast<double>(origin[a]) * mrc_mm;
    if (std::isfinite(position) && position != 0) first[a] = position;
  }
  if (first == std::array<double, 3>{})
    for (std::size_t i = 0; i < 3; ++i) first[h.axes[i]] = static_cast<double>(start[i]) * step[h.axes[i]];
  h.step = {step[0], step[1], step[2]};
  h.first = {first[0], first[1], first[2]};
  h.has_place = first != std::array<double, 3>{};
  return ok();
}

// Our own words between header and numbers.
std::string mrc_text(const fs::path& path, const std::string& bytes, int64_t more) {
  if (bytes.compare(mrc_at::more_type, 4, "TMLM") != 0 || more <= 0 || more > longest_mrc_text) return {};
  const auto all = first_bytes(path, mrc_bytes + static_cast<std::size_t>(more), Packing::none);
  if (!all.ok() || all.value().size() <= mrc_bytes) return {};
  const std::string text = all.value().substr(mrc_bytes);
  return text.substr(0, text.find('\0'));
}

}  // namespace

bool is_mrc(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return false;
  const auto bytes = first_bytes(path, mrc_bytes, Packing::none);
  return bytes.ok() && says_mrc(bytes.value());
}

Result<MrcHeader> read_mrc_header(const fs::path& path) {
  const std::string where = path.string();
  TL_TRY(const std::string bytes, first_bytes(path, mrc_bytes, Packing::none));
  if (!says_mrc(bytes))
    return invalid("the file has no header of MRC: the word MAP is missing at byte 208", where,
                   "Files from before the year 2000 have none: open and save them with IMOD or mrcfile");
  MrcHeader h;
  h.order = mrc_order(bytes);
  const OrderedFields f(bytes, h.order);
  const auto size = f.three<int32_t>(mrc_at::size);
  h.cols = size[0];
  h.rows = size[1];
  h.pages = size[2];
  TL_TRY(check_volume_sizes(h.pages, h.rows, h.cols, where));
  TL_TRY(set_mrc_type(f, h, where));
  TL_TRY(set_mrc_axes(f, h, where));
  TL_TRY(set_mrc_place(f, h, where));
  const int64_t more = f.get<int32_t>(mrc_at::more_bytes);
  if (more < 0)
    return invalid("the extended header has " + std::to_string(more) + " bytes (NSYMBT)", where,
                   "The header is damaged: copy or write the file again");
  h.offset = static_cast<int64_t>(mrc_bytes) + more;
  const auto group = f.get<int32_t>(mrc_at::space_group);
  h.is_stack = group == mrc_image_stack && h.pages > 1;
  const auto in_volume = f.three<int32_t>(mrc_at::sampling)[2];
  if (group >= first_mrc_volume_stack && in_volume > 0 && in_volume < h.pages)
    return invalid("the file holds a series of volumes", where, "Save one volume a file");
  h.text = mrc_text(path, bytes, more);
  return h;
}

}  // namespace tl::io
