// DelayedSync: writes a file out to its disk a little after it was changed, on a thread of its own.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace tl::strokes {

// So that a power failure loses the last two seconds at most, while no stroke waits for the disk. (What a killed
// program has written is kept by the system anyway.)
class DelayedSync {
 public:
  DelayedSync() = default;
  DelayedSync(const DelayedSync&) = delete;
  DelayedSync& operator=(const DelayedSync&) = delete;
  ~DelayedSync();  // writes out what is left
  // The file of this handle, which must stay open, has changed. Always the same handle.
  void changed(int handle);
  // The system's number for why an earlier change did not reach the disk; 0: none failed so far.
  [[nodiscard]] int failure();

 private:
  void run();
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable wake_;
  int handle_ = -1;
  int failure_ = 0;
  bool dirty_ = false, stopping_ = false;
};

}  // namespace tl::strokes
