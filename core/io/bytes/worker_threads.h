// WorkerThreads: a thread pool for reading processes. OpenMP threads would spin between requests and do not survive a
// fork.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tl::io {

// Threads are started by the first run(). One thread at a time calls run().
class WorkerThreads {
 public:
  // `threads` includes the calling thread.
  explicit WorkerThreads(int64_t threads) : threads_(threads) {}
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;
  ~WorkerThreads();

  // Calls work(i) once for every i below `count`, in any order; returns when all are done. Rethrows an exception of
  // `work`.
  void run(int64_t count, const std::function<void(int64_t)>& work);

 private:
  void wait_for_work();
  void take_part();

  const int64_t threads_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  const std::function<void(int64_t)>* work_ = nullptr;
  int64_t count_ = 0, round_ = 0, busy_ = 0;
  bool stopping_ = false;
  std::atomic<int64_t> next_{0};
  std::exception_ptr thrown_;
};

}  // namespace tl::io
