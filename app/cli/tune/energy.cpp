// tomoloom tune ridge, tune front: the clock above which a GPU wastes power, and the clocks worth choosing.
#include <nlohmann/json.hpp>

#include "app/cli/tune/tune.h"
#include "core/base/measured.h"
#include "core/base/text.h"
#include "core/tune/energy/ridge.h"
#include "core/tune/formats/space_file.h"

namespace tl::cli {
namespace {

Result<std::vector<tune::ClockPoint>> points_of_file(const std::string& file) {
  TL_TRY(const tune::SpaceFile space, tune::read_space(file));
  return tune::clock_points(space.space);
}

Result<void> print_ridge(const std::string& file, const Cli& cli) {
  TL_TRY(const std::vector<tune::ClockPoint> points, points_of_file(file));
  TL_TRY(const tune::Ridge ridge, tune::find_ridge(points));
  const tune::PowerModel& m = ridge.model;
  if (cli.output_mode == OutputMode::json) {
    print_json({{"event", "done"},
                {"ridge_mhz", m.ridge_mhz},
                {"uncertainty", ridge.uncertainty_mhz},
                {"base_watts", m.base_watts},
                {"watts_per_mhz", m.watts_per_mhz},
                {"slope_per_mhz", m.slope_per_mhz},
                {"most_watts", m.most_watts},
                {"lowest_mhz", m.lowest_mhz},
                {"rms_watts", ridge.rms_watts},
                {"points", points.size()}});
  } else if (cli.output_mode == OutputMode::text) {
    say(stdout, "ridge " + measured_text(m.ridge_mhz, ridge.uncertainty_mhz) + " MHz; clocks within 10 % of it: " +
                    formatted("%.0f to %.0f MHz", 0.9 * m.ridge_mhz, 1.1 * m.ridge_mhz));
    say(stdout,
        formatted("model: min(%.4g W, %.4g W + %.4g W/MHz (f - %.0f MHz) V^2), V = 1 + %.4g/MHz (f - ridge) above the "
                  "ridge; rms %.2g W of %zu points",
                  m.most_watts, m.base_watts, m.watts_per_mhz, m.lowest_mhz, m.slope_per_mhz, ridge.rms_watts,
                  points.size()));
  }
  return ok();
}

Result<void> print_front(const std::string& file, const Cli& cli) {
  TL_TRY(const std::vector<tune::ClockPoint> points, points_of_file(file));
  const std::vector<tune::ClockPoint> front = tune::time_energy_front(points);
  if (cli.output_mode == OutputMode::json) {
    for (const tune::ClockPoint& p : front)
      print_json({{"event", "front"},
                  {"mhz", p.setting},
                  {"measured_mhz", p.mhz},
                  {"ms", p.ms},
                  {"watts", p.watts},
                  {"joules", p.millijoules() / 1000}});
  } else if (cli.output_mode == OutputMode::text) {
    say(stdout, formatted("%8s %12s %10s %12s", "MHz", "time [ms]", "power [W]", "energy [J]"));
    for (const tune::ClockPoint& p : front)
      say(stdout, formatted("%8.0f %12.3f %10.2f %12.4f", p.setting, p.ms, p.watts, p.millijoules() / 1000));
    say(stdout, std::to_string(front.size()) + " of " + std::to_string(points.size()) +
                    " clocks: no other is both faster and uses less energy");
  }
  return ok();
}

void add_energy(CLI::App& tune, Cli& cli, const char* name, const char* description,
                Result<void> (*work)(const std::string& file, const Cli& cli)) {
  CLI::App* sub = tune.add_subcommand(name, description);
  const auto file = std::make_shared<std::string>();
  cli.files.reads(sub->add_option("SPACE", *file, "A space whose configurations have clocks and powers"))->required();
  add_output_flags(*sub, cli);
  sub->callback([file, work, &cli] { cli.command = [file, work](Cli& c) { return work(*file, c); }; });
}

}  // namespace

void add_tune_ridge(CLI::App& tune, Cli& cli) {
  add_energy(tune, cli, "ridge", "The clock above which power grows faster than speed, with its uncertainty",
             print_ridge);
}

void add_tune_front(CLI::App& tune, Cli& cli) {
  add_energy(tune, cli, "front", "The clocks worth choosing: no other is both faster and thriftier", print_front);
}

}  // namespace tl::cli
