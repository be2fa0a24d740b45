// core/nodes/output/save_volume.cpp: write a volume as one ImageJ TIFF or as a folder of slices.
#include <ATen/ATen.h>

#include <cmath>
#include <filesystem>

#include "core/io/output/volume_writer.h"
#include "core/node/node_builder.h"
#include "core/nodes/output/output_node.h"

namespace tl {
namespace output_save_volume_node {

enum class Format { imagej_tiff, tiff_stack };

struct Params {
  std::string file = "volume.tif";
  Format format = Format::imagej_tiff;
  io::SampleType type = io::SampleType::float32;
  std::optional<double> low, high;
};

Result<void> check(const Params& p, const Infos& in) {
  if (p.file.empty()) return invalid("no file name is given", "file", "Give a file name");
  const bool integers = p.type != io::SampleType::float32;
  if (integers && (!p.low || !p.high))
    return invalid("integers need the values that become the smallest and the largest integer", "low",
                   "Give low and high, or write float32");
  if (integers && !(*p.low < *p.high)) return invalid("low must be smaller than high", "low");
  return volume_of(in).grid.validate();
}

struct State {
  std::unique_ptr<io::VolumeWriter> writer;
  int64_t next = 0;
  int64_t nans = 0;
};

Result<std::shared_ptr<State>> begin(const Params& p, NodeRun& r) {
  const bool stack = p.format == Format::tiff_stack;
  TL_TRY(check_output(p.file, stack ? io::OutputKind::folder : io::OutputKind::file, r));
  io::VolumeTarget target;
  target.path = p.file;
  target.grid = std::get<VolumeGrid>(r.full);
  target.unit = r.info<VolumeInfo>("volume").unit;
  target.type = p.type;
  target.low = p.low.value_or(0);
  target.high = p.high.value_or(1);
  target.rules = r.host().output_rules();
  const std::filesystem::path file = p.file;
  target.description = embedded_description(r, stack ? file : file.parent_path());
  auto state = std::make_shared<State>();
  TL_TRY(state->writer, stack ? io::open_tiff_stack(target) : io::open_imagej_tiff(target));
  return state;
}

Result<void> accumulate(const Params&, State& s, NodeRun& r) {
  const at::Tensor slab = r.in<Volume>("volume").data.detach();
  s.nans += at::isnan(slab).sum().item<int64_t>();
  const Range z{s.next, s.next + slab.size(0)};
  s.next = z.end;
  return s.writer->write(z, slab);
}

Result<Findings> finish(const Params&, State& s, NodeRun& r) {
  if (s.nans > 0) r.message(LogLevel::warning, std::to_string(s.nans) + " voxels are NaN");
  TL_TRY(io::OutputFile whole, s.writer->finish());
  r.host().deliver(std::move(whole));
  return Findings{};
}

void describe(NodeBuilder<Params>& n) {
  n.id("output.save_volume", 1).title("Save volume").category("Output").writes_files();
  n.not_differentiable("it writes a file");
  n.summary("Writes a volume as TIFF, with voxel size, pipeline and provenance.");
  n.description(
      "Writes slab by slab, so the volume never has to fit in memory, and the file appears under its name only when it "
      "is complete. Pages run along +z; row 0 of a page is the largest y. The file embeds the pipeline, and the record "
      "NAME.json beside it lists every parameter. Integers are scaled: low becomes 0 and high the largest integer; the "
      "scale is kept in the file.");
  n.synonyms({"export", "TIFF", "write", "ImageJ", "BigTIFF", "stack"});
  n.input<Volume>("volume", "The volume to write.");
  n.param("file", &Params::file)
      .title("File")
      .output_file()
      .help("Name of the file (TIFF) or folder (stack); relative names go into the output folder.");
  n.param("format", &Params::format, {{"imagej_tiff", "One TIFF (ImageJ)"}, {"tiff_stack", "Folder of TIFFs"}})
      .title("Format")
      .help("One multi-page file, BigTIFF where it exceeds 4 GiB, or one file per slice.");
  n.param("type", &Params::type, {{"float32", "float32"}, {"uint16", "16-bit integers"}, {"uint8", "8-bit integers"}})
      .title("Number type")
      .help("How values are stored; float32 keeps them as they are.");
  n.param("low", &Params::low)
      .title("Low")
      .range(-1e30, 1e30)
      .automatic("required for integers")
      .advanced()
      .help("Value that becomes the integer 0.");
  n.param("high", &Params::high)
      .title("High")
      .range(-1e30, 1e30)
      .automatic("required for integers")
      .advanced()
      .help("Value that becomes the largest integer.");
  n.check(check).reduce<State>(begin, accumulate, finish);
}

}  // namespace output_save_volume_node

TL_NODE(output_save_volume)

}  // namespace tl
