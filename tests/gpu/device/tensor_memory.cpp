// Memory of freed tensors: kept and reused within its limits, and given back at the end.
#include "gpu/device/tensor_memory.h"

#include <ATen/ATen.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <random>
#include <thread>

#include "tests/support/test_case.h"

namespace tl::tensor_memory_test {
namespace {

constexpr int64_t mib = int64_t{1} << 20;

at::Tensor tensor_of(int64_t bytes) { return at::empty({bytes}, at::kByte); }

}  // namespace

class TensorMemoryTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
#ifdef __SANITIZE_ADDRESS__
    QSKIP("with the address sanitizer nothing is kept");
#endif
    QCOMPARE(kept_tensor_memory(), int64_t{0});
  }
  void cleanup() { QCOMPARE(kept_tensor_memory(), int64_t{0}); }

  void freed_memory_is_used_again() {
    const TensorMemory memory(64 * mib);
    at::Tensor t = tensor_of(8 * mib);
    const void* const first = t.data_ptr();
    t.reset();
    QCOMPARE(kept_tensor_memory(), 8 * mib);
    t = tensor_of(8 * mib - 100);  // nearly the same
    QCOMPARE(t.data_ptr(), first);
    QCOMPARE(kept_tensor_memory(), int64_t{0});
    const at::Tensor other = tensor_of(8 * mib);
    QVERIFY(other.data_ptr() != first);
  }

  void nothing_is_kept_without_it() {
    { const at::Tensor t = tensor_of(8 * mib); }
    QCOMPARE(kept_tensor_memory(), int64_t{0});
  }

  void all_is_given_back_with_the_last() {
    {
      const TensorMemory large(64 * mib);
      {
        const TensorMemory small(4 * mib);
        { const at::Tensor t = tensor_of(8 * mib); }
        QCOMPARE(kept_tensor_memory(), 8 * mib);  // the larger limit counts
      }
      QCOMPARE(kept_tensor_memory(), 8 * mib);
    }
    QCOMPARE(kept_tensor_memory(), int64_t{0});
  }

  void limits_hold() {
    const TensorMemory memory(10 * mib);
    { const at::Tensor t = tensor_of(11 * mib); }
    QCOMPARE(kept_tensor_memory(), int64_t{0});
    { const at::Tensor a = tensor_of(4 * mib), b = tensor_of(5 * mib), c = tensor_of(6 * mib); }
    QVERIFY(kept_tensor_memory() <= 10 * mib && kept_tensor_memory() > 0);
  }

  void small_tensors_are_not_kept() {
    const TensorMemory memory(64 * mib);
    { const at::Tensor t = tensor_of(mib - 1); }
    QCOMPARE(kept_tensor_memory(), int64_t{0});
  }

  // No two tensors share memory, whatever threads do.
  void threads_get_memory_of_their_own() {
    const TensorMemory memory(32 * mib);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int number = 1; number <= 4; ++number)
      threads.emplace_back([&, number] {
        std::mt19937 random(static_cast<unsigned>(number));
        std::vector<at::Tensor> tensors(4);
        for (int step = 0; step < 300; ++step) {
          at::Tensor& t = tensors[random() % tensors.size()];
          if (t.defined())
            for (const int64_t at : {int64_t{0}, t.numel() / 2, t.numel() - 1})
              wrong += t.data_ptr<uint8_t>()[at] == number ? 0 : 1;
          t.reset();
          t = tensor_of(mib + static_cast<int64_t>(random() % 3) * mib);
          for (const int64_t at : {int64_t{0}, t.numel() / 2, t.numel() - 1})
            t.data_ptr<uint8_t>()[at] = static_cast<uint8_t>(number);
        }
      });
    for (std::thread& t : threads) t.join();
    QCOMPARE(wrong.load(), 0);
  }

  // Readers of files are forks of the program, whatever its threads do at that moment.
  void forks_can_allocate() {
    const TensorMemory memory(64 * mib);
    std::atomic<bool> stop = false;
    std::thread busy([&] {
      while (!stop) tensor_of(2 * mib);
    });
    int sound = 0;
    constexpr int forks = 200;
    for (int i = 0; i < forks; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(20);  // a child that waits for ever ends by it
        for (int k = 0; k < 3; ++k) tensor_of(2 * mib);
        _exit(0);
      }
      int status = 0;
      sound +=
          child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
      if (sound <= i) break;
    }
    stop = true;
    busy.join();
    QCOMPARE(sound, forks);
  }

  // Memory of a tensor may be resized and freed through torch's raw interface.
  void resized_tensors_keep_their_values() {
    const TensorMemory memory(64 * mib);
    at::Tensor t = at::arange(mib, at::kFloat);
    t.resize_({3 * mib});
    QVERIFY(at::equal(t.narrow(0, 0, mib), at::arange(mib, at::kFloat)));
  }
};

TL_TEST_CASE(TensorMemoryTest)

}  // namespace tl::tensor_memory_test

#include "tensor_memory.moc"
