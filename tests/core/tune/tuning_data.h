// Spaces that tests of tuning share: those in ../shared/data (TL_SHARED_DATA for another place), and generated ones.
#pragma once

#include <QtCore/QtGlobal>
#include <filesystem>
#include <vector>

#include "core/tune/landscape.h"
#include "core/tune/random.h"

namespace tl::test {

inline std::filesystem::path shared_data(const char* file) {
  std::filesystem::path folder = std::filesystem::path(TL_SOURCE_DIR) / "../shared/data";
  if (qEnvironmentVariableIsSet("TL_SHARED_DATA")) folder = qgetenv("TL_SHARED_DATA").toStdString();
  return folder / file;
}
inline std::filesystem::path mi50_space() { return shared_data("convolution_MI50.json"); }
inline std::filesystem::path a4000_space() { return shared_data("synthetic_fp32_RTX_A4000.json"); }

// An adjacent MK function: `bits` bits, each a parameter of two values; the score is the sum of `bits` random tables of
// the k bits from each bit on, around the end. Positive.
inline tune::Landscape mk_landscape(int bits, int k, uint64_t seed) {
  tune::Random random(seed, 0);
  std::vector<std::vector<double>> tables(static_cast<std::size_t>(bits));
  for (auto& table : tables)
    for (int i = 0; i < 1 << k; ++i) table.push_back(random.uniform());
  std::vector<double> scores;
  for (int64_t cell = 0; cell < int64_t{1} << bits; ++cell) {
    double sum = 1;
    for (int b = 0; b < bits; ++b) {
      std::size_t index = 0;
      for (int j = 0; j < k; ++j) index = index * 2 + static_cast<std::size_t>(cell >> ((b + j) % bits) & 1);
      sum += tables[static_cast<std::size_t>(b)][index];
    }
    scores.push_back(sum);
  }
  return {std::vector<int64_t>(static_cast<std::size_t>(bits), 2), std::move(scores)};
}

}  // namespace tl::test
