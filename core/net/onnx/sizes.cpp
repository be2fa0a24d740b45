// ONNX operators on integers that depend on the size of the input: models use them to cut or enlarge a map to the size
// of another.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/net/onnx/importer.h"

namespace tl::net::onnx {
namespace {

constexpr std::size_t max_sizes = 64, max_axes = 8;
constexpr int64_t largest_computed = int64_t{1} << 40;  // sums and products of a few such numbers do not overflow

const char* const fixed_size_hint =
    "Export the network for a fixed size of its input, a multiple of its poolings, or without such sizes";

InputDependentSize constant_term(int64_t value) {
  InputDependentSize t;
  t.constant = value;
  return t;
}

bool small(int64_t n) { return n >= -largest_computed && n <= largest_computed; }

int64_t floor_division(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

// False if the numbers become too large.
bool multiply(InputDependentSize& t, int64_t by) {
  constexpr int64_t largest_factor = 1 << 20;
  if (by == 1) return true;
  if (t.divisor != 1 || by < -largest_factor || by > largest_factor || !small(t.constant)) return false;
  t.constant *= by;
  for (InputDependentSize::Axis& a : t.axes) {
    a.multiple *= by;
    if (!small(a.multiple)) return false;
  }
  return small(t.constant);
}

// floor(A / d) + B is floor((A + d B) / d).
bool add(InputDependentSize& to, InputDependentSize other) {
  if (to.divisor != 1) {
    if (other.divisor != 1 || !multiply(other, to.divisor)) return false;
  } else if (other.divisor != 1) {
    std::swap(to, other);
    return add(to, other);
  }
  if (!small(to.constant) || !small(other.constant)) return false;
  to.constant += other.constant;
  for (const InputDependentSize::Axis& a : other.axes) {
    const auto same = std::find_if(to.axes.begin(), to.axes.end(), [&](const InputDependentSize::Axis& b) {
      return b.layer == a.layer && b.axis == a.axis;
    });
    if (same == to.axes.end()) {
      to.axes.push_back(a);
    } else if (same->multiple += a.multiple; same->multiple == 0) {
      to.axes.erase(same);
    } else if (!small(same->multiple)) {
      return false;
    }
  }
  return to.axes.size() <= max_axes;
}

bool divide(InputDependentSize& t, int64_t by) {
  if (by < 1 || by > largest_kernel || t.divisor > largest_kernel) return false;
  t.divisor *= by;
  if (!t.axes.empty()) return true;
  t.constant = floor_division(t.constant, t.divisor);
  t.divisor = 1;
  return true;
}

}  // namespace

bool Importer::same_size(int64_t a, int64_t b) const {
  return size_owner_[static_cast<std::size_t>(a)] == size_owner_[static_cast<std::size_t>(b)];
}

bool Importer::equal(const InputDependentSize& a, const InputDependentSize& b) const {
  return a.constant == b.constant && a.divisor == b.divisor && a.axes.size() == b.axes.size() &&
         std::all_of(a.axes.begin(), a.axes.end(), [&](const InputDependentSize::Axis& x) {
           return std::any_of(b.axes.begin(), b.axes.end(), [&](const InputDependentSize::Axis& y) {
             return x.axis == y.axis && x.multiple == y.multiple && same_size(x.layer, y.layer);
           });
         });
}

Result<std::vector<int64_t>> Importer::integers(const OnnxNode& n, std::size_t input, std::string_view attribute) {
  const OnnxAttribute* given = n.attribute(attribute);
  if (given == nullptr || !n.input(input).empty()) return integers(n, input);
  if (given->integers.size() > max_sizes) return refused(n, "has too many numbers", fixed_size_hint);
  return given->integers;
}

Result<std::vector<InputDependentSize>> Importer::sizes(const OnnxNode& n, std::size_t input,
                                                        std::string_view attribute) {
  if (n.attribute(attribute) == nullptr || !n.input(input).empty()) return sizes(n, input);
  TL_TRY(const std::vector<int64_t> given, integers(n, input, attribute));
  std::vector<InputDependentSize> all;
  for (const int64_t i : given) all.push_back(constant_term(i));
  return all;
}

Result<std::vector<InputDependentSize>> Importer::sizes(const OnnxNode& n, std::size_t input) {
  TL_TRY(const OnnxMeaning* m, meaning(n, input));
  if (m->kind == OnnxMeaning::Kind::sizes) return m->sizes;
  TL_TRY(const std::vector<int64_t> given, integers(n, input));
  std::vector<InputDependentSize> all;
  for (const int64_t i : given) all.push_back(constant_term(i));
  return all;
}

Result<std::vector<int64_t>> Importer::integers(const OnnxNode& n, std::size_t input) {
  TL_TRY(const OnnxMeaning* m, meaning(n, input));
  std::vector<int64_t> all;
  if (m->kind == OnnxMeaning::Kind::sizes) {
    for (const InputDependentSize& t : m->sizes) {
      if (!t.axes.empty()) return refused(n, "depends on the size of its input", fixed_size_hint);
      all.push_back(t.constant);
    }
    return all;
  }
  TL_TRY(const at::Tensor given, numbers(n, input));
  if (given.numel() > static_cast<int64_t>(max_sizes) || given.dim() > 1)
    return refused(n, "reads " + shape_text(given.sizes().vec()) + " numbers where a few are read", fixed_size_hint);
  const at::Tensor numbers = given.to(at::kDouble).contiguous(), whole = given.to(at::kLong).contiguous();
  for (int64_t i = 0; i < whole.numel(); ++i) {
    const double number = numbers.const_data_ptr<double>()[i];
    if (given.is_floating_point() && !(std::abs(number) <= 0x1p40 && number == std::floor(number)))
      return refused(n, "reads a number that is not whole", fixed_size_hint);
    all.push_back(whole.const_data_ptr<int64_t>()[i]);
  }
  return all;
}

Result<void> Importer::put_sizes(const OnnxNode& n, std::vector<InputDependentSize> all, Rank rank) {
  if (all.size() > max_sizes) return refused(n, "gives too many numbers", fixed_size_hint);
  OnnxMeaning m{.kind = OnnxMeaning::Kind::sizes, .sizes = std::move(all), .scalar = rank == Rank::scalar};
  return put(n, std::move(m));
}

Result<void> Importer::shape(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* m, meaning(n, 0));
  if (m->kind != OnnxMeaning::Kind::map || m->flat || !m->padding.empty() || !m->crop.empty())
    return refused(n, "is not of a whole map", fixed_size_hint);
  const int64_t rank = dims() + 2;
  const auto place = [&](const char* name, int64_t usual) {
    const int64_t i = n.integer(name, usual);
    return std::clamp<int64_t>(i < 0 ? i + rank : i, 0, rank);
  };
  std::vector<InputDependentSize> all;
  for (int64_t axis = place("start", 0); axis < place("end", rank); ++axis) {
    if (axis == 1) {
      all.push_back(constant_term(channels_joined(m->layers)));
      continue;
    }
    InputDependentSize t;
    t.axes = {{axis == 0 ? 0 : m->layers[0], axis, 1}};
    all.push_back(t);
  }
  return put_sizes(n, std::move(all), Rank::vector);
}

Result<void> Importer::gather(const OnnxNode& n) {
  TL_TRY(const std::vector<InputDependentSize> all, sizes(n, 0));
  TL_TRY(const std::vector<int64_t> which, integers(n, 1));
  const auto count = static_cast<int64_t>(all.size());
  std::vector<InputDependentSize> chosen;
  for (const int64_t i : which) {
    if (n.integer("axis", 0) != 0 || i < -count || i >= count)
      return refused(n, "chooses none of its numbers", fixed_size_hint);
    chosen.push_back(all[static_cast<std::size_t>(i < 0 ? i + count : i)]);
  }
  TL_TRY(const OnnxMeaning* indices, meaning(n, 1));
  const bool one = indices->kind == OnnxMeaning::Kind::sizes ? indices->scalar : indices->numbers.dim() == 0;
  return put_sizes(n, std::move(chosen), one ? Rank::scalar : Rank::vector);
}

// Squeeze and Unsqueeze: on a single number, or on a vector that becomes a map of one pixel.
Result<void> Importer::squeeze(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* m, meaning(n, 0));
  if (m->kind == OnnxMeaning::Kind::map) {
    if (!m->flat || n.op != "Unsqueeze")
      return refused(n, "is of a map", "Export a network whose maps are [n, channels, y, x] or [n, channels, z, y, x]");
    OnnxMeaning whole = *m;
    whole.flat = false;
    return put(n, std::move(whole));
  }
  TL_TRY(std::vector<InputDependentSize> all, sizes(n, 0));
  if (all.size() != 1) return refused(n, "has several numbers", fixed_size_hint);
  return put_sizes(n, std::move(all), n.op == "Squeeze" ? Rank::scalar : Rank::vector);
}

Result<void> Importer::join_sizes(const OnnxNode& n) {
  std::vector<InputDependentSize> all;
  for (std::size_t k = 0; k < n.inputs.size() && all.size() <= max_sizes; ++k) {
    TL_TRY(const std::vector<InputDependentSize> part, sizes(n, k));
    all.insert(all.end(), part.begin(), part.end());
  }
  return put_sizes(n, std::move(all), Rank::vector);
}

Result<void> Importer::slice_of_sizes(const OnnxNode& n) {
  TL_TRY(const std::vector<InputDependentSize> all, sizes(n, 0));
  TL_TRY(const std::vector<int64_t> begins, integers(n, 1, "starts"));
  TL_TRY(const std::vector<int64_t> ends, integers(n, 2, "ends"));
  std::vector<int64_t> steps{1};
  if (!n.input(4).empty()) {
    TL_TRY(steps, integers(n, 4));
  }
  if (begins.size() != 1 || ends.size() != 1 || steps != std::vector<int64_t>{1})
    return refused(n, "is not a range of its numbers", fixed_size_hint);
  const auto count = static_cast<int64_t>(all.size());
  const auto place = [&](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + count : i, 0, count); };
  const int64_t begin = place(begins[0]), end = std::max(begin, place(ends[0]));
  return put_sizes(n, {all.begin() + begin, all.begin() + end}, Rank::vector);
}

Result<void> Importer::size_arithmetic(const OnnxNode& n) {
  TL_TRY(std::vector<InputDependentSize> a, sizes(n, 0));
  TL_TRY(std::vector<InputDependentSize> b, sizes(n, 1));
  if (a.empty() || b.empty() || (a.size() != b.size() && a.size() != 1 && b.size() != 1))
    return refused(n, "has inputs with different counts of numbers", fixed_size_hint);
  const std::size_t count = std::max(a.size(), b.size());
  a.resize(count, a[0]);
  b.resize(count, b[0]);
  for (std::size_t i = 0; i < count; ++i) {
    bool known = false;
    const bool by_number = b[i].axes.empty();
    if (n.op == "Add") known = add(a[i], b[i]);
    if (n.op == "Sub") known = multiply(b[i], -1) && add(a[i], b[i]);
    if (n.op == "Mul" && !by_number && a[i].axes.empty()) {
      std::swap(a[i], b[i]);
      known = multiply(a[i], b[i].constant);
    } else if (n.op == "Mul") {
      known = by_number && multiply(a[i], b[i].constant);
    }
    if (n.op == "Div") known = by_number && divide(a[i], b[i].constant);
    if (!known) return refused(n, "computes a size by a formula that is not supported", fixed_size_hint);
  }
  TL_TRY(const OnnxMeaning* first, meaning(n, 0));
  TL_TRY(const OnnxMeaning* second, meaning(n, 1));
  const auto scalar = [](const OnnxMeaning& m) {
    return m.kind == OnnxMeaning::Kind::sizes ? m.scalar : m.numbers.dim() == 0;
  };
  return put_sizes(n, std::move(a), scalar(*first) && scalar(*second) ? Rank::scalar : Rank::vector);
}

}  // namespace tl::net::onnx
