// The service is a process without threads that waits for sockets: it forks a reader for each and tells through the
// same socket how the reader ended.
#include "core/io/process/reader_service.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// The header of glibc 2.36 does not say that its functions are C.
extern "C" {
#include <sys/pidfd.h>
}

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "core/io/hdf5/file.h"
#include "core/io/process/reader_child.h"

namespace tl::io {
namespace {

// One for the process, because fork copies all of it.
struct ReaderService {
  std::mutex mutex;
  int control = -1;
  pid_t process = -1, owner = -1;  // owner: who may ask it
  pid_t (*fork_process)() = fork;
};
ReaderService& reader_service() {
  static ReaderService service;
  return service;
}

// A number and perhaps an open file. The reader side gives -1 where none came.
bool send_number(int socket, int number, int file) {
  iovec part = {&number, sizeof number};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  if (file >= 0) {
    packet.msg_control = control.data();
    packet.msg_controllen = control.size();
    cmsghdr* rights = CMSG_FIRSTHDR(&packet);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(rights), &file, sizeof file);
  }
  return sendmsg(socket, &packet, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof number);
}

bool receive_number(int socket, int& number, int& file) {
  iovec part = {&number, sizeof number};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  packet.msg_control = control.data();
  packet.msg_controllen = control.size();
  ssize_t got = -1;
  do {
    got = recvmsg(socket, &packet, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  file = -1;
  if (got != static_cast<ssize_t>(sizeof number)) return false;
  if (const cmsghdr* rights = CMSG_FIRSTHDR(&packet); rights != nullptr && rights->cmsg_type == SCM_RIGHTS)
    std::memcpy(&file, CMSG_DATA(rights), sizeof file);
  return true;
}

// After a fork: only `socket` stays open, as number 3; nothing is printed; the keyboard's and the session's signals are
// for the program, which ends us.
int leave_parent(int socket, const char* name) {
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
  close_range(ours + 1, ~0U, 0);
  return ours;
}

struct RunningReader {
  pid_t pid;
  int process, socket;
};

// Signal by which it ended; 0 if it left by itself.
int ended_by(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void start_reader(int control, int socket, pid_t (*fork_process)(), std::vector<RunningReader>& readers) {
  const pid_t service = getpid(), pid = fork_process();
  if (pid == 0) {
    const int ours = leave_parent(socket, "tomoloom-reader");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != service) _exit(0);
    serve_reader(ours);
  }
  const int process = pid > 0 ? pidfd_open(pid, 0) : -1;
  if (process < 0) {
    const int why = errno;
    if (pid > 0) {
      kill(pid, SIGKILL);
      ended_by(pid);
    }
    close(socket);
    send_number(control, why == 0 ? EAGAIN : why, -1);
    return;
  }
  send_number(control, 0, process);
  readers.push_back({pid, process, socket});
}

[[noreturn]] void run_service(int control, pid_t (*fork_process)()) {
  prepare_readers();
  std::vector<RunningReader> readers;
  while (true) {
    std::vector<pollfd> waiting = {{control, POLLIN, 0}};
    for (const RunningReader& one : readers) waiting.push_back({one.process, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
    for (std::size_t i = readers.size(); i-- > 0;) {
      if (waiting[i + 1].revents == 0) continue;
      send_end(readers[i].socket, ended_by(readers[i].pid));
      close(readers[i].socket);
      close(readers[i].process);
      readers.erase(readers.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (waiting[0].revents == 0) continue;
    int number = 0, socket = -1;
    if (!receive_number(control, number, socket)) _exit(0);  // the program ended, and with us our readers
    if (socket >= 0) start_reader(control, socket, fork_process, readers);
  }
}

void stop(ReaderService& service) {
  if (service.control >= 0) close(std::exchange(service.control, -1));
  if (service.process > 0 && service.owner == getpid()) ended_by(service.process);
  service.process = -1;
}

// A copy of a program does not ask the service of the original, whose answers it would take away.
void leave_to_owner(ReaderService& service) {
  if (service.control >= 0 && service.owner != getpid()) stop(service);
}

// False, with the reason in errno, when the service cannot be started.
bool start(ReaderService& service) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  pid_t pid = -1;
  int why = 0;
  {
    // A thread that writes an HDF5 file holds the library's own lock, which a copy of the process would wait for.
    const std::lock_guard lock(hdf5_mutex());
    pid = service.fork_process();
    why = errno;
  }
  if (pid == 0) run_service(leave_parent(ends[1], "tomoloom-files"), service.fork_process);
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
                     "End other programs, or raise the limits of processes and memory");
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
  // The service may have been killed since it was last used: then once more.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (service.control < 0 && !io::start(service)) return no_process(errno, where);
    int ends[2] = {-1, -1}, why = 0, process = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return no_process(errno, where);
    const bool asked = send_number(service.control, 0, ends[1]);
    close(ends[1]);
    if (asked && receive_number(service.control, why, process)) {
      if (process >= 0) return ReaderProcess(ends[0], process);
      close(ends[0]);
      return no_process(why, where);
    }
    close(ends[0]);
    stop(service);
  }
  return no_process(ECHILD, where);
}

ReaderProcess::ReaderProcess(ReaderProcess&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), process_(std::exchange(other.process_, -1)) {}
ReaderProcess& ReaderProcess::operator=(ReaderProcess&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(process_, other.process_);
  return *this;
}

ReaderProcess::~ReaderProcess() {
  if (socket_ < 0) return;
  constexpr int patience = 1000;  // [ms]
  pollfd gone = {process_, POLLIN, 0};
  if (send_message(socket_, {MessageKind::close_scan, {}, -1})) poll(&gone, 1, patience);
  kill();  // one that ended stays ended
}

void ReaderProcess::kill() {
  if (socket_ < 0) return;
  pidfd_send_signal(process_, SIGKILL, nullptr, 0);
  pollfd gone = {process_, POLLIN, 0};
  while (poll(&gone, 1, -1) < 0 && errno == EINTR) {
  }
  close(std::exchange(socket_, -1));
  close(std::exchange(process_, -1));
}

Arrival ReaderProcess::call(const Message& request, const CancelToken& cancel) {
  constexpr std::size_t most = std::size_t{1} << 28;
  Arrival arrival;
  if (cancel.cancelled()) {
    arrival.how = Received::cancelled;
    return arrival;
  }
  // A process that ended before it took the request has left its end to be received.
  (void)send_message(socket_, request);
  arrival = receive_message(socket_, most, &cancel);
  if (arrival.how != Received::message) kill();
  return arrival;
}

}  // namespace tl::io
