// Compares the forecast of a whole run, made after the images of a studio, with the time that the run takes,
// alternately in one process: pipelines at a size, again with an empty cache, and with eight times as many voxels. One
// JSON line per run: seconds of the forecast and of the run, and their ratio. Outputs that have not run yet are in
// neither.
#include <filesystem>

#include "core/live/forecast.h"
#include "core/live/pictures.h"
#include "tests/bench/bench.h"

namespace {

using namespace tl;
namespace fs = std::filesystem;

struct Case {
  std::string name, last;  // the node that makes the volume
  Graph graph;
};

// `n` columns, rows and views.
Case simulated(const std::string& name, const std::vector<std::string>& types, int64_t n) {
  Case made{name, {}, {}};
  Graph& g = made.graph;
  g.nodes["scan"] = {"input.simulate_scan",
                     1,
                     {{"phantom", std::string("geode")},
                      {"views", n},
                      {"rows", n},
                      {"cols", n},
                      {"photons", Number{5e4, Unit::none}}}};
  g.nodes["save"] = {
      "output.save_volume", 1, {{"file", std::string("volume.tif")}, {"format", std::string("imagej_tiff")}}};
  std::string last = "scan";
  for (const std::string& type : types) {
    const std::string id = type.substr(type.find('.') + 1);
    g.nodes[id].type = type;
    g.links.push_back({last, "projections", id, "projections"});
    last = id;
  }
  g.links.push_back({last, "volume", "save", "volume"});
  made.last = last;
  return made;
}

std::vector<Case> cases(int64_t n) {
  std::vector<Case> all = {simulated("fbp", {"correct.flat_field", "axis.wedge", "recon.fbp"}, n),
                           simulated("rings and fbp", {"correct.flat_field", "correct.stripe_removal", "recon.fbp"}, n),
                           simulated("sirt", {"correct.flat_field", "recon.sirt"}, n)};
  all.back().graph.nodes["sirt"].params["iterations"] = int64_t{3};
  return all;
}

class Comparison {
 public:
  explicit Comparison(const fs::path& folder) : executor_(Registry::all(), options(folder)) {}

  static constexpr int64_t binning = 4;  // of coarse images
  // The panes of the studio: three planes, coarse and sharp.
  void show(const Case& c) {
    const Infos infos = executor_.infos(c.graph, c.last).or_throw();
    const VolumeGrid all = std::get<VolumeInfo>(infos.at("volume")).grid;
    const auto middle = [](int64_t length) { return Range{length / 2, length / 2 + 1}; };
    const Range z{0, all.nz}, y{0, all.ny}, x{0, all.nx};
    for (const VolumeGrid& plane :
         {all.sub(middle(all.nz), y, x), all.sub(z, middle(all.ny), x), all.sub(z, y, middle(all.nx))})
      for (const VolumeGrid& picture : {std::get<VolumeGrid>(live::coarser(plane, binning).value()), plane}) {
        (void)executor_.pull_first_look(c.graph, c.last, "volume", picture, {int64_t{32} << 20, 12}).or_throw();
        rates_.learn(executor_, Registry::all(), c.graph);
      }
  }

  void run(const Case& c, const char* when) {
    const auto looks = executor_.look(c.graph);
    const live::Forecast forecast = live::make_forecast(executor_, Registry::all(), c.graph, looks, rates_);
    RunReport report;
    const double took = bench::time_of([&] { report = executor_.run(c.graph).or_throw(); }).wall;
    const double real = forecast.unmeasured.empty() ? took : took - report.nodes["save"].seconds;
    std::printf("{\"case\": \"%s, %s\", \"forecast_s\": %.4g, \"real_s\": %.4g, \"ratio\": %.3g}\n", c.name.c_str(),
                when, forecast.seconds, real, forecast.seconds / real);
    std::fflush(stdout);
    rates_.learn(executor_, Registry::all(), c.graph);
  }

  void forget() { executor_.free_cache(); }

 private:
  static RunOptions options(const fs::path& folder) {
    RunOptions o;
    o.memory = int64_t{2} << 30;
    o.output_dir = folder;
    o.overwrite = io::Overwrite::replace;
    return o;
  }
  Executor executor_;
  live::Rates rates_;
};

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  const int64_t n = arguments.number("n", 96);
  const fs::path folder = arguments.text("folder", ".");
  arguments.finish();
  const std::vector<Case> small = cases(n), large = cases(2 * n);
  for (std::size_t i = 0; i < small.size(); ++i) {
    Comparison compared(folder);
    compared.show(small[i]);
    compared.run(small[i], "after pictures");
    compared.forget();
    compared.run(small[i], "with an empty cache");
    compared.forget();
    compared.run(large[i], "eight times as large");
  }
  return 0;
}
