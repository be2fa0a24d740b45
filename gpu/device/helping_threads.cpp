// The helpers sleep until there is a job, and live as long as the program.
#include "gpu/device/helping_threads.h"

#include <ATen/Parallel.h>
#include <omp.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tl::ops {
namespace {

// While it exists, loops of at::parallel_for() on this thread are serial.
class SerialLoops {
 public:
  SerialLoops() : threads_(omp_get_max_threads()) {
    omp_set_num_threads(1);
    working = true;
  }
  ~SerialLoops() {
    omp_set_num_threads(threads_);
    working = false;
  }
  SerialLoops(const SerialLoops&) = delete;
  SerialLoops& operator=(const SerialLoops&) = delete;

  static thread_local bool working;

 private:
  int threads_;
};

thread_local bool SerialLoops::working = false;

struct Job {
  const std::function<void()>& work;
  int64_t wanted;       // helpers that may still begin
  int64_t running = 0;  // helpers
  std::exception_ptr thrown = nullptr;
};

class Helpers {
 public:
  void run(int64_t count, const std::function<void()>& work) {
    Job job{work, count};
    {
      const std::lock_guard lock(mutex_);
      for (; threads_ < count; ++threads_) std::thread([this] { help(); }).detach();
      jobs_.push_back(&job);
    }
    for (int64_t i = 0; i < count; ++i) begin_.notify_one();
    std::exception_ptr own;
    try {
      const SerialLoops serial;
      work();
    } catch (...) {
      own = std::current_exception();
    }
    std::unique_lock lock(mutex_);
    jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
    ended_.wait(lock, [&job] { return job.running == 0; });
    lock.unlock();
    if (own) std::rethrow_exception(own);
    if (job.thrown) std::rethrow_exception(job.thrown);
  }

 private:
  Job* next() const {
    const auto found = std::find_if(jobs_.begin(), jobs_.end(), [](const Job* job) { return job->wanted > 0; });
    return found == jobs_.end() ? nullptr : *found;
  }

  [[noreturn]] void help() {
    const SerialLoops serial;
    std::unique_lock lock(mutex_);
    while (true) {
      begin_.wait(lock, [this] { return next() != nullptr; });
      Job* const job = next();
      --job->wanted;
      ++job->running;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        job->work();
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      if (thrown) job->thrown = thrown;
      if (--job->running == 0) ended_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable begin_, ended_;
  std::vector<Job*> jobs_;
  int64_t threads_ = 0;
};

}  // namespace

void with_helpers(int64_t helpers, const std::function<void()>& work) {
  if (helpers < 1 || SerialLoops::working || at::in_parallel_region()) return work();
  static auto* const all = new Helpers;  // never destroyed: its threads are in it until the program ends
  all->run(helpers, work);
}

}  // namespace tl::ops
