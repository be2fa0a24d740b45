// Sends and receives messages between the program and its reading processes, split into packets.
#include "core/io/process/messages.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "core/io/process/packets.h"

namespace tl::io {
namespace {

enum class Tag : uint32_t { first = 0x746c4d31, more, end };
struct PacketHead {
  Tag tag;
  uint32_t kind;  // kind of the message; for Tag::end the signal number
  uint64_t size;  // of the whole message
};
constexpr std::size_t packet_bytes = 60000, body_bytes = packet_bytes - sizeof(PacketHead);

std::string_view bytes_of(const PacketHead& head) { return {reinterpret_cast<const char*>(&head), sizeof head}; }

bool wait_for_packet(int socket, const CancelToken* cancel) {
  constexpr int patience = 20;  // [ms]
  pollfd one = {socket, POLLIN, 0};
  while (true) {
    const int ready = poll(&one, 1, cancel != nullptr ? patience : -1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // receiving gives the error
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
    const PacketHead head = {tag, static_cast<uint32_t>(message.kind), message.body.size()};
    if (!send_packet(socket, bytes_of(head), part, file)) return false;
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

bool wait_for_close(int socket, int patience) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(patience);
  std::array<char, packet_bytes> buffer;  // NOLINT: not initialised, to save time, as it is large
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd one = {socket, POLLIN, 0};
    const int ready = poll(&one, 1, static_cast<int>(std::max<int64_t>(left, 0)));
    if (ready == 0) return false;
    if (ready < 0) continue;
    const ssize_t got = receive_packet(socket, buffer.data(), buffer.size());
    PacketHead head{};
    if (got < static_cast<ssize_t>(sizeof head)) return true;
    std::memcpy(&head, buffer.data(), sizeof head);
    if (head.tag == Tag::end || head.kind == static_cast<uint32_t>(MessageKind::closed)) return true;
  }
}

ReceivedMessage receive_message(int socket, std::size_t most, const CancelToken* cancel) {
  std::array<char, packet_bytes> buffer;  // NOLINT: not initialised, to save time, as it is large
  ReceivedMessage out;
  int* file = cancel == nullptr ? &out.message.file : nullptr;  // only requests bring files
  Tag wanted = Tag::first;
  uint64_t size = 0;
  do {
    if (!wait_for_packet(socket, cancel)) {
      out.how = Received::cancelled;
      return out;
    }
    const ssize_t got = receive_packet(socket, buffer.data(), buffer.size(), file);
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
