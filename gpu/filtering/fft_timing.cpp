// Times transforms by turns.
#include "gpu/filtering/fft_timing.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>

#include "gpu/device/gpu_memory.h"

namespace tl::ops {

Result<std::vector<double>> fft_seconds(const std::vector<int64_t>& lengths, const FftTimings& settings) {
  using Clock = std::chrono::steady_clock;
  constexpr int64_t most_samples = int64_t{1} << 28;
  constexpr std::size_t fewest_rounds = 5, most_rounds = 2000;
  if (lengths.empty()) return std::vector<double>{};
  const int64_t longest = *std::max_element(lengths.begin(), lengths.end());
  if (settings.lines < 1 || longest < 1 || settings.lines > most_samples / longest)
    return invalid("the lines have more than " + std::to_string(most_samples) + " samples together, or none",
                   std::to_string(settings.lines) + " lines of " + std::to_string(longest), "Give fewer lines");
  const c10::NoGradGuard no_grad;
  const at::Device device(settings.device);
  // A line with as many samples as the longest; shorter ones begin with it.
  const at::Tensor samples = at::cos(at::arange(settings.lines * longest, at::TensorOptions(device).dtype(at::kFloat)));
  const auto once = [&](int64_t length) {
    const at::Tensor lines = samples.narrow(0, 0, settings.lines * length).view({settings.lines, length});
    const auto start = Clock::now();
    const at::Tensor back = at::fft_irfft(at::fft_rfft(lines), length);
    wait_for_device(device);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::vector<std::vector<double>> times(lengths.size());
  for (const int64_t length : lengths) once(length);  // makes the plans
  const auto start = Clock::now();
  const auto is_over = [&](std::size_t rounds) {
    return rounds >= most_rounds ||
           (rounds >= fewest_rounds && std::chrono::duration<double>(Clock::now() - start).count() > settings.seconds);
  };
  for (std::size_t round = 0; !is_over(round); ++round)
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (settings.cancel.cancelled()) return cancelled();
      times[i].push_back(once(lengths[i]));
    }
  std::vector<double> medians;
  for (std::vector<double>& all : times) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    medians.push_back(*middle);
  }
  return medians;
}

}  // namespace tl::ops
