// core/nodes/output/save_picture.cpp: write one slice of a volume as a grey PNG.
#include <ATen/ATen.h>

#include "core/io/output/volume_writer.h"
#include "core/nodes/output/output_node.h"

namespace tl::output_save_picture_node {

struct Params {
  std::string file = "slice.png";
  std::optional<int64_t> slice;
  std::optional<double> low, high;
};

// Share of the pixels that an automatic grey window clips to black and white.
constexpr double clipped = 0.003;

int64_t slice_of(const Params& p, const VolumeGrid& grid) { return p.slice.value_or(grid.nz / 2); }

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(check_file_name("output.save_picture", {}, p.file));
  const auto& grid = volume_of(in).grid;
  if (slice_of(p, grid) >= grid.nz)
    return invalid("the volume has " + std::to_string(grid.nz) + " slices", "slice",
                   "Give a number from 0 to " + std::to_string(grid.nz - 1));
  if (p.low && p.high && !(*p.low < *p.high)) return invalid("low must be smaller than high", "low");
  return ok();
}

Result<Region> reads(const Params& p, const Infos& in) {
  const auto& grid = volume_of(in).grid;
  const int64_t k = slice_of(p, grid);
  return Region{grid.slab({k, k + 1})};
}

Result<io::OutputFile> file_of(const Params& p, const Volume& volume, NodeRun& r) {
  const at::Tensor slice = volume.data.detach()[0].to(at::kFloat).contiguous();
  const at::Tensor finite = std::get<0>(slice.masked_select(at::isfinite(slice)).sort());
  double low = 0, high = 1;
  if (finite.numel() > 0) {
    const auto last = static_cast<double>(finite.numel() - 1);
    low = finite[static_cast<int64_t>(clipped * last)].item<double>();
    high = finite[static_cast<int64_t>((1 - clipped) * last)].item<double>();
  }
  low = p.low.value_or(low);
  high = p.high.value_or(high);
  if (!(low < high)) high = low + 1;
  r.message(LogLevel::info,
            "black = " + format_quantity(low, Unit::none) + ", white = " + format_quantity(high, Unit::none));
  return io::uncommitted_png(p.file, slice, low, high, r.host().output_rules());
}

void describe(NodeBuilder<Params>& n) {
  declare_output(n, "output.save_picture", "Save slice image");
  n.role(NodeRole::save_picture);
  n.summary("Writes one slice as a greyscale PNG image.");
  n.description(
      "Computes this slice only. Unless black and white are given, 0.3 % of the pixels are clipped at either end of "
      "the grey scale.");
  n.synonyms({"PNG", "screenshot", "preview", "export", "picture"});
  n.input<Volume>("volume", "The volume to take the slice from.");
  declare_file(n, "Name of the PNG file").output_file("a PNG image", {".png"});
  n.param("slice", "Slice", &Params::slice).at_least(0).automatic("the middle one").help("Index of the slice along z.");
  n.param("low", "Black", &Params::low)
      .range(-1e30, 1e30)
      .automatic("0.3 % of the pixels are darker")
      .help("Value shown black.");
  n.param("high", "White", &Params::high)
      .range(-1e30, 1e30)
      .automatic("0.3 % of the pixels are brighter")
      .help("Value shown white.");
  n.check(check).reads(reads);
  write_whole<Volume, file_of>(n);
}

}  // namespace tl::output_save_picture_node

TL_NODE(output_save_picture)
