// Applies random forests: bins the features of a strip of samples, then walks all of them through one tree after the
// other, several walks at a time so that their memory loads overlap.
#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>

#include "gpu/classification/forest.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/device/parallel_for.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {
namespace {

constexpr int64_t strip = 512;  // number of samples whose bins stay in the cache while all trees are walked
constexpr int together = 64;    // number of samples walked by one call
static_assert(sizeof(ForestNode) == 8);

// Writes the bin of each of `count` values of one feature into every `apart`-th byte. Eight halvings of 255 edges.
__attribute__((always_inline)) inline void bin_body(const float* __restrict__ values, int64_t count,
                                                    const float* __restrict__ edges, uint8_t* __restrict__ to,
                                                    int64_t apart) {
  int32_t bins[strip];
  for (int64_t i = 0; i < count; ++i) {
    const float v = values[i];
    int32_t below = 0;
#pragma GCC unroll 8
    for (int32_t step = max_bins / 2; step > 0; step /= 2) below += edges[below + step - 1] < v ? step : 0;
    bins[i] = v == v ? below : static_cast<int32_t>(edges_per_feature);
  }
  for (int64_t i = 0; i < count; ++i) to[i * apart] = static_cast<uint8_t>(bins[i]);
}
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma,bmi2")
void bin_avx512(const float* values, int64_t count, const float* edges, uint8_t* to, int64_t apart) {
  bin_body(values, count, edges, to, apart);
}
TL_TARGET("avx2,fma,bmi2")
void bin_avx2(const float* values, int64_t count, const float* edges, uint8_t* to, int64_t apart) {
  bin_body(values, count, edges, to, apart);
}
// The leaves in which `together` samples end; `bins` points to the first sample's bins, others follow `apart` bytes
// later. A node is one number: feature, bin and next in its 16, 16 and 32 bits. Eight walks at a time: as many as fit
// into registers.
__attribute__((always_inline)) inline void walk_body(const uint64_t* __restrict__ nodes, int32_t root,
                                                     const uint8_t* __restrict__ bins, int64_t apart,
                                                     uint32_t* __restrict__ ends) {
  constexpr int walks = 8;
  for (int first = 0; first < together; first += walks, bins += walks * apart, ends += walks) {
    uint32_t at[walks];
    for (uint32_t& a : at) a = static_cast<uint32_t>(root);
    for (uint32_t moved = 1; moved != 0;) {
      moved = 0;
#pragma GCC unroll 8
      for (int j = 0; j < walks; ++j) {
        const uint64_t node = nodes[at[j]];
        const uint32_t bin = bins[j * apart + static_cast<int64_t>(node & 0xffff)];
        const auto next = static_cast<uint32_t>(node >> 32) + (bin > ((node >> 16) & 0xffff) ? 1U : 0U);
        moved |= next ^ at[j];
        at[j] = next;
      }
    }
    std::memcpy(ends, at, sizeof at);
  }
}
TL_TARGET("avx2,fma,bmi2")
void walk_bmi(const uint64_t* nodes, int32_t root, const uint8_t* bins, int64_t apart, uint32_t* ends) {
  walk_body(nodes, root, bins, apart, ends);
}

#if defined(__x86_64__)
// Four registers of 16 walks, so that the gathers of one overlap with those of the others.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void walk_avx512(const uint64_t* nodes, int32_t root, const uint8_t* bins, int64_t apart, uint32_t* ends) {
  constexpr int registers = 4, lanes = 16;
  const auto* upper = reinterpret_cast<const char*>(nodes) + sizeof(uint32_t);
  const __m512i step = _mm512_set1_epi32(static_cast<int>(apart));
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i at[registers], row[registers];
#pragma GCC unroll 4
  for (int k = 0; k < registers; ++k) {
    at[k] = _mm512_set1_epi32(root);
    row[k] = _mm512_mullo_epi32(_mm512_add_epi32(lane, _mm512_set1_epi32(k * lanes)), step);
  }
  for (__mmask16 moved = 1; moved != 0;) {
    moved = 0;
#pragma GCC unroll 4
    for (int k = 0; k < registers; ++k) {
      const __m512i test = _mm512_i32gather_epi32(at[k], nodes, 8);
      const __m512i next = _mm512_i32gather_epi32(at[k], upper, 8);
      const __m512i place = _mm512_add_epi32(row[k], _mm512_and_epi32(test, _mm512_set1_epi32(0xffff)));
      const __m512i bin = _mm512_and_epi32(_mm512_i32gather_epi32(place, bins, 1), _mm512_set1_epi32(0xff));
      const __mmask16 above = _mm512_cmpgt_epi32_mask(bin, _mm512_srli_epi32(test, 16));
      const __m512i now = _mm512_mask_add_epi32(next, above, next, _mm512_set1_epi32(1));
      moved |= _mm512_cmpneq_epi32_mask(now, at[k]);
      at[k] = now;
    }
  }
#pragma GCC unroll 4
  for (int k = 0; k < registers; ++k) _mm512_storeu_si512(ends + k * lanes, at[k]);
}
#endif

struct WalkLoops {
  void (*bin)(const float*, int64_t, const float*, uint8_t*, int64_t);
  void (*walk)(const uint64_t*, int32_t, const uint8_t*, int64_t, uint32_t*);
};
WalkLoops loops_of(CpuVariant variant) {
#if defined(__x86_64__)
  if (variant == CpuVariant::avx512) return {bin_avx512, walk_avx512};
#endif
  if (variant == CpuVariant::avx2) return {bin_avx2, walk_bmi};
  return {bin_body, walk_body};
}

std::vector<uint64_t> packed(const Forest& forest) {
  std::vector<uint64_t> nodes;
  nodes.reserve(forest.nodes.size());
  for (const ForestNode& n : forest.nodes)
    nodes.push_back(uint64_t{n.feature} | (uint64_t{n.bin} << 16) | (static_cast<uint64_t>(n.next) << 32));
  return nodes;
}

class StripWalk {
 public:
  StripWalk(const Forest& forest, const std::vector<uint64_t>& nodes)
      : forest_(forest),
        nodes_(nodes.data()),
        loops_(loops_of(best_cpu_variant())),
        // A gather reads four bytes where only one is used.
        bins_(static_cast<std::size_t>(strip * forest.features) + sizeof(uint32_t), 0),
        shares_(static_cast<std::size_t>(strip * forest.classes)) {}

  // Features of sample i are values[f * apart + i]; shares of class c go to to[c * apart + i].
  void run(const float* values, int64_t apart, int64_t count, float* to) {
    const int64_t features = forest_.features, classes = forest_.classes;
    for (int64_t f = 0; f < features; ++f)
      loops_.bin(values + f * apart, count, forest_.edges.data() + f * edges_per_feature, bins_.data() + f, features);
    std::fill(shares_.begin(), shares_.end(), 0.0F);
    for (const int32_t root : forest_.roots)
      for (int64_t i = 0; i < count; i += together) {
        uint32_t ends[together];
        loops_.walk(nodes_, root, bins_.data() + i * features, features, ends);  // samples beyond count are ignored
        float* share = shares_.data() + i * classes;
        for (int64_t j = 0; j < std::min<int64_t>(together, count - i); ++j, share += classes) {
          const float* leaf = forest_.leaves.data() + int64_t{forest_.leaf[ends[j]]} * classes;
          for (int64_t c = 0; c < classes; ++c) share[c] += leaf[c];
        }
      }
    const float each = 1 / static_cast<float>(forest_.trees());
    for (int64_t c = 0; c < classes; ++c)
      for (int64_t i = 0; i < count; ++i) to[c * apart + i] = shares_[static_cast<std::size_t>(i * classes + c)] * each;
  }

 private:
  const Forest& forest_;
  const uint64_t* nodes_;
  WalkLoops loops_;
  std::vector<uint8_t> bins_;  // [sample][feature]
  std::vector<float> shares_;  // [sample][class]
};

}  // namespace

Result<at::Tensor> forest_probabilities(const Forest& forest, const at::Tensor& features, const CancelToken& cancel) {
  const char* const where = "random forest";
  if (!features.defined() || features.dim() < 1 || features.scalar_type() != at::kFloat || !features.is_cpu())
    return invalid("the features are not a float32 tensor [feature, ...] in CPU memory", where);
  if (features.size(0) != forest.features)
    return invalid(std::to_string(features.size(0)) + " features for a forest of " + std::to_string(forest.features),
                   where, "Give the features that it was grown from");
  const at::Tensor plain = features.contiguous();
  std::vector<int64_t> shape = plain.sizes().vec();
  shape[0] = forest.classes;
  at::Tensor shares = at::empty(shape, at::kFloat);
  const int64_t samples = plain.numel() / forest.features;
  const std::vector<uint64_t> nodes = packed(forest);
  const auto* values = plain.const_data_ptr<float>();
  auto* to = shares.mutable_data_ptr<float>();
  ops::parallel_for(0, (samples + strip - 1) / strip, 1, [&](int64_t first, int64_t last) {
    StripWalk walk(forest, nodes);
    for (int64_t s = first; s < last; ++s) {
      cancel.check();
      walk.run(values + s * strip, samples, std::min(strip, samples - s * strip), to + s * strip);
    }
  });
  return shares;
}

}  // namespace tl::ops
