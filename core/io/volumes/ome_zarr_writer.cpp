// Writes a volume as OME-Zarr: chunks of the volume and of its coarser levels, while slices arrive.
#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>

#include "core/io/bytes/deflate.h"
#include "core/io/output/samples.h"
#include "core/io/volumes/label_table.h"
#include "core/io/volumes/ome_zarr_volume.h"
#include "core/io/voxels/grid_text.h"

namespace tl::io {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int64_t chunk_edge = 64, chunk_voxels = chunk_edge * chunk_edge * chunk_edge;
constexpr int64_t max_waiting = int64_t{256} << 20;  // bytes of the finest level
constexpr int64_t smallest_level = 128;              // voxels along its longest axis

// What a voxel of a coarser level is made of.
enum class CoarserVoxel : uint32_t { mean, first };

struct ChunkShape {
  int64_t pages = 1, rows = 1, cols = 1;
};
// Of 64^3 voxels, flatter where a layer of chunks would be too much memory.
ChunkShape chunk_shape(int64_t pages, int64_t rows, int64_t cols, int64_t bytes_of_voxel) {
  ChunkShape shape{chunk_edge, chunk_edge, chunk_edge};
  while (shape.pages > 1 && shape.pages * rows * cols * bytes_of_voxel > max_waiting) {
    shape.pages /= 4;
    shape.rows *= 2;
    shape.cols *= 2;
  }
  return {std::min(shape.pages, pages), std::min(shape.rows, rows), std::min(shape.cols, cols)};
}

// One level: its size and chunks, and the slices that wait until a layer of chunks is complete.
struct ZarrLevel {
  int64_t pages = 1, rows = 1, cols = 1;
  ChunkShape chunk;
  std::vector<std::byte> waiting;  // [page, row, col] of one layer, in the order of the file
  int64_t slices = 0;              // that have arrived
  at::Tensor even;                 // the slice that waits for the next one to be averaged with it
};

// Means of 2 x 2 voxels in the order of the file, which begins with the largest y; fewer at the ends.
at::Tensor halved_slice(const at::Tensor& slice) {
  const at::Tensor in_file = slice.flip(0).unsqueeze(0).unsqueeze(0);
  return at::avg_pool2d(in_file, {2, 2}, {2, 2}, {0, 0}, true, false)[0][0].flip(0).contiguous();
}

// One of each 2 x 2 voxels, for labels.
at::Tensor picked_slice(const at::Tensor& slice) {
  const at::Tensor in_file = slice.flip(0);
  return in_file.slice(0, 0, in_file.size(0), 2).slice(1, 0, in_file.size(1), 2).flip(0).contiguous();
}

std::span<const std::byte> bytes_of_text(const std::string& text) { return std::as_bytes(std::span(text)); }

class OmeZarrWriter final : public VolumeWriter {
 public:
  OmeZarrWriter(OutputFile folder, const VolumeTarget& target, ZarrVersion version)
      : VolumeWriter(target.grid),
        folder_(std::move(folder)),
        target_(target),
        version_(version),
        scale_{target.type, target.low, target.high},
        bytes_(bytes_per_sample(target.type)),
        coarser_(describes_labels(target.description) ? CoarserVoxel::first : CoarserVoxel::mean) {
    ZarrLevel level{target.grid.nz, target.grid.ny, target.grid.nx, {}, {}, 0, {}};
    while (true) {
      level.chunk = chunk_shape(level.pages, level.rows, level.cols, bytes_);
      levels_.push_back(level);
      if (std::max({level.pages, level.rows, level.cols}) <= smallest_level) break;
      for (int64_t* n : {&level.pages, &level.rows, &level.cols}) *n = (*n + 1) / 2;
    }
    for (ZarrLevel& l : levels_) l.waiting.resize(static_cast<std::size_t>(l.chunk.pages * l.rows * l.cols * bytes_));
  }

 private:
  Result<void> write_slice(const at::Tensor& slice) override {
    return add_slice(0, coarser_ == CoarserVoxel::mean ? slice.to(at::kFloat) : slice);
  }

  Result<OutputFile> complete() override {
    for (std::size_t l = 0; l < levels_.size(); ++l) TL_TRY(write_array_header(l));
    TL_TRY(write_group_header());
    return std::move(folder_);
  }

  Result<void> add_slice(std::size_t l, const at::Tensor& slice) {
    ZarrLevel& level = levels_[l];
    const std::vector<std::byte> samples = encode_slice(slice, scale_);
    const auto in_layer = static_cast<std::size_t>(level.slices % level.chunk.pages);
    std::memcpy(level.waiting.data() + in_layer * samples.size(), samples.data(), samples.size());
    ++level.slices;
    const bool last = level.slices == level.pages;
    if (last || level.slices % level.chunk.pages == 0) TL_TRY(write_layer(l));
    if (l + 1 == levels_.size()) return ok();
    if (coarser_ == CoarserVoxel::first) {
      const bool is_even = level.slices % 2 == 1;  // counted from 0
      return is_even ? add_slice(l + 1, picked_slice(slice)) : Result<void>();
    }
    if (!level.even.defined() && !last) {
      level.even = halved_slice(slice);
      return ok();
    }
    const at::Tensor mean = level.even.defined() ? (level.even + halved_slice(slice)).mul_(0.5) : halved_slice(slice);
    level.even = at::Tensor();
    return add_slice(l + 1, mean);
  }

  // Writes the chunks of the layer that ends with the last slice. Chunks are whole also where the volume ends.
  Result<void> write_layer(std::size_t l) {
    const ZarrLevel& level = levels_[l];
    const ChunkShape& c = level.chunk;
    const int64_t layer = (level.slices - 1) / c.pages, pages = level.slices - layer * c.pages;
    std::vector<std::byte> chunk(static_cast<std::size_t>(c.pages * c.rows * c.cols * bytes_));
    for (int64_t j = 0; j * c.rows < level.rows; ++j)
      for (int64_t i = 0; i * c.cols < level.cols; ++i) {
        std::fill(chunk.begin(), chunk.end(), std::byte{0});
        const int64_t rows = std::min(c.rows, level.rows - j * c.rows),
                      cols = std::min(c.cols, level.cols - i * c.cols);
        for (int64_t k = 0; k < pages; ++k)
          for (int64_t r = 0; r < rows; ++r)
            std::memcpy(chunk.data() + (k * c.rows + r) * c.cols * bytes_,
                        level.waiting.data() + ((k * level.rows + j * c.rows + r) * level.cols + i * c.cols) * bytes_,
                        static_cast<std::size_t>(cols * bytes_));
        const std::string name = std::to_string(l) + (version_ == ZarrVersion::three ? "/c/" : "/") +
                                 std::to_string(layer) + "/" + std::to_string(j) + "/" + std::to_string(i);
        if (target_.compression == Compression::none)
          TL_TRY(folder_.add_member(name, chunk));
        else
          TL_TRY(folder_.add_member(name, deflated(DeflateForm::gzip, chunk)));
      }
    return ok();
  }

  Result<void> add_json(const std::string& name, const OrderedJson& content) {
    // Names and records may not be UTF-8.
    const std::string text = content.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
    return folder_.add_member(name, bytes_of_text(text));
  }

  Result<void> write_array_header(std::size_t l) {
    const ZarrLevel& level = levels_[l];
    const OrderedJson shape = {level.pages, level.rows, level.cols},
                      chunk = {level.chunk.pages, level.chunk.rows, level.chunk.cols}, gzip = {{"level", 1}};
    const bool packed = target_.compression != Compression::none;
    const std::string folder = std::to_string(l) + "/";
    if (version_ == ZarrVersion::two) {
      const char* type = target_.type == SampleType::float32  ? "<f4"
                         : target_.type == SampleType::uint16 ? "<u2"
                         : target_.type == SampleType::int32  ? "<i4"
                                                              : "|u1";
      return add_json(folder + zarr_array_2,
                      {{"zarr_format", 2},
                       {"shape", shape},
                       {"chunks", chunk},
                       {"dtype", type},
                       {"compressor", packed ? OrderedJson{{"id", "gzip"}, {"level", 1}} : OrderedJson()},
                       {"fill_value", 0},
                       {"order", "C"},
                       {"filters", nullptr},
                       {"dimension_separator", "/"}});
    }
    OrderedJson codecs = OrderedJson::array({{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}}});
    if (packed) codecs.push_back({{"name", "gzip"}, {"configuration", gzip}});
    return add_json(folder + zarr_header_3,
                    {{"zarr_format", 3},
                     {"node_type", "array"},
                     {"shape", shape},
                     {"data_type", sample_type_name(target_.type)},
                     {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", chunk}}}}},
                     {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "/"}}}}},
                     {"fill_value", 0},
                     {"codecs", codecs},
                     {"dimension_names", {"z", "y", "x"}},
                     {"attributes", OrderedJson::object()}});
  }

  // Scale and translation of each level, in mm: voxel (k, j, i) of the file lies at z, -y, x of the scan. A mean lies
  // in the middle of its voxels, a label where it was.
  [[nodiscard]] OrderedJson image() const {
    const VolumeGrid& g = target_.grid;
    const Vec3 first = g.position(0, static_cast<double>(g.ny - 1), 0);
    OrderedJson axes = OrderedJson::array(), datasets = OrderedJson::array();
    for (const char* name : {"z", "y", "x"})
      axes.push_back({{"name", name}, {"type", "space"}, {"unit", "millimeter"}});
    const double dz = norm(g.step_z), dy = norm(g.step_y), dx = norm(g.step_x);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const auto factor = static_cast<double>(int64_t{1} << l),
                 shift = coarser_ == CoarserVoxel::mean ? 0.5 * (factor - 1) : 0;
      const OrderedJson scale = {{"type", "scale"}, {"scale", {factor * dz, factor * dy, factor * dx}}},
                        translation = {
                            {"type", "translation"},
                            {"translation", {first.z + shift * dz, -first.y + shift * dy, first.x + shift * dx}}};
      datasets.push_back(
          {{"path", std::to_string(l)}, {"coordinateTransformations", OrderedJson::array({scale, translation})}});
    }
    OrderedJson image = OrderedJson::object();
    if (version_ == ZarrVersion::two) image["version"] = "0.4";
    image["name"] = target_.path.stem().stem().string();
    image["axes"] = axes;
    image["datasets"] = datasets;
    image["type"] = coarser_ == CoarserVoxel::mean ? "mean" : "nearest";
    return image;
  }

  Result<void> write_group_header() {
    OrderedJson ours = {{"axes", volume_axes}, {zarr_grid, grid_text(target_.grid)}};
    if (target_.unit != Unit::none) ours[zarr_unit] = symbol(target_.unit);
    if (target_.type != SampleType::float32) {
      ours[zarr_offset] = target_.low;
      ours[zarr_step] = scale_.step();
    }
    if (!target_.description.empty()) ours[zarr_record] = target_.description;
    const OrderedJson images = OrderedJson::array({image()});
    if (version_ == ZarrVersion::three)
      return add_json(
          zarr_header_3,
          {{"zarr_format", 3},
           {"node_type", "group"},
           {"attributes", {{"ome", {{"version", "0.5"}, {"multiscales", images}}}, {zarr_statements, ours}}}});
    TL_TRY(add_json(zarr_group_2, {{"zarr_format", 2}}));
    return add_json(zarr_attributes_2, {{"multiscales", images}, {zarr_statements, ours}});
  }

  OutputFile folder_;
  VolumeTarget target_;
  ZarrVersion version_;
  SampleScale scale_;
  int64_t bytes_;
  CoarserVoxel coarser_;
  std::vector<ZarrLevel> levels_;  // the finest first
};

}  // namespace

Result<std::unique_ptr<VolumeWriter>> write_ome_zarr(const VolumeTarget& target, ZarrVersion version) {
  TL_TRY(target.grid.validate());
  TL_TRY(check_scale({target.type, target.low, target.high}, target.path.string()));
  TL_TRY(OutputFile folder, OutputFile::create_folder(target.path, target.rules));
  return std::unique_ptr<VolumeWriter>(std::make_unique<OmeZarrWriter>(std::move(folder), target, version));
}

}  // namespace tl::io
