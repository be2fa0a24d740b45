// Times a whole job from file to file (flat-field, logarithm, FBP, saved volume), and alternately its three parts
// alone: reading the scan in the blocks of the plan, computing from projections in memory, and writing a volume with a
// commit. Files of the round before are deleted outside of the times. One JSON line: the medians, and the job over the
// slowest part.
#include <filesystem>

#include "core/io/open_scan.h"
#include "core/io/volumes/format.h"
#include "core/run/executor.h"
#include "tests/bench/bench.h"

namespace {

using namespace tl;
namespace fs = std::filesystem;

struct Job {
  fs::path scan, folder;
  const io::VolumeFormat* format;
  Graph graph;

  [[nodiscard]] RunOptions options() const {
    RunOptions o;
    o.output_dir = folder;
    o.overwrite = io::Overwrite::replace;
    return o;
  }
};

Job job_of(const fs::path& scan, const fs::path& folder, const std::string& format) {
  Job job{scan, folder, io::find_volume_format(format), {}};
  if (job.format == nullptr) bench::stop("no volume format is called " + format);
  Graph& g = job.graph;
  g.nodes["scan"] = {"input.load_scan", 1, {{"file", scan.string()}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["recon"] = {"recon.fbp", 1, {}};
  const bool is_folder = job.format->output_kind == io::OutputKind::folder;
  const auto ending = job.format->extensions.substr(0, job.format->extensions.find(' '));
  g.nodes["save"] = {
      "output.save_volume",
      1,
      {{"format", format}, {"file", is_folder ? std::string("volume") : "volume" + std::string(ending)}}};
  g.links = {{"scan", "projections", "flat", "projections"},
             {"flat", "projections", "recon", "projections"},
             {"recon", "volume", "save", "volume"}};
  return job;
}

Plan plan_of(const Job& job) {
  Executor e(Registry::all(), job.options());
  return e.plan(job.graph).or_throw();
}

void read_alone(const Job& job, std::size_t blocks) {
  const auto reader = io::open_scan(job.scan).or_throw();
  const io::ScanInfo& scan = reader->info();
  const auto count = static_cast<int64_t>(blocks);
  for (int64_t i = 0; i < count; ++i)
    (void)reader
        ->read({{0, scan.views}, {scan.rows * i / count, scan.rows * (i + 1) / count}, {0, scan.cols}}, Samples::counts)
        .or_throw();
  (void)reader->read_flats({0, scan.rows}, {0, scan.cols}).or_throw();
}

void write_alone(const Job& job, const Volume& volume, std::size_t blocks) {
  io::VolumeTarget target;
  target.path =
      job.folder / ("alone" + std::string(job.format->extensions.substr(0, job.format->extensions.find(' '))));
  target.grid = volume.grid;
  target.rules = io::no_inputs(io::Overwrite::replace);
  const auto writer = job.format->write(target).or_throw();
  const auto count = static_cast<int64_t>(blocks);
  const int64_t slices = volume.grid.nz;
  for (int64_t i = 0; i < count; ++i) {
    const Range z{slices * i / count, slices * (i + 1) / count};
    writer->write(z, volume.data.narrow(0, z.begin, z.size())).or_throw();
  }
  writer->finish().or_throw().commit().or_throw();
}

void remove_outputs(const fs::path& folder) {
  for (const char* stem : {"alone", "volume"})
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().stem() == stem) fs::remove_all(entry.path());
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const fs::path folder = a.text("folder", ".");
  const Job job = job_of(a.text("scan"), folder, a.text("format", "nxtomoproc"));
  a.finish();
  const Plan plan = plan_of(job);
  const std::size_t blocks = plan.sections.back().blocks.size();

  Value scan;
  Info info;
  Volume volume;
  {
    Executor e(Registry::all(), job.options());
    scan = e.pull(job.graph, "scan", "projections").or_throw();
    info = e.infos(job.graph, "scan").or_throw().at("projections");
    volume = std::get<Volume>(e.pull(job.graph, "recon", "volume").or_throw());
  }
  const auto compute_alone = [&] {
    RunOptions options = job.options();
    options.cache = 1;  // a run from file to file keeps no filtered views either
    Executor e(Registry::all(), options);
    ExternalValues outside;
    outside.given.emplace(OutputId{"scan", "projections"}, GivenOutput{scan, full_region(info), info});
    for (const Region& block : plan.sections.back().blocks)
      (void)e.pull(job.graph, "recon", "volume", block, outside).or_throw();
  };
  const auto whole = [&] {
    Executor e(Registry::all(), job.options());
    (void)e.run(job.graph).or_throw();
  };
  std::map<std::string, std::vector<double>> seconds;
  bench::Times whole_times;
  for (int64_t round = -1; round < a.repeat(); ++round) {
    remove_outputs(folder);
    const std::map<std::string, double> now = {
        {"read", bench::time_of([&] { read_alone(job, blocks); }).wall},
        {"compute", bench::time_of(compute_alone).wall},
        {"write", bench::time_of([&] { write_alone(job, volume, blocks); }).wall},
        {"whole", (whole_times = bench::time_of(whole)).wall}};
    if (round < 0) continue;
    for (const auto& [part, time] : now) seconds[part].push_back(time);
  }
  std::map<std::string, double> medians;
  for (auto& [part, times] : seconds) {
    std::sort(times.begin(), times.end());
    medians[part] = times[times.size() / 2];
  }
  const double slowest = std::max({medians["read"], medians["compute"], medians["write"]});
  char more[300];
  std::snprintf(more, sizeof more,
                ", \"read_seconds\": %.4g, \"compute_seconds\": %.4g, \"write_seconds\": %.4g, \"blocks\": %zu, "
                "\"over_slowest\": %.4g",
                medians["read"], medians["compute"], medians["write"], blocks, medians["whole"] / slowest);
  bench::report(
      "whole job", {medians["whole"], whole_times.processor},
      static_cast<double>(volume.data.numel()) * static_cast<double>(std::get<ProjectionsInfo>(info).geometry.views()),
      more);
}
