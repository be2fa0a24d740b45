// tomoloom first-light: simulates a noisy scan, writes, reads and reconstructs it, and compares it with the truth.
#include <cstdio>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "core/node/registry.h"
#include "core/run/automatic/batch.h"
#include "core/run/automatic/first_light.h"

namespace tl::cli {
namespace {

struct FirstLightArguments {
  std::string folder;
  RunFlags flags;
};

Result<void> run(const FirstLightArguments& o, const Cli& cli) {
  const auto sink = make_run_sink(cli);
  TL_TRY(RunOptions options, make_run_options(cli, o.flags, *sink));
  options.output_dir = o.folder;
  TL_TRY(const FirstLight light, first_light(Registry::all(), options));
  sink->end();
  if (cli.output_mode != OutputMode::text) return ok();
  std::printf("scan     %s\nvolume   %s\npicture  %s\n", light.scan.c_str(), light.volume.c_str(),
              light.picture.c_str());
  for (const std::string& line : found_values(light.report)) say(stdout, line);
  std::printf("true axis = %g px\n", light.true_axis);
  std::printf("rms difference from the truth: %.4g 1/mm, %.2g %% of the largest value\n", light.rms_error,
              100 * light.rms_error / light.largest);
  return ok();
}

}  // namespace

void add_first_light(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("first-light", "Simulate a noisy scan, reconstruct it, compare it with the truth");
  const auto o = std::make_shared<FirstLightArguments>();
  cli.files.writes_into(sub->add_option("-o,--output", o->folder, "Folder for scan, volume and image"))->required();
  add_run_flags(*sub, cli, o->flags);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
