// Staged functors: kernels of thread blocks with shared memory, and the loop that runs them on the host.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tl {

// A staged functor offers
//   static constexpr int threads;           of a block
//   static constexpr int blocks_together;   on a multiprocessor of a large GPU: bounds the registers of a thread
//   struct Shared;                          plain values that the threads of a block share
//   struct Own;                             plain values of one thread
//   int64_t passes() const;
//   void begin(Own&, int64_t block, int thread) const;
//   void plan(Shared&, const Own&, int64_t pass, int thread) const;              then, for every pass, three steps;
//   void load(Shared&, int64_t pass, int thread) const;                          all threads of the block finish one
//   void collect(const Shared&, Own&, int64_t pass, int thread) const;           before any begins the next
//   void finish(const Own&, int thread) const;
// all of them TL_HD. The same code runs on a GPU, by for_each_block (launch.cuh), and on the host, here.
template <class Functor>
void run_blocks_on_host(const Functor& functor, int64_t begin, int64_t end) {
  const auto shared = std::make_unique<typename Functor::Shared>();
  std::vector<typename Functor::Own> own(Functor::threads);
  const auto each = [&](const auto& work) {
    for (int thread = 0; thread < Functor::threads; ++thread) work(own[static_cast<std::size_t>(thread)], thread);
  };
  for (int64_t block = begin; block < end; ++block) {
    each([&](auto& mine, int thread) { functor.begin(mine, block, thread); });
    for (int64_t pass = 0; pass < functor.passes(); ++pass) {
      each([&](auto& mine, int thread) { functor.plan(*shared, mine, pass, thread); });
      each([&](auto&, int thread) { functor.load(*shared, pass, thread); });
      each([&](auto& mine, int thread) { functor.collect(*shared, mine, pass, thread); });
    }
    each([&](auto& mine, int thread) { functor.finish(mine, thread); });
  }
}

}  // namespace tl
