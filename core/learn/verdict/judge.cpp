// Judges the results of descents: uncertainty by the sandwich formula, the last Newton step, and the verdict on every
// learned value.
#include "core/learn/verdict/judge.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "core/learn/verdict/combinations.h"
#include "core/learn/verdict/object_motion.h"
#include "gpu/operator/reduce.h"

namespace tl::learn {
namespace {

constexpr double half_step = 0.5;     // half distance of the points for difference quotients [natural steps]
constexpr double far_next_to = 1.5;   // the same if noise dominates differences between closer points
constexpr int64_t samples = 64;       // draws of the noise, for many unknowns
constexpr double above_noise = 5;     // significant curvature, relative to that of noise alone
constexpr double min_share = 1e-9;    // relative to the largest curvature: a direction with less is not determined
constexpr double clear_sigma = 0.03;  // [natural steps] a smaller sigma needs no further checks
constexpr double widest = 10;         // largest sigma of a determined value [natural steps]

// a S b^T: contributions of independent noise, and of noise common to all views.
double weighted(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b, const Noise& noise) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].defined() || !b[i].defined() || !noise.variance[i].defined()) continue;
    sum += inner_product((a[i] * noise.variance[i]).contiguous(), b[i].contiguous());
    if (noise.stripes[i] > 0)
      sum += noise.stripes[i] * inner_product(a[i].sum(0).contiguous(), b[i].sum(0).contiguous());
  }
  return sum;
}

// For lists learned with an array, draws of the noise underestimate the uncertainty: directions without data do not
// move.
bool is_plain_list(const ParameterBlock& b) { return b.list && b.shape.empty(); }

// (a - b) / over, computed in the memory of a.
std::vector<at::Tensor> difference(std::vector<at::Tensor> a, const std::vector<at::Tensor>& b, double over) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = a[i].defined() && b[i].defined() ? a[i].sub_(b[i]).div_(over) : at::Tensor();
  return a;
}

}  // namespace

Result<Learned> Judge::judge(const std::vector<Descent>& descents, std::size_t best, const SurveyFinding& survey,
                             const Scatter& scatter) {
  Descent won = descents[best];
  Learned learned;
  learned.objective = problem_.settings().objective;
  learned.loss = won.best.loss;
  learned.reason = won.reason;
  learned.iterations = won.iterations;
  Spread s;
  s.scatter = scatter;
  if (problem_.settings().errors == Errors::sandwich && problem_.size() <= max_judged) {
    TL_TRY(const std::vector<Value>* data, problem_.data());
    const Noise of_data = estimate_noise(*data);
    auto made = spread(won.best.z, of_data);
    // Near a bound the objective may be undefined: the value is then reported without an uncertainty.
    if (!made.ok() && made.error().kind != ErrorKind::invalid) return made.error();
    if (made.ok()) s = std::move(made).value();
    settle(s, won.best.z);
    if (s.known) TL_TRY(wrong_assumptions(won.best.z, of_data, s));
    if (s.known) {
      TL_TRY(other_methods(won.best.z, s));
      TL_TRY(limits_of_pairs_of_views(s));
      TL_TRY(model_errors(won.best, s));
      TL_TRY(finite_pixels(won.best.z, s));
      TL_TRY(motions_of_the_object(won.best.z, s));
    }
  }
  const Rivals other = rivals_of(descents, best, survey, s);
  for (const ParameterBlock& b : problem_.parameter_blocks()) {
    Found f;
    f.node = b.target.node;
    f.name = b.target.name;
    f.unit = b.decl->unit;
    f.shape = b.shape;
    f.derivative = b.derivative;
    for (std::size_t i = 0; i < b.size; ++i) {
      const std::size_t at = b.offset + i;
      const double z = won.best.z[at];
      f.start.push_back(from_stored(b.start[b.list ? i : 0], f.unit));
      f.value.push_back(from_stored(b.value(z, i), f.unit));
      // Values in undetermined directions have no sigma; the elements of a list are judged together.
      if ((s.known && (b.list || s.determines(at))) || (!s.scatter.sigma.empty() && !is_plain_list(b)))
        f.uncertainty.push_back(from_stored(sigma(s, at) * std::abs(b.slope(z, i)), f.unit));
      // If its elements have no sigmas from the curvature, an array is judged as a whole.
      if (i > 0 && !b.shape.empty() && !s.known) continue;
      std::string why;
      const Trust trust = verdict(at, won, s, why);
      if (i == 0 || trust > f.trust) {
        f.trust = trust;
        f.explanation = why;
      }
    }
    if (f.trust == Trust::resolved && !other.text.empty()) {
      f.trust = Trust::ambiguous;
      f.explanation = other.text;
      for (std::size_t i = 0; i < f.uncertainty.size(); ++i) {
        const double step = std::abs(b.slope(won.best.z[b.offset + i], i));
        f.uncertainty[i] = std::hypot(f.uncertainty[i], from_stored(other.spread[b.offset + i] * step, f.unit));
      }
    } else if (f.trust == Trust::resolved) {
      if (const std::string why = contradiction(b.offset, won, s); !why.empty()) {
        f.trust = Trust::not_identifiable;
        f.explanation = why;
      }
    } else if (f.trust == Trust::not_identifiable && !s.objection.empty() && !s.objection[b.offset].empty()) {
      f.explanation += "; " + s.objection[b.offset];
    }
    if (f.derivative == Derivative::differences)
      f.explanation += "; its derivative is an estimate by central differences";
    learned.found.push_back(std::move(f));
  }
  if (s.known) {
    const double least = s.axes.values.front(), most = s.axes.values.back();
    learned.condition = least > 0 ? most / least : std::numeric_limits<double>::infinity();
    const auto with_model = [](const Spread& spread) {
      Matrix sum = spread.covariance;
      for (std::size_t i = 0; i < spread.model.a.size(); ++i) sum.a[i] += spread.model.a[i];
      return sum;
    };
    learned.combinations = combinations(problem_, won.best.z, s.axes, s.determined, with_model(s), doubts_by_axis(s));
  }
  return learned;
}

// If noise matters, the curvature between close points is partly noise: too small or too large by chance, and the
// uncertainty with it. It is then computed between points further apart.
// This does not hold for pairs of views: their loss has no kinks of an interpolation, but a third derivative, by which
// the last step over points further apart displaced the axis of a cone beam by 0.02 px in each scan.
Result<Judge::Spread> Judge::spread(const Vector& z, const Noise& noise) {
  TL_TRY(Spread close, spread_over(half_step, z, noise));
  if (problem_.size() > max_exact || clearly_determined(close)) return close;
  if (problem_.compares_pairs_of_views()) {
    TL_TRY(curvature_of_noise(z, noise, close));
    invert(close);
    return close;
  }
  auto far = spread_over(far_next_to, z, noise);
  // Further away the objective may not be defined.
  if (!far.ok() && far.error().kind != ErrorKind::invalid) return far.error();
  Spread& wanted = far.ok() ? far.value() : close;
  TL_TRY(curvature_of_noise(z, noise, wanted));
  invert(wanted);
  return std::move(wanted);
}

Result<Judge::Spread> Judge::spread_over(double step, const Vector& z, const Noise& noise) {
  const std::size_t n = problem_.size();
  Spread out;
  out.step = step;
  out.curvature = Matrix(n);
  out.slope.assign(n, 0.0);
  out.noise_curvature.assign(n, 0.0);
  out.meat = Matrix(n);
  if (n <= max_exact) {
    TL_TRY(exact_columns(z, noise, out));
  } else {
    TL_TRY(sampled_columns(z, noise, out));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      out.curvature(i, j) = out.curvature(j, i) = 0.5 * (out.curvature(i, j) + out.curvature(j, i));
  invert(out);
  return out;
}

// Evaluates on both sides of an unknown: gives its column of the curvature, and the losses there.
Result<Judge::Sides> Judge::both_sides(const Vector& z, std::size_t unknown, EvaluationKind kind, Spread& out) {
  TL_TRY(keep_going_());
  Sides s{z, z, {}, {}};
  s.up[unknown] += out.step;
  s.down[unknown] -= out.step;
  TL_TRY(s.more, problem_.evaluate(s.up, kind));
  TL_TRY(s.less, problem_.evaluate(s.down, kind));
  for (std::size_t j = 0; j < z.size(); ++j)
    out.curvature(j, unknown) = (s.more.gradient[j] - s.less.gradient[j]) / (2 * out.step);
  out.loss = 0.5 * (s.more.loss + s.less.loss);
  return s;
}

// Elements of lists are known except for a motion of the whole object, which is not an error of the scan. A single
// number that changes with such a motion is not determined: all its values give the same views.
Result<void> Judge::motions_of_the_object(const Vector& z, Spread& out) {
  TL_TRY(const std::vector<ObjectMotion> motions, object_motions(problem_, z));
  out.object_motions = orthonormal_directions(motions);
  for (const ParameterBlock& b : problem_.parameter_blocks()) {
    out.of_list.insert(out.of_list.end(), b.size, b.list);
    if (b.list) continue;
    for (const ObjectMotion& m : motions)
      if (moves_along(m, b.offset) && out.objection[b.offset].empty())
        out.objection[b.offset] =
            "no view shows it: with " + m.name + " of the object, the views are the same at other values";
  }
  return ok();
}

// Gradients with respect to unknowns and data on both sides of every unknown: they give the curvature and G together.
Result<void> Judge::exact_columns(const Vector& z, const Noise& noise, Spread& out) {
  const std::size_t n = problem_.size();
  std::vector<std::vector<at::Tensor>> columns;
  for (std::size_t i = 0; i < n; ++i) {
    TL_TRY(Sides s, both_sides(z, i, EvaluationKind::gradient_and_data, out));
    columns.push_back(difference(std::move(s.more.data), s.less.data, 2 * out.step));
    s.less.data.clear();
    // The slope whose derivative with respect to the data is that column, so that the scatter of the result is given by
    // S.
    const double across = (s.more.loss - s.less.loss) / (2 * out.step);
    out.slope[i] = across;
    // This slope is that at the middle plus step^2 / 6 of the third derivative; for the mean of the slopes at both ends
    // that error is three times as large. A loss as a function of the logarithm of a value has such a third derivative,
    // but no kinks of an interpolation, which would displace that mean.
    if (problem_.parameter_block_of(i).target.scale == Scale::logarithmic)
      out.slope[i] = 1.5 * across - 0.25 * (s.more.gradient[i] + s.less.gradient[i]);
    TL_TRY(const double pull, noise_slope_of(s.up, s.down, noise, columns.back()));
    out.noise_slope.push_back(pull - across);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) out.meat(i, j) = out.meat(j, i) = weighted(columns[i], columns[j], noise);
  return ok();
}

// Many unknowns: G n for draws n of the noise, from gradients of disturbed data.
Result<void> Judge::sampled_columns(const Vector& z, const Noise& noise, Spread& out) {
  const std::size_t n = problem_.size();
  for (std::size_t i = 0; i < n; ++i) {
    TL_TRY(const Sides s, both_sides(z, i, EvaluationKind::gradient, out));
    out.slope[i] = 0.5 * (s.more.gradient[i] + s.less.gradient[i]);
  }
  for (int64_t k = 0; k < samples; ++k) {
    TL_TRY(keep_going_());
    const auto drawn = draw_noise(noise, problem_.settings().seed, 0x100 + static_cast<uint64_t>(k));
    TL_TRY(const Evaluation more, problem_.evaluate_disturbed(z, drawn));
    TL_TRY(const Evaluation less, problem_.evaluate_disturbed(z, negated(drawn)));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        out.meat(i, j) += 0.25 * (more.gradient[i] - less.gradient[i]) * (more.gradient[j] - less.gradient[j]) /
                          static_cast<double>(samples);
  }
  return ok();
}

// The curvature of the same objective for noise without an object: a smaller curvature of the data is not
// significant.
Result<void> Judge::curvature_of_noise(const Vector& z, const Noise& noise, Spread& out) {
  const std::size_t n = problem_.size();
  if (n > max_exact) return ok();
  TL_TRY(const std::vector<Value>* data, problem_.data());
  auto alone = draw_noise(noise, problem_.settings().seed, 0x99);
  for (std::size_t c = 0; c < alone.size(); ++c) {
    if (!alone[c].defined()) continue;
    const auto* scan = std::get_if<Projections>(&(*data)[c]);
    if (scan == nullptr || scan->kind != PixelKind::absorption) return ok();  // only absorption is 0 without an object
    alone[c] = alone[c] - scan->data;
  }
  for (std::size_t i = 0; i < n; ++i) {
    Vector up = z, down = z;
    up[i] += out.step;
    down[i] -= out.step;
    const auto more = problem_.evaluate_disturbed(up, alone), less = problem_.evaluate_disturbed(down, alone);
    if (!more.ok() || !less.ok()) continue;  // an objective may refuse an empty scan
    // The curvature for noise is random and may vanish by chance: slopes a step apart show its typical size.
    // Objectives relative to the energy of the data give noise alone the same size as an object: it is then scaled by
    // the loss.
    const double bends = std::hypot(more.value().gradient[i], less.value().gradient[i]) / (2 * out.step);
    const double level = std::max(std::abs(more.value().loss), std::abs(less.value().loss));
    out.noise_curvature[i] = level > std::abs(out.loss) ? bends * std::abs(out.loss) / level : bends;
  }
  return ok();
}

// The covariance over the determined directions; other directions are left out.
void Judge::invert(Spread& out) const {
  const std::size_t n = problem_.size();
  out.axes = eigen_system(out.curvature);
  out.covariance = Matrix(n);
  out.noise_bias.assign(n, 0.0);
  out.determined.assign(n, false);
  const double most = out.axes.values.back();
  const auto axis = [&](std::size_t k) {
    Vector v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = out.axes.vectors(i, k);
    return v;
  };
  for (std::size_t k = 0; k < n; ++k) {
    const double value = out.axes.values[k];
    if (!(value > min_share * most) || !(value > 0)) continue;
    double noise = 0;
    const Vector v = axis(k);
    for (std::size_t i = 0; i < n; ++i) noise += v[i] * v[i] * out.noise_curvature[i];
    const double sigma = std::sqrt(std::max(0.0, dot(v, times(out.meat, v)))) / value;
    out.determined[k] = value > above_noise * noise && sigma < widest;
  }
  for (std::size_t k = 0; k < n && !out.noise_slope.empty(); ++k) {
    if (!out.determined[k]) continue;
    const double along = -dot(axis(k), out.noise_slope) / out.axes.values[k];
    for (std::size_t i = 0; i < n; ++i) out.noise_bias[i] += along * out.axes.vectors(i, k);
  }
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      if (!out.determined[a] || !out.determined[b]) continue;
      const double between = dot(axis(a), times(out.meat, axis(b))) / (out.axes.values[a] * out.axes.values[b]);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          out.covariance(i, j) += between * out.axes.vectors(i, a) * out.axes.vectors(j, b);
    }
  out.known = true;
}

// For noise alone, the gradient scatters by about as much as it changes over a natural step: a much smaller sigma is
// not due to noise.
bool Judge::clearly_determined(const Spread& s) {
  for (std::size_t i = 0; i < s.determined.size(); ++i)
    if (!s.determined[i] || s.covariance(i, i) > clear_sigma * clear_sigma) return false;
  return true;
}

// Linear interpolation makes an objective bend in small kinks, which a descent falls into. The last step is Newton's on
// slopes and curvature between points to either side, where they are smooth.
void Judge::settle(const Spread& s, Vector& z) const {
  if (!s.known) return;
  for (std::size_t i = 0; i < z.size(); ++i)
    if (z[i] <= problem_.low(i) || z[i] >= problem_.high(i)) return;  // the loss still falls there
  for (std::size_t k = 0; k < s.determined.size(); ++k) {
    if (!s.determined[k]) continue;
    double along = 0;
    for (std::size_t i = 0; i < z.size(); ++i) along -= s.axes.vectors(i, k) * s.slope[i] / s.axes.values[k];
    if (std::abs(along) > s.step) continue;  // not beyond the evaluated points
    for (std::size_t i = 0; i < z.size(); ++i) {
      z[i] = std::clamp(z[i] + along * s.axes.vectors(i, k), problem_.low(i), problem_.high(i));
    }
  }
}

}  // namespace tl::learn
