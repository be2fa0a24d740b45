// Convolves many rows with an even response: an in-place decimation-in-frequency transform, multiplication by the
// response in the resulting order, and a decimation-in-time transform back (C. Van Loan, "Computational Frameworks for
// the Fast Fourier Transform", 1992). Even and odd samples of a row are the real and the imaginary part of a transform
// of half the length. All numbers are vectors of rows; the code is compiled once per instruction set.
#include "gpu/filtering/row_convolution.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/device/choose_variant.h"
#include "gpu/device/vector_lanes.h"

namespace tl::ops {
namespace {

// For shorter blocks the remaining steps run in the L1 cache.
constexpr int64_t cached_block = 128;

// The rows of a sample occupy 64 bytes; a variant processes as many of them at a time as fit into its registers (B
// bytes).
template <class T, int B>
struct Complex {
  typename VectorOf<T, B>::type re, im;
};

// Floats per complex sample: the rows' real parts, then their imaginary parts.
template <class T>
constexpr int64_t sample_size = 2 * convolution_rows<T>;

template <class T, int B>
__attribute__((always_inline)) inline Complex<T, B> load(const T* sample) {
  using V = typename VectorOf<T, B>::type;
  return {*reinterpret_cast<const V*>(sample), *reinterpret_cast<const V*>(sample + convolution_rows<T>)};
}
template <class T, int B>
__attribute__((always_inline)) inline void store(const Complex<T, B>& value, T* sample) {
  using V = typename VectorOf<T, B>::type;
  *reinterpret_cast<V*>(sample) = value.re;
  *reinterpret_cast<V*>(sample + convolution_rows<T>) = value.im;
}

enum class Direction { forward, inverse };

template <int R>
struct Roots {
  double cosine[R], sine[R];
};
constexpr Roots<3> roots3{{1, -0.5, -0.5}, {0, 0.86602540378443864676, -0.86602540378443864676}};
constexpr Roots<5> roots5{
    {1, 0.30901699437494742410, -0.80901699437494742410, -0.80901699437494742410, 0.30901699437494742410},
    {0, 0.95105651629515357212, 0.58778525229247312917, -0.58778525229247312917, -0.95105651629515357212}};
constexpr Roots<7> roots7{{1, 0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624,
                           -0.90096886790241912624, -0.22252093395631440429, 0.62348980185873353053},
                          {0, 0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048,
                           -0.43388373911755812048, -0.97492791218182360702, -0.78183148246802980871}};

template <int R>
constexpr const Roots<R>& roots() {
  if constexpr (R == 3)
    return roots3;
  else if constexpr (R == 5)
    return roots5;
  else
    return roots7;
}

// A transform of length R in registers.
template <class T, int B, int R, Direction D>
__attribute__((always_inline)) inline void butterfly(Complex<T, B> (&a)[R]) {
  using V = typename VectorOf<T, B>::type;
  constexpr int other = D == Direction::forward ? 1 : -1;
  if constexpr (R == 2) {
    const Complex<T, B> b = a[1];
    a[1] = {a[0].re - b.re, a[0].im - b.im};
    a[0] = {a[0].re + b.re, a[0].im + b.im};
  } else if constexpr (R == 4) {
    const V re0 = a[0].re + a[2].re, im0 = a[0].im + a[2].im, re1 = a[0].re - a[2].re, im1 = a[0].im - a[2].im;
    const V re2 = a[1].re + a[3].re, im2 = a[1].im + a[3].im, re3 = a[1].re - a[3].re, im3 = a[1].im - a[3].im;
    a[0] = {re0 + re2, im0 + im2};
    a[2] = {re0 - re2, im0 - im2};
    a[2 - other] = {re1 + im3, im1 - re3};
    a[2 + other] = {re1 - im3, im1 + re3};
  } else {
    Complex<T, B> out[R];
    out[0] = a[0];
    for (int q = 1; q < R; ++q) out[0] = {out[0].re + a[q].re, out[0].im + a[q].im};
    for (int k = 1; k <= R / 2; ++k) {
      V cre = a[0].re, cim = a[0].im, sre = {}, sim = {};
      for (int q = 1; q <= R / 2; ++q) {
        const T c = static_cast<T>(roots<R>().cosine[q * k % R]), s = static_cast<T>(roots<R>().sine[q * k % R]);
        cre += c * (a[q].re + a[R - q].re);
        cim += c * (a[q].im + a[R - q].im);
        sre += s * (a[q].re - a[R - q].re);
        sim += s * (a[q].im - a[R - q].im);
      }
      const int low = D == Direction::forward ? k : R - k;
      out[low] = {cre + sim, cim - sre};
      out[R - low] = {cre - sim, cim + sre};
    }
    for (int q = 0; q < R; ++q) a[q] = out[q];
  }
}

// One step on one block: butterflies between its R parts, multiplied by the factors after (forward) or before
// (inverse).
template <class T, int B, int R, Direction D>
__attribute__((always_inline)) inline void pass(T* block, int64_t part, const T* twiddle) {
  for (int64_t j = 0; j < part; ++j, twiddle += 2 * (R - 1)) {
    T* const at = block + j * sample_size<T>;
    for (int64_t lane = 0; lane < convolution_rows<T>; lane += B / static_cast<int64_t>(sizeof(T))) {
      Complex<T, B> a[R];
      for (int q = 0; q < R; ++q) a[q] = load<T, B>(at + q * part * sample_size<T> + lane);
      const auto turn = [&](int k) __attribute__((always_inline)) {
        const T c = twiddle[2 * (k - 1)], s = D == Direction::forward ? twiddle[2 * k - 1] : -twiddle[2 * k - 1];
        a[k] = {c * a[k].re - s * a[k].im, c * a[k].im + s * a[k].re};
      };
      if constexpr (D == Direction::inverse)
        for (int k = 1; k < R; ++k) turn(k);
      butterfly<T, B, R, D>(a);
      if constexpr (D == Direction::forward)
        for (int k = 1; k < R; ++k) turn(k);
      for (int q = 0; q < R; ++q) store<T, B>(a[q], at + q * part * sample_size<T> + lane);
    }
  }
}

// The first forward step if the second half of a row is zero, and the last inverse step if it is not wanted; radix 4.
template <class T, int B>
__attribute__((always_inline)) inline void first_pass_of_half(T* block, int64_t part, const T* twiddle) {
  for (int64_t j = 0; j < part; ++j, twiddle += 6) {
    T* const at = block + j * sample_size<T>;
    for (int64_t lane = 0; lane < convolution_rows<T>; lane += B / static_cast<int64_t>(sizeof(T))) {
      const Complex<T, B> a = load<T, B>(at + lane), b = load<T, B>(at + part * sample_size<T> + lane);
      const Complex<T, B> out[4] = {{a.re + b.re, a.im + b.im},
                                    {a.re + b.im, a.im - b.re},
                                    {a.re - b.re, a.im - b.im},
                                    {a.re - b.im, a.im + b.re}};
      store<T, B>(out[0], at + lane);
      for (int k = 1; k < 4; ++k) {
        const T c = twiddle[2 * (k - 1)], s = twiddle[2 * k - 1];
        store<T, B>({c * out[k].re - s * out[k].im, c * out[k].im + s * out[k].re},
                    at + k * part * sample_size<T> + lane);
      }
    }
  }
}
template <class T, int B>
__attribute__((always_inline)) inline void last_pass_to_half(T* block, int64_t part, const T* twiddle) {
  for (int64_t j = 0; j < part; ++j, twiddle += 6) {
    T* const at = block + j * sample_size<T>;
    for (int64_t lane = 0; lane < convolution_rows<T>; lane += B / static_cast<int64_t>(sizeof(T))) {
      Complex<T, B> a[4];
      a[0] = load<T, B>(at + lane);
      for (int k = 1; k < 4; ++k) {
        const Complex<T, B> in = load<T, B>(at + k * part * sample_size<T> + lane);
        const T c = twiddle[2 * (k - 1)], s = -twiddle[2 * k - 1];
        a[k] = {c * in.re - s * in.im, c * in.im + s * in.re};
      }
      store<T, B>({(a[0].re + a[2].re) + (a[1].re + a[3].re), (a[0].im + a[2].im) + (a[1].im + a[3].im)}, at + lane);
      store<T, B>({(a[0].re - a[2].re) - (a[1].im - a[3].im), (a[0].im - a[2].im) + (a[1].re - a[3].re)},
                  at + part * sample_size<T> + lane);
    }
  }
}

template <class T, int B, Direction D>
__attribute__((always_inline)) inline void step(T* samples, int64_t count,
                                                const typename RowConvolution<T>::Level& level, const T* twiddles) {
  const T* w = twiddles + level.twiddle;
  for (int64_t first = 0; first < count; first += level.block) {
    switch (level.radix) {
      case 2: pass<T, B, 2, D>(samples + first * sample_size<T>, level.block / 2, w); break;
      case 3: pass<T, B, 3, D>(samples + first * sample_size<T>, level.block / 3, w); break;
      case 4: pass<T, B, 4, D>(samples + first * sample_size<T>, level.block / 4, w); break;
      case 5: pass<T, B, 5, D>(samples + first * sample_size<T>, level.block / 5, w); break;
      default: pass<T, B, 7, D>(samples + first * sample_size<T>, level.block / 7, w);
    }
  }
}

template <class T>
struct Plan {
  int64_t length;  // of the complex transform
  const std::vector<typename RowConvolution<T>::Level>& levels;
  const T* twiddles;
  const std::vector<typename RowConvolution<T>::Pair>& pairs;
  bool half_known, half_wanted;  // both require that the first step has radix 4
};

template <class T, int B>
__attribute__((always_inline)) inline void respond(const Plan<T>& plan, T* samples) {
  // own Z[k] + i cross conj(Z[M - k]): applies the response to the real rows represented by Z.
  for (const auto& pair : plan.pairs) {
    T *const place = samples + pair.place * sample_size<T>, *const mirror = samples + pair.mirror * sample_size<T>;
    for (int64_t lane = 0; lane < convolution_rows<T>; lane += B / static_cast<int64_t>(sizeof(T))) {
      const Complex<T, B> a = load<T, B>(place + lane), b = load<T, B>(mirror + lane);
      store<T, B>({pair.own * a.re + pair.cross * b.im, pair.own * a.im + pair.cross * b.re}, place + lane);
      if (pair.mirror != pair.place)
        store<T, B>({pair.mirror_own * b.re + pair.cross * a.im, pair.mirror_own * b.im + pair.cross * a.re},
                    mirror + lane);
    }
  }
}

template <class T, int B>
__attribute__((always_inline)) inline void convolve(const Plan<T>& plan, T* samples) {
  std::size_t split = 0;
  while (split < plan.levels.size() && plan.levels[split].block > cached_block) ++split;
  const int64_t block = split < plan.levels.size() ? plan.levels[split].block : plan.length;
  if (plan.half_known) first_pass_of_half<T, B>(samples, plan.length / 4, plan.twiddles + plan.levels[0].twiddle);
  for (std::size_t l = plan.half_known ? 1 : 0; l < split; ++l)
    step<T, B, Direction::forward>(samples, plan.length, plan.levels[l], plan.twiddles);
  for (int64_t first = 0; first < plan.length; first += block)
    for (std::size_t l = split; l < plan.levels.size(); ++l)
      step<T, B, Direction::forward>(samples + first * sample_size<T>, block, plan.levels[l], plan.twiddles);
  respond<T, B>(plan, samples);
  for (int64_t first = 0; first < plan.length; first += block)
    for (std::size_t l = plan.levels.size(); l-- > split;)
      step<T, B, Direction::inverse>(samples + first * sample_size<T>, block, plan.levels[l], plan.twiddles);
  for (std::size_t l = split; l-- > (plan.half_wanted ? 1U : 0U);)
    step<T, B, Direction::inverse>(samples, plan.length, plan.levels[l], plan.twiddles);
  if (plan.half_wanted) last_pass_to_half<T, B>(samples, plan.length / 4, plan.twiddles + plan.levels[0].twiddle);
}

}  // namespace

template <class T>
RowConvolution<T>::RowConvolution(int64_t length, std::span<const double> response) : length_(length) {
  TL_CHECK(length >= 2 && length % 2 == 0 && static_cast<int64_t>(response.size()) == length / 2 + 1,
           "a convolution needs an even length and a response for it");
  const int64_t half = length / 2;
  for (int64_t rest = half; rest > 1;) {
    int radix = 0;
    for (const int r : {4, 2, 3, 5, 7})
      if (radix == 0 && rest % r == 0) radix = r;
    TL_CHECK(radix != 0, "the length of a convolution has a prime factor above seven");
    levels_.push_back({radix, rest, twiddles_.size()});
    for (int64_t j = 0; j < rest / radix; ++j)
      for (int k = 1; k < radix; ++k) {
        const double angle = 2 * pi * static_cast<double>(j * k % rest) / static_cast<double>(rest);
        twiddles_.push_back(static_cast<T>(std::cos(angle)));
        twiddles_.push_back(static_cast<T>(-std::sin(angle)));
      }
    rest /= radix;
  }
  // After all steps, index p of a block of `part` lengths has the frequency (part number) + radix * (frequency within
  // it).
  std::vector<int64_t> place(static_cast<std::size_t>(half));
  for (int64_t p = 0; p < half; ++p) {
    int64_t frequency = 0, scale = 1, within = p;
    for (const Level& level : levels_) {
      const int64_t part = level.block / level.radix;
      frequency += within / part * scale;
      within %= part;
      scale *= level.radix;
    }
    place[static_cast<std::size_t>(frequency)] = p;
  }
  // Let X be the transform of a real row, E and O those of its even and odd samples: Z = E + i O, X[k] = E + w^k O and
  // X[k + M] = E - w^k O. Multiplying both by the response and transforming back gives these factors.
  for (int64_t k = 0; k <= half / 2; ++k) {
    const int64_t mirror = k == 0 ? 0 : half - k;
    const double low = response[static_cast<std::size_t>(k)], high = response[static_cast<std::size_t>(half - k)];
    const double sum = (low + high) / static_cast<double>(length),
                 difference = (low - high) / static_cast<double>(length);
    const double angle = 2 * pi * static_cast<double>(k) / static_cast<double>(length);
    pairs_.push_back({place[static_cast<std::size_t>(k)], place[static_cast<std::size_t>(mirror)],
                      static_cast<T>(sum - difference * std::sin(angle)),
                      static_cast<T>(sum + difference * std::sin(angle)),
                      static_cast<T>(difference * std::cos(angle))});
  }
}

template <class T>
void RowConvolution<T>::run(T* samples, SampleSpan known, SampleSpan wanted) const {
  // Short rows have no step before the cached ones, and some lengths begin with another radix.
  const bool splits = !levels_.empty() && levels_[0].radix == 4 && levels_[0].block > cached_block;
  if (known == SampleSpan::first_half && !splits)
    std::fill(samples + length_ / 2 * convolution_rows<T>, samples + length_ * convolution_rows<T>, T(0));
  const Plan<T> plan{length_ / 2,
                     levels_,
                     twiddles_.data(),
                     pairs_,
                     splits && known == SampleSpan::first_half,
                     splits && wanted == SampleSpan::first_half};
  return Variants<convolve<T, 64>, convolve<T, 32>, convolve<T, 16>>::of(best_cpu_variant())(plan, samples);
}

template class RowConvolution<float>;
template class RowConvolution<double>;

}  // namespace tl::ops
