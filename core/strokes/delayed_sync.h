// DelayedSync: writes a changed file to its disk after a short delay, on its own thread.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace tl::strokes {

// A power failure then loses at most the last two seconds, while no stroke waits for the disk. (Data written by a
// program that is killed are kept by the system anyway.)
class DelayedSync {
 public:
  DelayedSync() = default;
  DelayedSync(const DelayedSync&) = delete;
  DelayedSync& operator=(const DelayedSync&) = delete;
  ~DelayedSync();  // writes out what is left
  // Call after the file with this handle was changed; it must stay open. Always the same handle.
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
