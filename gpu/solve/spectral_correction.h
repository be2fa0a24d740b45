// Beam-hardening correction without knowledge of spectrum or materials: iterative segmentation and projection, and a
// joint descent of thresholds, attenuations and spectrum.
#pragma once

#include <functional>
#include <string>

#include "gpu/operator/linear_operator.h"
#include "gpu/solve/spectral_fit.h"

namespace tl::solve {

// isp: iterative segmentation and projection (G. Van Gompel et al., Med. Phys. 38, S36 (2011)): thresholds are the best
// among levels of the histogram, apart from the fit of the model. joint: thresholds, attenuations and weights descend
// together, through masks with soft edges (R. Schoonhoven, On the optimization of imaging pipelines, Leiden (2024),
// eqs. 3.10 and 3.11). Both fit by Levenberg and Marquardt's method, and correct by y + (y_mono - y_poly).
enum class SpectralMethod { isp, joint };

struct SpectralStep {
  int64_t step = 0, evaluations = 0;  // from 1; evaluations of the loss so far
  double loss = 0;                    // mean square of the model minus the measured absorption, masks of whole voxels
  std::vector<double> thresholds;
};

struct SpectralSpec {
  SpectralMethod method = SpectralMethod::joint;
  int64_t classes = 3, bins = 3;  // classes with air
  int64_t steps = 8;              // at most: of segmentation, fit, and reconstruction of what was corrected
  int64_t levels = 64;            // of isp: among which thresholds are chosen
  double settled = 1e-4;          // ends once a step lowers the loss by no more than this share
  CancelToken cancel{};
  std::function<void(const SpectralStep&)> report{};
  std::function<void(int64_t evaluation, double loss)> evaluated{};
};

struct SpectralTask {
  at::Tensor measured;  // absorption [view, row, col], float32 or float64, CPU; values that are not finite are left out
  OperatorPtr project;  // volume to views
  std::function<at::Tensor(const at::Tensor& views)> reconstruct;  // views to volume, for the segmentation
  // Of volumes of one slice where slices are independent: the projector of a stack of n of them, [n, y, x] to
  // [view, n, col], its rows from the last slice down. It computes some slices in little more time than one. Else
  // empty.
  std::function<OperatorPtr(int64_t n)> project_stack{};
};

struct SpectralCorrection {
  at::Tensor corrected;  // as measured, of a monochromatic beam
  at::Tensor labels;     // int32 [z, y, x]: 0 air, then the materials in rising order of attenuation
  SpectralModel model;
  std::vector<double> reference;  // attenuation [1/mm] of each material in the corrected views
  std::vector<double> thresholds;
  double loss = 0;
  int64_t evaluations = 0;
  bool converged = false;
  // Why the views are handed back as they are (no object, a single class); empty if they are not. The model is empty.
  std::string handed_back;
};

SpectralCorrection correct_spectral(const SpectralTask& task, const SpectralSpec& spec);

// What the model predicts for views of given lengths [material, ray]: the attenuation of each material that a
// monochromatic beam needs for the same absorption in the least-squares sense, B mu = V with B_ij = <L_i, L_j> and V_i
// = <y_poly, L_i>.
std::vector<double> reference_attenuations(const at::Tensor& lengths, const at::Tensor& polychromatic);

// measured + (monochromatic - polychromatic), [ray]; both of the same lengths [material, ray].
struct CorrectedRays {
  at::Tensor absorption;
  std::vector<double> reference;
};
CorrectedRays correct_rays(const at::Tensor& measured, const at::Tensor& lengths, const SpectralModel& model,
                           const CancelToken& cancel = {});

}  // namespace tl::solve
