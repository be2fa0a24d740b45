// Judge: uncertainty and verdict of what descents found.
//
// The uncertainty is the sandwich sigma^2 = H^-1 (G S G^T) H^-1 (P. Huber, "The behavior of maximum likelihood
// estimates under nonstandard conditions", 1967): H, the curvature, from central differences of the gradient over half
// a natural step to either side, one and a half where noise shows; G, the derivative of the gradient to the data, from
// the difference of the data's gradients at the same points; S, the variance of the data, from the data themselves.
// Second derivatives are never taken through linear interpolation: it has none.
//
// In addition to it comes what that formula leaves out: how far noise pulls the optimum to one side, from data to which
// noise like theirs is added, without the first order of what it does; and how far it may be displaced because the data
// are not what the objective assumes, where a node on the path says so (an output "doubt"). A rotation axis is compared
// with what opposite views say of the same data. All widen the uncertainty; where they dominate it, the verdict is no
// longer "resolved".
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
  static constexpr std::size_t max_exact = 8;     // unknowns whose derivatives to the data are kept
  static constexpr std::size_t max_judged = 300;  // unknowns for the sandwich
  // `keep_going`: as in DescentTask; an error ends the judging.
  Judge(Problem& problem, std::function<Result<bool>()> keep_going)
      : problem_(problem), keep_going_(std::move(keep_going)) {}
  Result<Learned> judge(const std::vector<Descent>& descents, std::size_t best, const SurveyFinding& survey,
                        const Scatter& scatter);

 private:
  struct Spread {
    bool known = false;
    double step = 0;  // natural steps to either side that it comes from
    Matrix curvature, meat, covariance;
    EigenSystem axes;                // of the curvature
    std::vector<bool> determined;    // per axis
    Vector noise_curvature;          // curvature that noise alone shows, per unknown
    Vector slope;                    // per unknown, between both sides; of many unknowns the mean of the sides' slopes
    double loss = 0;                 // next to the minimum
    Vector noise_slope, noise_bias;  // by noise, on the slope and on the value, per unknown; empty = not looked at
    Vector assumption_bias;          // by wrong assumptions, natural steps per unknown; empty = no node reports it
    Vector confirmed_to;             // the most that another method leaves open, per unknown; infinite = none agrees
    std::vector<Vector> object_motions;  // directions that only move the whole object, orthonormal
    std::vector<bool> of_list;           // per unknown
    Vector method_difference;            // what other methods differ by, natural steps per unknown; empty = not asked
    std::vector<std::string> objection;  // what the data lack for it, per unknown; empty = nothing, or not asked
    Matrix model;                        // covariance by what bands of the data disagree about; of no size = not asked
    std::optional<double> predicted;     // share of the measured contrast; empty = noise explains it, or not reported
    Vector unexplained;    // what errors beyond noise would displace it by, natural steps; empty = noise explains
    Vector finite_pixels;  // what smoothing and finite pixels may displace it by, natural steps; empty = not reported
    double excess = 0;     // of the loss over what noise explains
    Scatter scatter;
    // The square [0, 1] of an unknown's part in the directions that the objective does not determine; for entries of
    // lists without those that only move the whole object.
    [[nodiscard]] double lost(std::size_t unknown) const;
    // Whether that part is so small that its sigma states how well it is known.
    [[nodiscard]] bool determines(std::size_t unknown) const;
    // By wrong assumptions, natural steps: no more than another method, which assumes something else, leaves open.
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
  // By the optimum of a loss of smoother data, where the objective has one.
  Result<void> finite_pixels(const Vector& z, Spread& out);
  // What an objective of views alone cannot know: scale, anything of an object that leaves the rows.
  Result<void> limits_of_pairs_of_views(Spread& out);
  Result<void> motions_of_the_object(const Vector& z, Spread& out);
  // The slope along an unknown by bands of the data: by direction of the bands, band. Empty: not reported.
  Result<std::optional<std::vector<Vector>>> slopes_by_band(const Vector& z, std::size_t unknown, double step);
  Result<void> other_methods(const Vector& z, Spread& out);
  Result<void> exact_columns(const Vector& z, const Noise& noise, Spread& out);
  Result<void> sampled_columns(const Vector& z, const Noise& noise, Spread& out);
  Result<void> curvature_of_noise(const Vector& z, const Noise& noise, Spread& out);
  void invert(Spread& out) const;
  void settle(const Spread& spread, Vector& z) const;
  [[nodiscard]] static bool clearly_determined(const Spread& spread);
  [[nodiscard]] static double sigma(const Spread& spread, std::size_t unknown);
  // Why the model does not describe the data as well as a value would need; empty if it does.
  [[nodiscard]] std::string doubt_in_model(std::size_t unknown, const Vector& z, const Spread& spread) const;
  // The same of every axis of the curvature; where parts of the views disagree, the covariance says it.
  [[nodiscard]] std::vector<std::string> doubts_by_axis(const Spread& spread) const;
  [[nodiscard]] Trust verdict(std::size_t unknown, const Descent& best, const Spread& spread, std::string& why) const;
  // Why another method contradicts a value that the objective determines; empty where none does.
  [[nodiscard]] std::string contradiction(std::size_t unknown, const Descent& best, const Spread& spread) const;
  [[nodiscard]] Trust verdict_of_draws(const ParameterBlock& block, const Descent& best, const Spread& spread,
                                       std::string& why) const;
  [[nodiscard]] bool at_bound(std::size_t unknown, double z) const;
  // Other values that are about as good.
  struct Rivals {
    std::string text;  // names one; empty if there are none
    Vector spread;  // rms distance of all from the best value, which counts as one of them, natural steps per unknown
  };
  [[nodiscard]] Rivals rivals_of(const std::vector<Descent>& descents, std::size_t best, const SurveyFinding& survey,
                                 const Spread& spread) const;

  Problem& problem_;
  std::function<Result<bool>()> keep_going_;
};

}  // namespace tl::learn
