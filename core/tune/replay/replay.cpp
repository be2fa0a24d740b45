// Runs optimisers on a landscape and sums up what they found.
#include "core/tune/replay/replay.h"

#include "core/tune/statistics.h"

namespace tl::tune {

RunResult replay_once(const Landscape& landscape, const Optimiser& optimiser, Replay replay, int64_t budget,
                      uint64_t seed, int64_t number, const CancelToken& cancel) {
  // Its own stream for each optimiser, budget and run.
  uint64_t stream = 1469598103934665603U;  // FNV-1a
  const auto mix = [&](uint64_t part) { stream = (stream ^ part) * 1099511628211U; };
  for (const char c : optimiser.name) mix(static_cast<unsigned char>(c));
  mix(static_cast<uint64_t>(budget));
  mix(static_cast<uint64_t>(number));
  Run run(landscape, replay, budget, Random(seed, stream), cancel);
  try {
    optimiser.search(run);
  } catch (const RunEnded&) {
  }
  RunResult result;
  result.evaluations = run.evaluations();
  if (!run.winner()) return result;
  const double score = landscape.score(*run.winner());
  result.fraction = landscape.best() / score;
  result.found_optimum = score <= landscape.best();
  return result;
}

Result<std::vector<CurvePoint>> replay(const Landscape& landscape, const std::string& space,
                                       const ReplaySettings& settings, const CancelToken& cancel,
                                       const std::function<void(int64_t done, int64_t all)>& progress) {
  if (settings.replay == Replay::noisy && !landscape.has_timings())
    return invalid("the space has no single timings that could be drawn", space, "Replay it without noise");
  if (!(landscape.best() > 0))
    return invalid("fractions of the optimum need scores above 0", space, "Give a space of times or energies");
  std::vector<CurvePoint> points;
  const auto all = static_cast<int64_t>(settings.optimisers.size() * settings.budgets.size());
  for (const Optimiser* optimiser : settings.optimisers)
    for (const int64_t budget : settings.budgets) {
      std::vector<double> fractions;
      double found = 0, evaluations = 0;
      for (int64_t number = 0; number < settings.runs; ++number) {
        if (cancel.cancelled()) return cancelled();
        const RunResult one =
            replay_once(landscape, *optimiser, settings.replay, budget, settings.seed, number, cancel);
        fractions.push_back(one.fraction);
        found += one.found_optimum ? 1 : 0;
        evaluations += static_cast<double>(one.evaluations);
      }
      const auto runs = static_cast<double>(settings.runs);
      const Sample s = sample_of(fractions);
      points.push_back(
          {space, std::string(optimiser->name), budget, settings.runs, s.mean, s.sd, found / runs, evaluations / runs});
      if (progress) progress(static_cast<int64_t>(points.size()), all);
    }
  return points;
}

}  // namespace tl::tune
