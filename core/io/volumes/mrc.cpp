// MRC: a binary header of 1024 bytes and raw numbers, for electron microscopy and its tomography. Rows begin at the
// bottom: column +x, row +y, page +z.
#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/base/text.h"
#include "core/io/mrc/mrc_numbers.h"
#include "core/io/output/samples.h"
#include "core/io/volumes/format.h"
#include "core/io/voxels/grid_text.h"
#include "core/io/voxels/raw_volume_writer.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

// Our own words: what the header has no field for, or only with seven digits.
constexpr const char *mrc_grid_key = "TomoloomGrid = ", *mrc_unit_key = "TomoloomUnit = ",
                     *mrc_low_key = "TomoloomLow = ", *mrc_step_key = "TomoloomStep = ";

std::string mrc_line(const std::string& text, const std::string& key) {
  const auto at = text.find(key);
  if (at == std::string::npos) return {};
  const auto from = at + key.size();
  return text.substr(from, text.find('\n', from) - from);
}

// The exact grid in our own words, unless another program has changed the voxel size or the place since.
std::optional<VolumeGrid> own_grid(const MrcHeader& h) {
  const auto grid = grid_from_text(mrc_line(h.text, mrc_grid_key), h.pages, h.rows, h.cols);
  if (!grid || h.axes != std::array<std::size_t, 3>{0, 1, 2}) return std::nullopt;
  constexpr double rounding = 1e-6;  // of float32
  const auto same = [](double stated, double own) { return std::abs(stated - own) <= rounding * own; };
  const bool in_place = norm(h.first - grid->position(0, 0, 0)) <= rounding * (norm(h.first) + norm(grid->step_x));
  const bool unchanged = in_place && same(h.step.x, norm(grid->step_x)) && same(h.step.y, norm(grid->step_y)) &&
                         same(h.step.z, norm(grid->step_z));
  return unchanged ? grid : std::nullopt;
}

void set_mrc_grid(const MrcHeader& h, StoredVolume& volume) {
  VolumeFileInfo& info = volume.info;
  if (const auto grid = own_grid(h)) {
    info.grid = *grid;
    info.voxel_size = info.position = Origin::file;
    info.voxel_size_source = "Tomoloom's text";
    return;
  }
  const bool sized = h.step.x > 0 && h.step.y > 0 && (h.step.z > 0 || h.pages == 1);
  if (sized) {
    info.voxel_size = Origin::file;
    info.voxel_size_source = "CELLA";
  } else {
    guess_voxel_size(info);
  }
  const Vec3 step = sized ? Vec3{h.step.x, h.step.y, h.step.z > 0 ? h.step.z : h.step.x} : Vec3{1, 1, 1};
  const std::array<Vec3, 3> along{Vec3{step.x, 0, 0}, Vec3{0, step.y, 0}, Vec3{0, 0, step.z}};
  FileAxes axes{h.pages, h.rows, h.cols, {}, along[h.axes[2]], along[h.axes[1]], along[h.axes[0]]};
  if (h.has_place && sized) {
    axes.centre = centre_from_first(axes, h.first);
    info.position = Origin::file;
  }
  set_grid(axes, volume);
}

int sniff_mrc(const fs::path& path) { return is_mrc(path) ? 90 : 0; }

Result<StoredVolume> open_mrc(const fs::path& path, const VolumeAccess& /*access*/) {
  TL_TRY(const MrcHeader h, read_mrc_header(path));
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = "mrc";
  info.voxel_type = h.packing == MrcPacking::bytes ? h.type : "uint4";
  TL_TRY(volume.voxels, mrc_numbers(path, h));
  set_mrc_grid(h, volume);
  if (const auto unit = parse_unit(mrc_line(h.text, mrc_unit_key)); unit.ok()) info.unit = unit.value();
  const auto low = numbers_of(mrc_line(h.text, mrc_low_key), 1), each = numbers_of(mrc_line(h.text, mrc_step_key), 1);
  if (low && each && std::isfinite(low->front()) && std::isfinite(each->front()))
    info.scale = ValueScale{low->front(), each->front()};
  if (h.is_stack) info.notes.emplace_back("The header says that the sections are images, not slices of a volume.");
  volume.files = {{path, stamp_of(path)}};
  return volume;
}

template <class T>
void put_mrc_number(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
template <class T>
void put_mrc_three(std::string& bytes, std::size_t at, T x, T y, T z) {
  put_mrc_number(bytes, at, x);
  put_mrc_number(bytes, at + sizeof(T), y);
  put_mrc_number(bytes, at + 2 * sizeof(T), z);
}

std::string words_of_mrc(const VolumeTarget& t) {
  std::string text = mrc_grid_key + grid_text(t.grid) + "\n";
  if (t.unit != Unit::none) text += mrc_unit_key + std::string(symbol(t.unit)) + "\n";
  if (t.type != SampleType::float32)
    text += mrc_low_key + number_text(t.low) + "\n" + mrc_step_key +
            number_text(SampleScale{t.type, t.low, t.high}.step()) + "\n";
  constexpr std::size_t piece = 1024;
  text.resize((text.size() / piece + 1) * piece, '\0');
  return text;
}

std::string header_of_mrc(const VolumeTarget& t, std::size_t more) {
  const VolumeGrid& g = t.grid;
  std::string h(mrc_bytes, '\0');
  const auto size = [](int64_t n) { return static_cast<int32_t>(n); };
  put_mrc_three(h, 0, size(g.nx), size(g.ny), size(g.nz));
  put_mrc_number(h, 12, int32_t{t.type == SampleType::float32 ? 2 : 6});
  put_mrc_three(h, 28, size(g.nx), size(g.ny), size(g.nz));
  const auto edge = [](int64_t n, Vec3 step) {
    return static_cast<float>(static_cast<double>(n) * norm(step) / mrc_mm);
  };
  put_mrc_three(h, 40, edge(g.nx, g.step_x), edge(g.ny, g.step_y), edge(g.nz, g.step_z));
  put_mrc_three(h, 52, 90.0F, 90.0F, 90.0F);
  put_mrc_three(h, 64, int32_t{1}, int32_t{2}, int32_t{3});
  put_mrc_three(h, 76, 0.0F, -1.0F, -2.0F);  // least above greatest: not computed
  put_mrc_number(h, 88, int32_t{1});         // a volume
  put_mrc_number(h, 92, static_cast<int32_t>(more));
  std::memcpy(h.data() + 104, "TMLM", 4);
  put_mrc_number(h, 108, int32_t{20141});
  const Vec3 first = (1 / mrc_mm) * g.position(0, 0, 0);
  put_mrc_three(h, 196, static_cast<float>(first.x), static_cast<float>(first.y), static_cast<float>(first.z));
  std::memcpy(h.data() + 208, "MAP \x44\x44\0\0", 8);
  put_mrc_number(h, 216, -1.0F);
  put_mrc_number(h, 220, int32_t{1});
  std::string label = "Tomoloom";
  label.resize(80, ' ');
  std::copy(label.begin(), label.end(), h.begin() + 224);
  return h;
}

Result<std::unique_ptr<VolumeWriter>> write_mrc(const VolumeTarget& target) {
  TL_TRY(target.grid.validate());
  if (target.type != SampleType::float32 && target.type != SampleType::uint16)
    return invalid("MRC holds no " + sample_type_name(target.type), target.path.string(), "Choose float32 or uint16");
  TL_TRY(check_volume_sizes(target.grid.nz, target.grid.ny, target.grid.nx, target.path.string()));
  const std::string words = words_of_mrc(target);
  RawVolumeFiles files{header_of_mrc(target, words.size()) + words};
  files.first_row = FirstRow::smallest_y;
  return open_raw_volume(target, files);
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_mrc() {
  return {"mrc",
          "MRC",
          ".mrc .map .rec .st .ali .mrcs",
          "A binary header and raw numbers, for IMOD, RELION, Chimera and mrcfile. Rows begin at the bottom.",
          "It holds no pipeline: keep the record next to it.",
          tl::io::sniff_mrc,
          tl::io::open_mrc,
          tl::io::write_mrc,
          tl::io::OutputKind::file,
          "float32 uint16",
          tl::io::Compression::none,
          tl::io::IntegerScale::by_tomoloom,
          tl::io::WideLabels::never};
}
