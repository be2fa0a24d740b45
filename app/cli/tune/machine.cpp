// tomoloom tune observe, tune fft: measurements of this machine: energy of its devices, Fourier transforms by length.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/tune/tune.h"
#include "core/base/text.h"
#include "core/tune/energy/observe.h"
#include "core/tune/fft/fft_lengths.h"
#include "gpu/device/device.h"
#include "gpu/filtering/fft_timing.h"

namespace tl::cli {
namespace {

struct FftArguments {
  int64_t length = 0, lines = 64;
  double increase = 10, seconds = 2;
  std::string device = "auto";
};

void print_energy(const Cli& cli, const tune::ObservedEnergy& one) {
  if (cli.output_mode == OutputMode::quiet) return;
  if (cli.output_mode == OutputMode::json) {
    Json line = {{"event", "energy"}, {"device", one.name}, {"joules", nullptr}, {"watts", nullptr}};
    if (one.joules) line["joules"] = *one.joules;
    if (one.watts) line["watts"] = *one.watts;
    if (!one.source.empty()) line["source"] = one.source;
    if (one.why) line["why"] = one.why->message();
    print_json(line);
    return;
  }
  if (one.joules) {
    say(stdout, one.name + ": " + formatted("%.4g J", *one.joules) +
                    (one.watts ? formatted(", %.4g W on average", *one.watts) : "") + " (" + one.source + ")");
  } else {
    say(stdout, one.name + ": not available: " + (one.why ? one.why->message() : ""));
  }
}

Result<void> run_observe(double seconds, const Cli& cli) {
  const auto sink = make_run_sink(cli);
  constexpr int64_t steps = 1000;
  TL_TRY(const std::vector<tune::ObservedEnergy> all,
         tune::observe_energy(tune::energy_meters(), seconds, cli.cancel, [&](double share) {
           if (cli.output_mode == OutputMode::text)
             sink->run_progress(static_cast<int64_t>(share * static_cast<double>(steps)), steps);
         }));
  sink->end();
  for (const tune::ObservedEnergy& one : all) print_energy(cli, one);
  if (std::none_of(all.begin(), all.end(), [](const tune::ObservedEnergy& one) { return one.joules.has_value(); }))
    return unavailable("the energy of no device of this machine is available", "", "The lines above say why");
  return ok();
}

Result<void> run_fft(const FftArguments& o, const Cli& cli) {
  TL_TRY(const std::vector<tune::FftLength> lengths, tune::fft_lengths(o.length, o.increase / 100));
  TL_TRY(const std::string device, choose_device(o.device));
  std::vector<int64_t> numbers;
  for (const tune::FftLength& one : lengths) numbers.push_back(one.length);
  TL_TRY(const std::vector<double> seconds, ops::fft_seconds(numbers, {o.lines, device, o.seconds, cli.cancel}));
  const double shortest = *std::min_element(seconds.begin(), seconds.end());
  if (cli.output_mode == OutputMode::text)
    say(stdout, formatted("%9s  %-16s %9s %12s %9s", "length", "factors", "launches", "time [ms]", "of best"));
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const tune::FftLength& one = lengths[i];
    if (cli.output_mode == OutputMode::json) {
      print_json({{"event", "length"},
                  {"length", one.length},
                  {"factors", one.factors()},
                  {"launches", one.launches},
                  {"seconds", seconds[i]},
                  {"is_best", seconds[i] == shortest}});
    } else if (cli.output_mode == OutputMode::text) {
      say(stdout, formatted("%9lld  %-16s %9d %12.4f %9.3f", static_cast<long long>(one.length), one.factors().c_str(),
                            one.launches, 1000 * seconds[i], seconds[i] / shortest));
    }
  }
  if (cli.output_mode != OutputMode::text) return ok();
  const auto best = static_cast<std::size_t>(std::min_element(seconds.begin(), seconds.end()) - seconds.begin());
  say(stdout, "fastest on " + device + ": " + std::to_string(lengths[best].length) +
                  formatted("; the shortest one takes %.3f times as long", seconds.front() / shortest));
  return ok();
}

}  // namespace

void add_tune_observe(CLI::App& tune, Cli& cli) {
  CLI::App* sub = tune.add_subcommand("observe", "Measure the energy that the devices of this machine use");
  const auto seconds = std::make_shared<double>(1);
  sub->add_option("--seconds", *seconds, "For how long")->check(CLI::Range(.1, 1e6))->capture_default_str();
  add_output_flags(*sub, cli);
  sub->callback([seconds, &cli] { cli.command = [seconds](Cli& c) { return run_observe(*seconds, c); }; });
}

void add_tune_fft(CLI::App& tune, Cli& cli) {
  CLI::App* sub = tune.add_subcommand("fft", "Measure Fourier transforms of a length and of somewhat longer ones");
  const auto o = std::make_shared<FftArguments>();
  sub->add_option("LENGTH", o->length, "Samples of a line")
      ->check(CLI::Range(int64_t{2}, tune::longest_fft))
      ->required();
  sub->add_option("--batch", o->lines, "Lines that are transformed at once")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 27))
      ->capture_default_str();
  sub->add_option("--increase", o->increase, "By how much longer lines are tried, in per cent")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  sub->add_option("--seconds", o->seconds, "For how long it measures, about")
      ->check(CLI::Range(.01, 3600.0))
      ->capture_default_str();
  sub->add_option("--device", o->device, "cpu, cuda:N or auto")->capture_default_str();
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run_fft(*o, c); }; });
}

}  // namespace tl::cli
