// core/nodes/output/save_projections.cpp: write views as an NXtomo scan.
#include <ATen/ATen.h>

#include <filesystem>

#include "core/graph/output_names.h"
#include "core/io/output/background_calls.h"
#include "core/io/output/views_writer.h"
#include "core/node/node_builder.h"
#include "core/nodes/output/output_node.h"
#include "gpu/operator/reduce.h"

namespace tl {
namespace output_save_projections_node {

struct Params {
  std::string file = "views.nx";
};

Result<void> check(const Params& p, const Infos& in) {
  if (p.file.empty()) return invalid("no file name is given", "file", "Give a file name");
  TL_TRY(check_output_name("output.save_projections", {}, p.file));
  if (!scan_of(in).geometry.orbit())
    return invalid("only circular scans can be written as NXtomo", "projections", "Save the volume instead");
  return ok();
}

struct State {
  std::unique_ptr<io::ViewsWriter> writer;
  int64_t nans = 0;
  io::BackgroundCalls writing;  // destroyed first: it uses the writer
};

Result<std::shared_ptr<State>> begin(const Params& p, NodeRun& r) {
  TL_TRY(check_output(p.file, io::OutputKind::file, r));
  const auto& scan = r.info<ProjectionsInfo>("projections");
  auto state = std::make_shared<State>();
  TL_TRY(state->writer,
         io::open_nxtomo_views({p.file, scan.geometry, scan.kind, scan.energy, r.host().output_rules()}));
  return state;
}

Result<void> accumulate(const Params&, State& s, NodeRun& r) {
  const at::Tensor views = r.in<Projections>("projections").data.detach();
  s.nans += count_of_nans(views);
  TL_TRY(
      s.writing.start([&s, region = std::get<ScanRegion>(r.region), views] { return s.writer->write(region, views); }));
  return r.may_keep_block ? ok() : s.writing.wait();
}

Result<Findings> finish(const Params&, State& s, NodeRun& r) {
  TL_TRY(s.writing.wait());
  if (s.nans > 0) r.message(LogLevel::warning, std::to_string(s.nans) + " pixels are NaN");
  TL_TRY(io::OutputFile whole, s.writer->finish());
  r.host().deliver(std::move(whole));
  return Findings{};
}

void describe(NodeBuilder<Params>& n) {
  n.id("output.save_projections", 1).title("Save projections").category("Output").writes_files();
  n.not_differentiable("it writes a file");
  n.summary("Writes corrected projections as an NXtomo scan that this and other programs can open.");
  n.description(
      "Writes views in float32 with angles, pixel sizes, distances and rotation axis, block by block, so they never "
      "have to fit in memory. The file says whether its pixels are counts, transmission, absorption or thickness. "
      "Flats and darks are not written. The record NAME.json next to it lists the pipeline and every parameter.");
  n.synonyms({"export", "NXtomo", "HDF5", "sinogram", "views", "corrected"});
  n.input<Projections>("projections", "The views to write.");
  n.param("file", &Params::file)
      .title("File")
      .output_file()
      .help("Name of the NXtomo file; relative names go into the output folder.");
  n.check(check).reduce<State>(begin, accumulate, finish);
}

}  // namespace output_save_projections_node

TL_NODE(output_save_projections)

}  // namespace tl
