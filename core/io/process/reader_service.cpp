// Starts and kills reading processes: a single-threaded process waits for sockets, forks a reader for each, kills one
// on request, and reports through the same socket how the reader ended. It does not use pidfd, which older kernels and
// some containers lack.
#include "core/io/process/reader_service.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "core/io/hdf5/file.h"
#include "core/io/process/packets.h"
#include "core/io/process/reader_child.h"

namespace tl::io {
namespace {

// One per process, because fork copies it.
struct ReaderService {
  std::mutex mutex;
  int control = -1;
  pid_t process = -1, owner = -1;  // process: id of the service; owner: the process that may use it
  int readers = 0;                 // number of readers requested so far; also their ids, unique across services
  pid_t (*fork_process)() = fork;
};
ReaderService& reader_service() {
  static ReaderService service;
  return service;
}

// A number and optionally an open file; the receiver gets -1 if there is none.
bool send_number(int socket, int number, int file) {
  return send_packet(socket, {reinterpret_cast<const char*>(&number), sizeof number}, {}, file);
}
bool receive_number(int socket, int& number, int& file) {
  return receive_packet(socket, &number, sizeof number, &file) == static_cast<ssize_t>(sizeof number);
}

// Called after a fork: only `socket` stays open, as descriptor 3; standard streams are redirected to /dev/null;
// keyboard and session signals are ignored, because the program handles them and ends its readers.
int isolate_child(int socket, const char* name) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGXCPU, SIGCHLD, SIGTSTP})
    std::signal(number, SIG_DFL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(number, SIG_IGN);
  prctl(PR_SET_NAME, name);
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (nowhere >= 0) dup2(nowhere, standard);
  constexpr int ours = 3;
  if (socket != ours) dup2(socket, ours);
  closefrom(ours + 1);
  return ours;
}

struct RunningReader {
  int number;  // number of the reader in the program, because process ids are reused
  pid_t pid;
  int socket;  // copy of the reader's end of the socket
};

int signal_of(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

// Waits for a process; returns the signal that ended it, or 0 if it exited.
int ended_by(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return signal_of(status);
}

void start_reader(int control, int number, int socket, pid_t (*fork_process)(), std::vector<RunningReader>& readers) {
  const pid_t service = getpid(), pid = fork_process();
  if (pid == 0) {
    const int ours = isolate_child(socket, "tomoloom-reader");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != service) _exit(0);
    serve_reader(ours);
  }
  const int why = errno != 0 ? errno : EAGAIN;
  send_number(control, pid > 0 ? 0 : why, -1);
  if (pid > 0)
    readers.push_back({number, pid, socket});
  else
    close(socket);
}

// Reaps readers that ended; one SIGCHLD may stand for several.
void reap_ended_readers(std::vector<RunningReader>& readers) {
  std::erase_if(readers, [](const RunningReader& one) {
    int status = 0;
    if (waitpid(one.pid, &status, WNOHANG) == 0) return false;
    send_end(one.socket, signal_of(status));
    close(one.socket);
    return true;
  });
}

// A file descriptor that is readable when a child has ended.
int ends_of_children() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}

[[noreturn]] void run_service(int control, pid_t (*fork_process)()) {
  const int ends = ends_of_children();
  if (ends < 0) _exit(0);
  prepare_readers();
  std::vector<RunningReader> readers;
  while (true) {
    std::array<pollfd, 2> waiting = {{{control, POLLIN, 0}, {ends, POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[1].revents != 0) {
      signalfd_siginfo one{};
      while (read(ends, &one, sizeof one) > 0) {
      }
      reap_ended_readers(readers);
    }
    if (waiting[0].revents == 0) continue;
    int number = 0, socket = -1;
    if (!receive_number(control, number, socket)) _exit(0);  // the program has ended; exiting also ends our readers
    const auto named = [&](const RunningReader& one) { return one.number == number; };
    if (socket >= 0)
      start_reader(control, number, socket, fork_process, readers);
    else if (const auto one = std::find_if(readers.begin(), readers.end(), named); one != readers.end())
      ::kill(one->pid, SIGKILL);
  }
}

void stop(ReaderService& service) {
  if (service.control >= 0) close(std::exchange(service.control, -1));
  if (service.process > 0 && service.owner == getpid()) ended_by(service.process);
  service.process = -1;
}

// A forked copy of the program must not use the service of the original, or it would receive replies meant for it.
void leave_to_owner(ReaderService& service) {
  if (service.control >= 0 && service.owner != getpid()) stop(service);
}

// False, with errno set, if the service cannot be started.
bool start(ReaderService& service) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  pid_t pid = -1;
  int why = 0;
  {
    // A thread that writes an HDF5 file holds the library's lock, on which the forked process would wait for ever.
    const std::lock_guard lock(hdf5_mutex());
    pid = service.fork_process();
    why = errno;
  }
  if (pid == 0) run_service(isolate_child(ends[1], "tomoloom-files"), service.fork_process);
  close(ends[1]);
  if (pid < 0) close(ends[0]);
  if (pid < 0) errno = why;
  if (pid < 0) return false;
  service.control = ends[0];
  service.process = pid;
  service.owner = getpid();
  return true;
}

Error no_process(int why, const std::string& where) {
  return unavailable("no process could be started to read the file: " + std::string(std::strerror(why)), where,
                     "Close other programs, or raise the limits of processes and memory");
}

}  // namespace

void start_reader_service() {
  ReaderService& service = reader_service();
  const std::lock_guard lock(service.mutex);
  leave_to_owner(service);
  if (service.control < 0) (void)start(service);
}

void replace_fork(pid_t (*fork_process)()) {
  ReaderService& service = reader_service();
  const std::lock_guard lock(service.mutex);
  stop(service);
  service.fork_process = fork_process != nullptr ? fork_process : fork;
}

Result<ReaderProcess> ReaderProcess::start(const std::string& where) {
  ReaderService& service = reader_service();
  const std::lock_guard lock(service.mutex);
  leave_to_owner(service);
  // The service may have been killed since its last use: try a second time.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (service.control < 0 && !io::start(service)) return no_process(errno, where);
    int ends[2] = {-1, -1}, why = 0, nothing = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return no_process(errno, where);
    const int number = ++service.readers;
    const bool asked = send_number(service.control, number, ends[1]);
    close(ends[1]);
    if (asked && receive_number(service.control, why, nothing)) {
      if (why == 0) return ReaderProcess(ends[0], number);
      close(ends[0]);
      return no_process(why, where);
    }
    close(ends[0]);
    stop(service);
  }
  return no_process(ECHILD, where);
}

ReaderProcess::ReaderProcess(ReaderProcess&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), reader_(std::exchange(other.reader_, -1)) {}
ReaderProcess& ReaderProcess::operator=(ReaderProcess&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(reader_, other.reader_);
  return *this;
}

ReaderProcess::~ReaderProcess() {
  constexpr int patience = 1000;  // [ms]
  if (socket_ < 0) return;
  if (send_message(socket_, {MessageKind::close_scan, {}, -1}) && wait_for_close(socket_, patience))
    close(std::exchange(socket_, -1));
  else
    kill();
}

void ReaderProcess::kill() {
  constexpr int patience = 5000;  // [ms]; a process waiting for an unresponsive disk cannot be killed
  if (socket_ < 0) return;
  {
    // If the service has ended, its readers have ended too.
    ReaderService& service = reader_service();
    const std::lock_guard lock(service.mutex);
    if (service.control >= 0) send_number(service.control, reader_, -1);
  }
  (void)wait_for_close(socket_, patience);
  close(std::exchange(socket_, -1));
}

ReceivedMessage ReaderProcess::call(const Message& request, const CancelToken& cancel) {
  if (cancel.cancelled()) {
    ReceivedMessage arrival;
    arrival.how = Received::cancelled;
    return arrival;
  }
  send(request);
  return receive(cancel);
}

void ReaderProcess::send(const Message& request) {
  // If the process ended before it received the request, the end notice arrives instead of the reply.
  (void)send_message(socket_, request);
}

ReceivedMessage ReaderProcess::receive(const CancelToken& cancel) {
  constexpr std::size_t most = std::size_t{1} << 28;
  ReceivedMessage arrival = receive_message(socket_, most, &cancel);
  if (arrival.how != Received::message) kill();
  return arrival;
}

}  // namespace tl::io
