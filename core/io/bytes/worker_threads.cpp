// Runs loops on a pool of threads in reading processes: each run() announces its work under the mutex; the indices are
// taken from an atomic counter.
#include "core/io/bytes/worker_threads.h"

namespace tl::io {

WorkerThreads::~WorkerThreads() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begun_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerThreads::run(int64_t count, const std::function<void(int64_t)>& work) {
  while (static_cast<int64_t>(workers_.size()) + 1 < threads_) workers_.emplace_back([this] { wait_for_work(); });
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    count_ = count;
    next_ = 0;
    busy_ = static_cast<int64_t>(workers_.size());
    thrown_ = nullptr;
    ++round_;
  }
  begun_.notify_all();
  take_part();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return busy_ == 0; });
  if (thrown_) std::rethrow_exception(thrown_);
}

void WorkerThreads::wait_for_work() {
  int64_t done = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return stopping_ || round_ != done; });
    if (stopping_) return;
    done = round_;
    lock.unlock();
    take_part();
    lock.lock();
    if (--busy_ == 0) ended_.notify_one();
  }
}

void WorkerThreads::take_part() {
  try {
    for (int64_t i = next_++; i < count_; i = next_++) (*work_)(i);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    thrown_ = std::current_exception();
  }
}

}  // namespace tl::io
