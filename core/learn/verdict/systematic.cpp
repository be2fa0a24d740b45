// What displaces an optimum to one side: noise that the objective follows, data that it was not made for.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/learn/verdict/axis_witness.h"
#include "core/learn/verdict/judge.h"
#include "gpu/operator/reduce.h"

namespace tl::learn {
namespace {

constexpr uint64_t draws_of_doubt = 2;
constexpr double more_than_noise = 2;  // doubt that counts, over that of noise alone

}  // namespace

// What noise like that of the data does to the slope (the difference of losses) beyond its first order, which is
// random: just that the noise in the data has done already. The slope itself is left to the caller to take off.
Result<double> Judge::pull_of_noise(const Vector& up, const Vector& down, const Noise& noise,
                                    const std::vector<at::Tensor>& column) {
  const auto drawn = draw(noise, problem_.settings().seed, 0x77);
  TL_TRY(const Evaluation more, problem_.evaluate_disturbed(up, drawn, Want::loss));
  TL_TRY(const Evaluation less, problem_.evaluate_disturbed(down, drawn, Want::loss));
  double first_order = 0;
  for (std::size_t c = 0; c < drawn.size(); ++c)
    if (drawn[c].defined() && column[c].defined())
      first_order += inner_product(column[c].contiguous(), drawn[c].to(column[c].scalar_type()).contiguous());
  double apart = 0;
  for (std::size_t i = 0; i < up.size(); ++i) apart += up[i] - down[i];
  return (more.loss - less.loss) / apart - first_order;
}

// The doubt of noise alone, from noise that is added, is taken out: consistent data of any noise leave nothing.
Result<void> Judge::wrong_assumptions(const Vector& z, const Noise& noise, Spread& out) {
  TL_TRY(const std::optional<double> own, problem_.doubt(z));
  if (!own) return ok();
  double noisy = 0;
  for (uint64_t k = 0; k < draws_of_doubt; ++k) {
    TL_TRY(asked_());
    const auto drawn = draw(noise, problem_.settings().seed, 0x55 + k);
    TL_TRY(const std::optional<double> more, problem_.doubt(z, drawn));
    noisy += (more.value_or(*own) - *own) / static_cast<double>(draws_of_doubt);
  }
  if (*own > more_than_noise * noisy) out.astray = std::sqrt(std::max(0.0, *own - noisy));
  return ok();
}

// A rotation axis across the beam is what opposite views tell without any objective.
Result<void> Judge::other_methods(const Vector& z, Spread& out) {
  out.beside.assign(problem_.size(), 0.0);
  for (const Block& b : problem_.blocks()) {
    if (b.size != 1 || b.target.name != "axis" || b.decl->unit != Unit::px) continue;
    TL_TRY(const std::vector<Value>* data, problem_.data());
    TL_TRY(asked_());
    for (const Value& value : *data) {
      const auto* scan = std::get_if<Projections>(&value);
      if (scan == nullptr) continue;
      const double apart = axis_displacement(*scan, b.value(z[b.offset], 0));
      out.beside[b.offset] = std::max(out.beside[b.offset], apart / std::abs(b.slope(z[b.offset], 0)));
    }
  }
  return ok();
}

double Judge::sigma(const Spread& s, std::size_t unknown) {
  if (!s.scatter.sigma.empty()) return s.scatter.sigma[unknown];
  const double pulled = s.pulled.empty() ? 0 : s.pulled[unknown];
  const double beside = s.beside.empty() ? 0 : s.beside[unknown];
  return std::sqrt(std::max(0.0, s.covariance(unknown, unknown)) + pulled * pulled + s.astray * s.astray +
                   beside * beside);
}

}  // namespace tl::learn
