// Fourier shell correlation: how well two volumes agree at each spatial frequency.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <optional>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// One shell of Fourier space about frequency 0, as thick as a sample along the longest edge.
struct FourierShell {
  double frequency = 0;    // middle of the shell [1/mm]
  double correlation = 0;  // Re sum F1 conj(F2) / sqrt(sum |F1|^2 sum |F2|^2); 0 where either sum is 0
  int64_t numbers = 0;     // number of samples in the shell; half of them are independent, since the volumes are real
};

// From frequency 0 to the Nyquist frequency of the axis with the longest voxel edge (G. Harauz, M. van Heel, Optik 73,
// 146 (1986)). Volumes [z, y, x] of one shape on the CPU, float32 or float64; `edges` of the voxels along z, y, x [mm].
// Their mean value contributes only to shell 0. No mask is applied: edges of a box and of a field of view correlate,
// too. Equal bits for any number of threads. Memory: the transforms of both volumes, and one copy. Errors: invalid
// (shapes, edges, a volume with values that are not finite).
Result<std::vector<FourierShell>> shell_correlation(const at::Tensor& first, const at::Tensor& second,
                                                    const std::array<double, 3>& edges, const CancelToken& cancel = {});

// The correlation at which a shell has half a bit of information per cell, from the number of its independent cells n:
// (0.2071 + 1.9102 / sqrt n) / (1.2071 + 0.9102 / sqrt n) (M. van Heel, M. Schatz, J. Struct. Biol. 151, 250 (2005)).
double half_bit(int64_t numbers);
// 0.143, at which a map from both halves of the data agrees with a perfect one by half (P. B. Rosenthal, R. Henderson,
// J. Mol. Biol. 333, 721 (2003)).
inline constexpr double gold_standard = 0.143;

// The first frequency at which the correlation falls below a threshold, interpolated between shells; nothing if it
// never does. Shell 0 is ignored. `threshold` returns the threshold of a shell.
template <class Threshold>
std::optional<double> crossing(const std::vector<FourierShell>& shells, const Threshold& threshold) {
  double before = 0, at = 0;
  for (std::size_t i = 1; i < shells.size(); ++i) {
    const double above = shells[i].correlation - threshold(shells[i]);
    if (!(above >= 0)) {
      if (i == 1) return shells[1].frequency;
      return at + (shells[i].frequency - at) * before / (before - above);
    }
    before = above;
    at = shells[i].frequency;
  }
  return std::nullopt;
}

}  // namespace tl::ops
