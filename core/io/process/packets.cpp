// Sends and receives single packets, with one open file at most, by sendmsg() and recvmsg().
#include "core/io/process/packets.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tl::io {

bool send_packet(int socket, std::string_view head, std::string_view body, int file) {
  iovec parts[2] = {{const_cast<char*>(head.data()), head.size()}, {const_cast<char*>(body.data()), body.size()}};
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
  return sent == static_cast<ssize_t>(head.size() + body.size());
}

ssize_t receive_packet(int socket, void* to, std::size_t size, int* file) {
  iovec part = {to, size};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  if (file != nullptr) {
    *file = -1;
    packet.msg_control = control.data();
    packet.msg_controllen = control.size();
  }
  // If a process ended before it received a request, the connection is reset once; its end notice can still be
  // received.
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

}  // namespace tl::io
