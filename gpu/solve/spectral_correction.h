// Beam-hardening correction without knowledge of spectrum or materials: iterative segmentation and projection, and a
// joint descent of thresholds, attenuations and spectrum.
#pragma once

#include <functional>
#include <string>

#include "gpu/operator/linear_operator.h"
#include "gpu/solve/spectral_fit.h"

namespace tl::solve {

// isp: iterative segmentation and projection (G. Van Gompel et al., Med. Phys. 38, S36 (2011)): thresholds are the best
// among levels of the histogram, separately from the fit of the model. joint: thresholds, attenuations and weights are
// optimised together, through masks with soft edges (R. Schoonhoven, On the optimization of imaging pipelines, Leiden
// (2024), eqs. 3.10 and 3.11). Both fit by the Levenberg-Marquardt method, and correct by y + (y_mono - y_poly).
enum class SpectralMethod { isp, joint };

struct SpectralStep {
  int64_t step = 0, evaluations = 0;  // step, from 1; number of loss evaluations so far
  double loss = 0;                    // mean square of model minus measured absorption, with masks of whole voxels
  std::vector<double> thresholds;
};

struct SpectralSpec {
  SpectralMethod method = SpectralMethod::joint;
  int64_t classes = 3, bins = 3;  // classes with air
  int64_t steps = 8;              // upper limit; a step is segmentation, fit, and reconstruction of corrected views
  int64_t levels = 64;            // for isp: number of levels from which thresholds are chosen
  double settled = 1e-4;          // ends if a step lowers the loss by no more than this fraction
  CancelToken cancel{};
  std::function<void(const SpectralStep&)> report{};
  std::function<void(int64_t evaluation, double loss)> evaluated{};
};

struct SpectralTask {
  at::Tensor measured;  // absorption [view, row, col], float32 or float64, CPU; non-finite values are ignored
  OperatorPtr project;  // volume to views
  std::function<at::Tensor(const at::Tensor& views)> reconstruct;  // views to volume, for the segmentation
  // For volumes of one slice, if slices are independent: the projector of a stack of n slices, [n, y, x] to [view,
  // n, col], with rows from the last slice down. It projects several slices in little more time than one. Else
  // empty.
  std::function<OperatorPtr(int64_t n)> project_stack{};
};

struct SpectralCorrection {
  at::Tensor corrected;  // like `measured`, but for a monochromatic beam
  at::Tensor labels;     // int32 [z, y, x]: 0 air, then the materials in ascending order of attenuation
  SpectralModel model;
  std::vector<double> reference;  // attenuation [1/mm] of each material in the corrected views
  std::vector<double> thresholds;
  double loss = 0;
  int64_t evaluations = 0;
  bool converged = false;
  // Why the views are returned unchanged (no object, a single class); empty if they are not. The model is then empty.
  std::string handed_back;
};

SpectralCorrection correct_spectral(const SpectralTask& task, const SpectralSpec& spec);

// For views of given lengths [material, ray], the attenuation of each material with which a monochromatic beam has
// the same absorption as the model in the least-squares sense, B mu = V with B_ij = <L_i, L_j> and V_i = <y_poly,
// L_i>.
std::vector<double> reference_attenuations(const at::Tensor& lengths, const at::Tensor& polychromatic);

// measured + (monochromatic - polychromatic), [ray]; both for the same lengths [material, ray].
struct CorrectedRays {
  at::Tensor absorption;
  std::vector<double> reference;
};
CorrectedRays correct_rays(const at::Tensor& measured, const at::Tensor& lengths, const SpectralModel& model,
                           const CancelToken& cancel = {});

}  // namespace tl::solve
