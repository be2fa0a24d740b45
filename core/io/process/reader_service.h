// Starting processes that read foreign files, so that a library which crashes, hangs or runs out of memory on a damaged
// one takes no work with it.
#pragma once

#include <sys/types.h>

#include <string>

#include "core/base/error.h"
#include "core/io/process/messages.h"

namespace tl::io {

// Starts the small process that forks one process per scan. To be called as the first act of main, while the program
// has no threads, no GPU and little memory: then a reader costs little more than a millisecond. Without this call, and
// after the service died, it is started when a scan is opened.
void start_reader_service();

// For tests: from now on processes are made by this function (null: fork), by a service that starts anew.
void replace_fork(pid_t (*fork_process)());

// One process that reads; it ends when this object does. One thread at a time.
class ReaderProcess {
 public:
  // unavailable: no process could be made; `where` is the file that cannot be read for this reason.
  static Result<ReaderProcess> start(const std::string& where);
  ReaderProcess(ReaderProcess&& other) noexcept;
  ReaderProcess& operator=(ReaderProcess&& other) noexcept;
  // Kills it if it does not end by itself within a second. Its files are closed on return,
  // unless a disk does not answer for seconds.
  ~ReaderProcess();

  // Sends a request and waits for its answer. After any other end than a message the process is gone. It does nothing
  // once `cancel` was called: then the process is killed.
  Arrival call(const Message& request, const CancelToken& cancel);
  [[nodiscard]] bool alive() const { return socket_ >= 0; }

 private:
  ReaderProcess(int socket, int reader) : socket_(socket), reader_(reader) {}
  void kill();
  int socket_, reader_;  // reader_: its number at the service, which ends it for us
};

}  // namespace tl::io
