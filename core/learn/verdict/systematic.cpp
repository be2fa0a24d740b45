// Computes biases of an optimum: by noise that the objective fits, and by data that violate its
// assumptions.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/learn/verdict/geometry_check.h"
#include "core/learn/verdict/judge.h"
#include "gpu/operator/reduce.h"

namespace tl::learn {
namespace {

constexpr uint64_t draws_of_doubt = 2;
constexpr double more_than_noise = 2;  // significant doubt, relative to that of noise alone

// The direction in which a parameter displaces views: only across the rotation axis, or only along it.
bool is_across(const ParameterBlock& b) {
  return (b.target.name == "axis" && b.decl->unit == Unit::px) || b.target.name == "shift_u" ||
         b.target.name == "source_shift_u";
}
bool is_along(const ParameterBlock& b) { return b.target.name == "shift_v" || b.target.name == "source_shift_v"; }

}  // namespace

// Effect of noise like that of the data on the slope (a difference of losses) beyond its random first order: the noise
// in the data has had the same effect. The caller subtracts the slope itself.
Result<double> Judge::noise_slope_of(const Vector& up, const Vector& down, const Noise& noise,
                                     const std::vector<at::Tensor>& column) {
  const auto drawn = draw_noise(noise, problem_.settings().seed, 0x77);
  TL_TRY(const Evaluation more, problem_.evaluate_disturbed(up, drawn, EvaluationKind::loss));
  TL_TRY(const Evaluation less, problem_.evaluate_disturbed(down, drawn, EvaluationKind::loss));
  double first_order = 0;
  for (std::size_t c = 0; c < drawn.size(); ++c)
    if (drawn[c].defined() && column[c].defined())
      first_order += inner_product(column[c].contiguous(), drawn[c].to(column[c].scalar_type()).contiguous());
  double apart = 0;
  for (std::size_t i = 0; i < up.size(); ++i) apart += up[i] - down[i];
  return (more.loss - less.loss) / apart - first_order;
}

// The doubt caused by noise alone is measured with added noise and subtracted: consistent data have no doubt, at any
// noise.
Result<void> Judge::wrong_assumptions(const Vector& z, const Noise& noise, Spread& out) {
  TL_TRY(const std::optional<Doubt> own, problem_.doubt(z));
  if (!own) return ok();
  Doubt noisy;
  for (uint64_t k = 0; k < draws_of_doubt; ++k) {
    TL_TRY(keep_going_());
    const auto drawn = draw_noise(noise, problem_.settings().seed, 0x55 + k);
    TL_TRY(const std::optional<Doubt> disturbed, problem_.doubt(z, drawn));
    const Doubt more = disturbed.value_or(*own);
    noisy.across += (more.across - own->across) / static_cast<double>(draws_of_doubt);
    noisy.along += (more.along - own->along) / static_cast<double>(draws_of_doubt);
  }
  const auto bias = [](double square, double of_noise) {
    return square > more_than_noise * of_noise ? std::sqrt(std::max(0.0, square - of_noise)) : 0;
  };
  const double across = bias(own->across, noisy.across), along = bias(own->along, noisy.along);
  out.assumption_bias.assign(problem_.size(), std::max(across, along));
  for (const ParameterBlock& b : problem_.parameter_blocks()) {
    const bool only_across = is_across(b), only_along = is_along(b);
    if (!only_across && !only_along) continue;
    const auto first = out.assumption_bias.begin() + static_cast<std::ptrdiff_t>(b.offset);
    std::fill_n(first, b.size, only_across ? across : along);
  }
  return ok();
}

// A rotation axis and its tilt can be compared with opposite views, which need no objective; distances of a cone beam
// with reconstructions, which need the whole object.
Result<void> Judge::other_methods(const Vector& z, Spread& out) {
  out.method_difference.assign(problem_.size(), 0.0);
  out.objection.assign(problem_.size(), {});
  out.confirmed_to.assign(problem_.size(), std::numeric_limits<double>::infinity());
  const auto learned = [&](const ParameterBlock& b) { return b.value(z[b.offset], 0); };
  const auto named = [&](const std::string& node, const char* name) {
    const auto& blocks = problem_.parameter_blocks();
    const auto at = std::find_if(blocks.begin(), blocks.end(), [&](const ParameterBlock& b) {
      return b.size == 1 && b.target.node == node && b.target.name == name;
    });
    return at == blocks.end() ? nullptr : &*at;
  };
  // A node that sets or learns the angle along the beam has a model of its own.
  const auto leans_in_model = [&](const std::string& node) {
    const auto& nodes = problem_.graph().nodes;
    const auto at = nodes.find(node);
    if (named(node, "lamino") != nullptr) return true;
    if (at == nodes.end() || at->second.params.count("lamino") == 0) return false;
    const auto* given = std::get_if<Number>(&at->second.params.at("lamino"));
    return given == nullptr || given->value != 0;
  };
  for (const ParameterBlock& b : problem_.parameter_blocks()) {
    const bool is_axis = b.target.name == "axis" && b.decl->unit == Unit::px;
    const bool is_tilt = b.target.name == "tilt";
    const bool is_distance = b.target.name == "source_to_axis" || b.target.name == "axis_to_detector";
    if (b.size != 1 || (!is_axis && !is_tilt && !is_distance)) continue;
    TL_TRY(const std::vector<Value>* data, problem_.data());
    TL_TRY(keep_going_());
    for (const Value& value : *data) {
      const auto* scan = std::get_if<Projections>(&value);
      if (scan == nullptr) continue;
      const bool parallel = scan->geometry.is_parallel();
      double apart = 0;
      if (is_axis) apart = axis_displacement(*scan, learned(b));
      if (is_tilt && parallel) {
        const ParameterBlock* axis = named(b.target.node, "axis");
        const auto orbit = scan->geometry.orbit();
        apart = tilt_displacement(*scan, axis != nullptr ? learned(*axis) : orbit ? orbit->axis : 0, learned(b));
      }
      if (parallel && !is_distance && out.objection[b.offset].empty() && !leans_in_model(b.target.node)) {
        const auto of = [&](const char* name, double given) {
          const ParameterBlock* block = named(b.target.node, name);
          return block != nullptr ? learned(*block) : given;
        };
        if (const auto orbit = scan->geometry.orbit())
          out.objection[b.offset] = axis_lean_warning(*scan, of("axis", orbit->axis), of("tilt", orbit->tilt));
      }
      if (!parallel && !is_axis && object_leaves_rows(*scan))
        out.objection[b.offset] =
            "the object leaves the field of view: then a reconstruction cannot predict the views, at any geometry";
      const double natural = std::abs(b.slope(z[b.offset], 0));
      out.method_difference[b.offset] = std::max(out.method_difference[b.offset], apart / natural);
      if (is_axis && apart == 0 && !out.assumption_bias.empty())
        if (const auto left_open = axis_confirmation_limit(*scan, learned(b)))
          out.confirmed_to[b.offset] = std::min(out.confirmed_to[b.offset], *left_open / natural);
    }
  }
  return ok();
}

double Judge::sigma(const Spread& s, std::size_t unknown) {
  if (!s.scatter.sigma.empty()) return s.scatter.sigma[unknown];
  const double noise_bias = s.noise_bias.empty() ? 0 : s.noise_bias[unknown];
  const double method_difference = s.method_difference.empty() ? 0 : s.method_difference[unknown];
  const double assumed = s.displacement_of(unknown);
  const double model = s.model.n == 0 ? 0 : std::max(0.0, s.model(unknown, unknown));
  const double pixels = s.finite_pixels.empty() ? 0 : s.finite_pixels[unknown];
  return std::sqrt(std::max(0.0, s.covariance(unknown, unknown)) + pixels * pixels + noise_bias * noise_bias +
                   assumed * assumed + method_difference * method_difference + model);
}

}  // namespace tl::learn
