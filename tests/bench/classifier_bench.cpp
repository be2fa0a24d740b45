// Times the wait of a user who paints strokes: coarse and sharp labels of the slice after one more stroke.
#include <filesystem>

#include "core/io/output/volume_writer.h"
#include "core/io/volumes/format.h"
#include "core/node/registry.h"
#include "core/strokes/painted_labels.h"
#include "tests/bench/live_watch.h"

using namespace tl;
using bench::Answer;
namespace fs = std::filesystem;

namespace {

// Slices of three materials of other brightness and texture, with noise; the same materials as labels.
struct Sample {
  at::Tensor volume, classes;
};
Sample sample(int64_t slices, int64_t n) {
  at::manual_seed(3);
  const auto smooth = [&](int64_t width) {
    const at::Tensor noise = at::randn({1, slices, n + width - 1, n + width - 1}, at::kFloat);
    return at::avg_pool2d(noise, {width, width}, {1, 1}).mul_(static_cast<double>(width)).squeeze(0);
  };
  const at::Tensor field = smooth(31), classes = field.gt(-0.5).to(at::kInt) + field.gt(0.5).to(at::kInt) + 1;
  return {(classes * 0.5 + classes * 0.25 * smooth(3) + 0.3 * smooth(1)).to(at::kFloat), classes};
}

void write(const fs::path& file, const at::Tensor& voxels, const VolumeGrid& grid) {
  const io::VolumeFormat& format = *io::find_volume_format("nrrd");
  io::VolumeTarget target;
  target.path = file;
  target.grid = grid;
  target.rules = io::no_inputs(io::Overwrite::replace);
  const auto writer = format.write(target).or_throw();
  if (const auto done = writer->write({0, grid.nz}, voxels.to(at::kFloat)); !done.ok())
    bench::stop(done.error().message());
  io::OutputFile whole = writer->finish().or_throw();
  if (const auto done = whole.commit(); !done.ok()) bench::stop(done.error().message());
}

// Paints stroke number i after the stroke `parent`: 60 x 5 voxels somewhere in the slice, labelled as they are. Returns
// its number in the file.
int64_t paint(strokes::PaintedLabels& labels, int64_t parent, const at::Tensor& classes, int64_t slice, int64_t i) {
  constexpr int64_t length = 60, width = 5;
  const int64_t n = classes.size(2), y = (97 * i) % (n - width), x = (173 * i) % (n - length);
  const auto truth = classes.accessor<int, 3>();
  for (int number = 1; number <= 3; ++number) {
    strokes::VoxelSet voxels(labels.grid());
    for (int64_t j = y; j < y + width; ++j)
      for (int64_t at = x; at < x + length; ++at)
        if (truth[slice][j][at] == number) voxels.add({slice, j, at});
    const auto change = strokes::painted(*labels.at(parent).or_throw(), voxels, static_cast<uint16_t>(number), {});
    if (!change.empty()) parent = labels.append(parent, change).or_throw();
  }
  return parent;
}

}  // namespace

// Slices of n x n, features in each slice or in the volume.
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const int64_t n = a.number("n", 512), slices = a.number("slices", 16), times = a.number("times", 15);
  const std::string span = a.text("span", "slices");
  const fs::path folder = a.text("folder", ".");
  a.finish();
  const VolumeGrid grid = VolumeGrid::cubic(slices, n, n, 0.01);
  const Sample made = sample(slices, n);
  const fs::path volume = folder / "classifier_bench.nrrd";
  write(volume, made.volume, grid);
  const int64_t slice = slices / 2;
  const fs::path painting = folder / "classifier_bench.strokes";
  fs::remove(painting);
  const auto labels = strokes::PaintedLabels::open_or_create(painting, grid).or_throw();
  int64_t stroke = 0, count = 0;
  for (; count < 8; ++count) stroke = paint(*labels, stroke, made.classes, slice, count);
  bench::Watch watch;
  live::EngineOptions options;
  options.switches.thumbnails = false;
  live::Engine engine(Registry::all(), options, watch);
  Graph g;
  g.nodes["volume"] = {"input.load_volume", 1, {{"file", volume.string()}}};
  g.nodes["strokes"] = {"segment.painted", 1, {{"file", painting.string()}, {"stroke", stroke}}};
  g.nodes["classifier"] = {"segment.pixel_classifier", 1, {{"span", span}}};
  g.links = {{"volume", "volume", "classifier", "volume"},
             {"volume", "volume", "strokes", "volume"},
             {"strokes", "labels", "classifier", "strokes"}};
  engine.set_graph(g);
  uint64_t ticket = 0;
  const auto show = [&](int64_t k) {
    live::PictureRequest r;
    r.node = "classifier";
    r.port = "labels";
    r.region = grid.slab({k, k + 1});
    r.ticket = ++ticket;
    watch.begin(ticket);
    engine.request("view", r);
    return watch.wait();
  };
  bench::report_answers("first labels", {show(slice)});
  std::vector<Answer> answers;
  for (int64_t i = 1; i <= times; ++i) {
    stroke = paint(*labels, stroke, made.classes, slice, count++);
    g.nodes["strokes"].params["stroke"] = stroke;
    watch.begin(ticket);
    engine.set_graph(g);
    answers.push_back(watch.wait());
  }
  bench::report_answers("one more stroke", answers);
  answers.clear();
  for (int64_t k = 0; k < std::min<int64_t>(slices / 2, times); ++k) answers.push_back(show(k));
  bench::report_answers("another slice", answers);
  fs::remove(volume);
  fs::remove(painting);
  return 0;
}
