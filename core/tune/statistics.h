// Distributions that tests and intervals need.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tl::tune {

// The regularised incomplete beta function I_x(a, b), a, b > 0, 0 <= x <= 1, by its continued fraction (DLMF 8.17.22).
double incomplete_beta(double a, double b, double x);
// The two-sided p-value of Student's t with so many degrees of freedom.
double t_test_p(double t, double freedom);

struct Sample {
  double mean = 0, sd = 0;  // sd with n - 1
  int64_t count = 0;
};
Sample sample_of(const std::vector<double>& values);
// The p-value of equal means where both have one variance (pooled), two-sided. 1 if there are fewer than three values
// in all, or both do not vary and agree.
double pooled_t_test(const Sample& a, const Sample& b);

// The exact (Clopper-Pearson) interval of a probability of which `hits` of `trials` were seen, at this confidence.
std::pair<double, double> exact_interval(int64_t hits, int64_t trials, double confidence);

}  // namespace tl::tune
