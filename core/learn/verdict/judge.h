// Judge: uncertainty and verdict of the results of descents.
//
// The uncertainty is the sandwich sigma^2 = H^-1 (G S G^T) H^-1 (P. Huber, "The behavior of maximum likelihood
// estimates under nonstandard conditions", 1967): H, the curvature, from central differences of the gradient over half
// a natural step to either side, or one and a half if noise matters (not for pairs of views); G, the derivative of the
// gradient with respect to the data, from differences of data gradients at the same points; S, the variance of the
// data, from the data themselves. Second derivatives are never computed through linear interpolation: it has none.
//
// Two effects that this formula leaves out are added: the bias of the optimum by noise, from data to which similar
// noise is added, without its first-order effect; and the possible displacement by data that violate the objective's
// assumptions, if a node on the path reports it (an output "doubt"). A rotation axis is compared with the result of
// opposite views on the same data. All of these widen the uncertainty; if they dominate it, the verdict is no longer
// "resolved".
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "core/learn/descent/descent.h"
#include "core/learn/descent/survey.h"
#include "core/learn/descent/symmetric.h"
#include "core/learn/problem.h"
#include "core/learn/verdict/noise.h"
#include "core/learn/verdict/scatter.h"

namespace tl::learn {

class Judge {
 public:
  static constexpr std::size_t max_exact = 8;     // most unknowns for which derivatives by the data are kept
  static constexpr std::size_t max_judged = 300;  // unknowns for the sandwich
  // `keep_going`: as in DescentTask; its error ends the judging.
  Judge(Problem& problem, std::function<Result<bool>()> keep_going)
      : problem_(problem), keep_going_(std::move(keep_going)) {}
  Result<Learned> judge(const std::vector<Descent>& descents, std::size_t best, const SurveyFinding& survey,
                        const Scatter& scatter);

 private:
  struct Spread {
    bool known = false;
    double step = 0;  // distance on either side at which it was computed [natural steps]
    Matrix curvature, meat, covariance;
    EigenSystem axes;                // of the curvature
    std::vector<bool> determined;    // per axis
    Vector noise_curvature;          // curvature of noise alone, per unknown
    Vector slope;                    // per unknown, between both sides; many unknowns: mean of both sides' slopes
    double loss = 0;                 // next to the minimum
    Vector noise_slope, noise_bias;  // bias by noise, of the slope and of the value, per unknown; empty = not computed
    Vector assumption_bias;          // bias by violated assumptions [natural steps]; empty = no node reports it
    Vector confirmed_to;             // largest error compatible with another method; infinite = no method agrees
    std::vector<Vector> object_motions;  // directions that only move the whole object, orthonormal
    std::vector<bool> of_list;           // per unknown
    Vector method_difference;            // difference from other methods [natural steps]; empty = no comparison
    std::vector<std::string> objection;  // why data are insufficient, per unknown; empty = sufficient or not checked
    Matrix model;                        // covariance by disagreement of bands of the data; size 0 = not computed
    std::optional<double> predicted;     // predicted share of the measured contrast; empty = explained by noise
    Vector unexplained;    // displacement by errors beyond noise [natural steps]; empty = noise explains all errors
    Vector finite_pixels;  // displacement by smoothing and finite pixels [natural steps]; empty = not reported
    double excess = 0;     // excess of the loss over the loss due to noise, relative to the latter
    Scatter scatter;
    // The squared component [0, 1] of an unknown's direction in undetermined directions; for elements of lists,
    // directions that only move the whole object do not count.
    [[nodiscard]] double lost(std::size_t unknown) const;
    // Whether that component is so small that the sigma is valid.
    [[nodiscard]] bool determines(std::size_t unknown) const;
    // Displacement by violated assumptions [natural steps], at most the largest error compatible with another method
    // with different assumptions.
    [[nodiscard]] double displacement_of(std::size_t unknown) const {
      if (assumption_bias.empty()) return 0;
      return confirmed_to.empty() ? assumption_bias[unknown]
                                  : std::min(assumption_bias[unknown], confirmed_to[unknown]);
    }
  };
  struct Sides {
    Vector up, down;
    Evaluation more, less;
  };
  Result<Spread> spread(const Vector& z, const Noise& noise);
  Result<Spread> spread_over(double step, const Vector& z, const Noise& noise);
  Result<Sides> both_sides(const Vector& z, std::size_t unknown, EvaluationKind kind, Spread& out);
  Result<double> noise_slope_of(const Vector& up, const Vector& down, const Noise& noise,
                                const std::vector<at::Tensor>& column);
  Result<void> wrong_assumptions(const Vector& z, const Noise& noise, Spread& out);
  Result<void> model_errors(const Point& best, Spread& out);
  // Estimates the displacement from the optimum of a loss of smoother data, if the objective provides one.
  Result<void> finite_pixels(const Vector& z, Spread& out);
  // Limits of an objective that uses only views: it cannot determine scale, or anything if the object extends beyond
  // the rows.
  Result<void> limits_of_pairs_of_views(Spread& out);
  Result<void> motions_of_the_object(const Vector& z, Spread& out);
  // The slope along an unknown for each band of the data: indexed by direction of the bands, then band. Empty: not
  // reported.
  Result<std::optional<std::vector<Vector>>> slopes_by_band(const Vector& z, std::size_t unknown, double step);
  Result<void> other_methods(const Vector& z, Spread& out);
  Result<void> exact_columns(const Vector& z, const Noise& noise, Spread& out);
  Result<void> sampled_columns(const Vector& z, const Noise& noise, Spread& out);
  Result<void> curvature_of_noise(const Vector& z, const Noise& noise, Spread& out);
  void invert(Spread& out) const;
  void settle(const Spread& spread, Vector& z) const;
  [[nodiscard]] static bool clearly_determined(const Spread& spread);
  [[nodiscard]] static double sigma(const Spread& spread, std::size_t unknown);
  // Why the model does not describe the data well enough for this value; empty if it does.
  [[nodiscard]] std::string doubt_in_model(std::size_t unknown, const Vector& z, const Spread& spread) const;
  // The reasons for every axis of the curvature; disagreement between parts of the views is in the covariance.
  [[nodiscard]] std::vector<std::string> doubts_by_axis(const Spread& spread) const;
  [[nodiscard]] Trust verdict(std::size_t unknown, const Descent& best, const Spread& spread, std::string& why) const;
  // Why another method contradicts a value that the objective determines; empty if none does.
  [[nodiscard]] std::string contradiction(std::size_t unknown, const Descent& best, const Spread& spread) const;
  [[nodiscard]] Trust verdict_of_draws(const ParameterBlock& block, const Descent& best, const Spread& spread,
                                       std::string& why) const;
  [[nodiscard]] bool at_bound(std::size_t unknown, double z) const;
  // Other values that are about as good as the best one.
  struct Rivals {
    std::string text;  // describes one of them; empty if there are none
    Vector spread;     // rms distance of all values, the best included, from the best one [natural steps], per unknown
  };
  [[nodiscard]] Rivals rivals_of(const std::vector<Descent>& descents, std::size_t best, const SurveyFinding& survey,
                                 const Spread& spread) const;

  Problem& problem_;
  std::function<Result<bool>()> keep_going_;
};

}  // namespace tl::learn
