// Packets on sockets.
#include "core/io/process/messages.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace tl::io {
namespace {

enum class Tag : uint32_t { first = 0x746c4d31, more, end };
struct PacketHead {
  Tag tag;
  uint32_t kind;  // of the message; end: the signal
  uint64_t size;  // of the whole message
};
constexpr std::size_t packet_bytes = 60000, body_bytes = packet_bytes - sizeof(PacketHead);

bool send_packet(int socket, const PacketHead& head, std::string_view part, int file) {
  iovec parts[2] = {{const_cast<PacketHead*>(&head), sizeof head}, {const_cast<char*>(part.data()), part.size()}};
  msghdr packet{};
  packet.msg_iov = parts;
  packet.msg_iovlen = 2;
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
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &packet, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof head + part.size());
}

// One packet into `buffer`; its size, 0 at the end of the connection. A file is taken only where one may come.
ssize_t receive_packet(int socket, std::vector<char>& buffer, int* file) {
  iovec part = {buffer.data(), buffer.size()};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  if (file != nullptr) {
    packet.msg_control = control.data();
    packet.msg_controllen = control.size();
  }
  // A process that ended before it took a request resets the connection, once; what was said of its end comes after.
  ssize_t got = -1;
  bool reset = false, again = false;
  do {
    got = recvmsg(socket, &packet, MSG_CMSG_CLOEXEC);
    again = got < 0 && (errno == EINTR || (errno == ECONNRESET && !reset));
    reset = reset || (got < 0 && errno == ECONNRESET);
  } while (again);
  if (got <= 0) return 0;
  if (file != nullptr)
    if (const cmsghdr* rights = CMSG_FIRSTHDR(&packet); rights != nullptr && rights->cmsg_type == SCM_RIGHTS)
      std::memcpy(file, CMSG_DATA(rights), sizeof *file);
  return (packet.msg_flags & MSG_TRUNC) != 0 ? 0 : got;
}

bool wait_for_packet(int socket, const CancelToken* cancel) {
  constexpr int patience = 20;  // [ms]
  pollfd one = {socket, POLLIN, 0};
  while (true) {
    const int ready = poll(&one, 1, cancel != nullptr ? patience : -1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // receiving says why
    if (cancel != nullptr && cancel->cancelled()) return false;
  }
}

}  // namespace

bool send_message(int socket, const Message& message) {
  std::string_view left = message.body;
  Tag tag = Tag::first;
  int file = message.file;
  do {
    const std::string_view part = left.substr(0, body_bytes);
    if (!send_packet(socket, {tag, static_cast<uint32_t>(message.kind), message.body.size()}, part, file)) return false;
    left.remove_prefix(part.size());
    tag = Tag::more;
    file = -1;
  } while (!left.empty());
  return true;
}

void send_end(int socket, int signal) {
  const PacketHead head = {Tag::end, static_cast<uint32_t>(signal), 0};
  (void)send(socket, &head, sizeof head, MSG_NOSIGNAL | MSG_DONTWAIT);
}

Arrival receive_message(int socket, std::size_t most, const CancelToken* cancel) {
  std::vector<char> buffer(packet_bytes);
  Arrival out;
  int* file = cancel == nullptr ? &out.message.file : nullptr;  // only requests bring files
  Tag wanted = Tag::first;
  uint64_t size = 0;
  do {
    if (!wait_for_packet(socket, cancel)) {
      out.how = Received::cancelled;
      return out;
    }
    const ssize_t got = receive_packet(socket, buffer, file);
    PacketHead head{};
    if (got < static_cast<ssize_t>(sizeof head)) return out;
    std::memcpy(&head, buffer.data(), sizeof head);
    if (head.tag == Tag::end) {
      out.signal = static_cast<int>(head.kind);
      return out;
    }
    if (wanted == Tag::first) size = head.size;
    const std::size_t part = static_cast<std::size_t>(got) - sizeof head;
    if (head.tag != wanted || head.size != size || size > most || part > size - out.message.body.size() ||
        (part == 0 && size > 0))
      return out;
    out.message.kind = static_cast<MessageKind>(head.kind);
    out.message.body.append(buffer.data() + sizeof head, part);
    wanted = Tag::more;
  } while (out.message.body.size() < size);
  out.how = Received::message;
  return out;
}

}  // namespace tl::io
