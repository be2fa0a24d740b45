// Starts processes that read files of other programs, so that a crash, hang or lack of memory in a library does not end
// the program.
#pragma once

#include <sys/types.h>

#include <string>

#include "core/base/error.h"
#include "core/io/process/messages.h"

namespace tl::io {

// Starts the service: a small process that forks one reader per scan. Call it first in main(), while the program has no
// threads, no GPU and little memory: then starting a reader takes little more than a millisecond. Otherwise, or if the
// service has died, it is started when a scan is opened.
void start_reader_service();

// For tests: creates processes with this function (null: fork) from now on, by a new service.
void replace_fork(pid_t (*fork_process)());

// One reading process; it ends with this object. One thread at a time.
class ReaderProcess {
 public:
  // Unavailable if no process could be started; `where` is the file to be read, for the error.
  static Result<ReaderProcess> start(const std::string& where);
  ReaderProcess(ReaderProcess&& other) noexcept;
  ReaderProcess& operator=(ReaderProcess&& other) noexcept;
  // Kills the process if it does not end by itself within a second. Its files are closed on return, unless a disk does
  // not answer for seconds.
  ~ReaderProcess();

  // Sends a request and waits for its reply. If no message arrives (cancelled, or the process ended), the process is
  // killed and alive() is false. If `cancel` is set already, nothing is sent and the process stays.
  ReceivedMessage call(const Message& request, const CancelToken& cancel);
  // The two halves of call(): several requests may be sent before their replies, which arrive in the same order.
  void send(const Message& request);
  ReceivedMessage receive(const CancelToken& cancel);
  [[nodiscard]] bool alive() const { return socket_ >= 0; }

 private:
  ReaderProcess(int socket, int reader) : socket_(socket), reader_(reader) {}
  void kill();
  int socket_, reader_;  // reader_: number of the process in the service, which kills it on request
};

}  // namespace tl::io
