// Products of small primes, and a table of radices.
#include "core/tune/fft/fft_lengths.h"

#include <cmath>

namespace tl::tune {
namespace {

constexpr std::array<int, 4> primes = {2, 3, 5, 7}, most_powers = {11, 7, 4, 3};
constexpr int64_t longest_in_one = 5103;

}  // namespace

std::string FftLength::factors() const {
  std::string text;
  for (std::size_t i = 0; i < primes.size(); ++i) {
    if (powers[i] == 0) continue;
    text += (text.empty() ? "" : " ") + std::to_string(primes[i]);
    if (powers[i] > 1) text += "^" + std::to_string(powers[i]);
  }
  return text;
}

int predicted_launches(const std::array<int, 4>& powers) {
  int64_t length = 1;
  int launches = 0;
  for (std::size_t i = 0; i < primes.size(); ++i) {
    for (int k = 0; k < powers[i]; ++k) length *= primes[i];
    launches += (powers[i] + most_powers[i] - 1) / most_powers[i];
  }
  return length <= longest_in_one ? 1 : launches;
}

Result<std::vector<FftLength>> fft_lengths(int64_t n, double increase) {
  if (n < 2 || n > longest_fft)
    return invalid("the length is not between 2 and " + std::to_string(longest_fft), std::to_string(n),
                   "Give the number of samples of a line");
  if (!(increase >= 0 && increase <= 1))
    return invalid("the increase is not between 0 and 100 %", std::to_string(increase), "Give 0.1 for 10 %");
  const auto last = static_cast<int64_t>(std::floor(static_cast<double>(n) * (1 + increase)));
  std::vector<FftLength> found;
  for (int64_t length = n + n % 2; length <= last || found.empty(); length += 2) {
    FftLength one{length, {}, 0};
    int64_t rest = length;
    for (std::size_t i = 0; i < primes.size(); ++i)
      for (; rest % primes[i] == 0; rest /= primes[i]) ++one.powers[i];
    if (rest != 1) continue;
    one.launches = predicted_launches(one.powers);
    found.push_back(one);
  }
  return found;
}

}  // namespace tl::tune
