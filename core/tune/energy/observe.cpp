// Reads meters at regular times.
#include "core/tune/energy/observe.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace tl::tune {

Result<std::vector<ObservedEnergy>> observe_energy(MetersFound found, double seconds, const CancelToken& cancel,
                                                   const std::function<void(double share)>& progress) {
  using Clock = std::chrono::steady_clock;
  constexpr double period = .05;
  std::vector<ObservedEnergy> all;
  std::vector<double> first, last;  // times of the first and last reading of each meter [s]
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const auto read = [&](std::size_t i) {
    ObservedEnergy& one = all[i];
    if (one.why) return;
    const Result<double> joules = found.meters[i]->joules();
    if (!joules.ok()) {
      one.why = joules.error();
      one.joules.reset();
      return;
    }
    one.joules = joules.value();
    last[i] = elapsed();
  };
  for (std::size_t i = 0; i < found.meters.size(); ++i) {
    all.push_back({found.meters[i]->name(), found.meters[i]->source(), {}, {}, {}});
    last.push_back(0);
    read(i);
    first.push_back(last[i]);
  }
  while (!found.meters.empty() && elapsed() < seconds) {
    if (cancel.cancelled()) return cancelled();
    std::this_thread::sleep_for(std::chrono::duration<double>(std::clamp(seconds - elapsed(), 0.0, period)));
    for (std::size_t i = 0; i < all.size(); ++i) read(i);
    if (progress) progress(std::min(1.0, elapsed() / seconds));
  }
  constexpr double shortest = .5;  // s, in which every counter that works has moved
  for (ObservedEnergy& one : all)
    if (one.joules && *one.joules == 0 && elapsed() > shortest) {
      one.joules.reset();
      one.why = unavailable("the energy counter does not move", one.name, "");
    }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].joules && last[i] > first[i]) all[i].watts = *all[i].joules / (last[i] - first[i]);
  for (UnreadableMeter& one : found.unreadable) all.push_back({std::move(one.name), "", {}, {}, std::move(one.why)});
  return all;
}

}  // namespace tl::tune
