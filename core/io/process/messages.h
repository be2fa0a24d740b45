// Messages between the program and its reading processes: packing, checked unpacking, and sending over sockets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/cancel.h"

namespace tl::io {

enum class MessageKind : uint32_t {
  // Requests.
  open_scan,
  read_frames,
  read_description,
  read_tree,
  close_scan,
  // Replies.
  done,
  failed,
  scan,
  text,
  tree,
  closed  // all files are closed; the process is about to end
};

struct Message {
  MessageKind kind = MessageKind::done;
  std::string body;
  int file = -1;  // an open file sent with a request; the receiver closes it
};

class MessagePacker {
 public:
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void add(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add(std::string_view text) {
    add(static_cast<uint64_t>(text.size()));
    bytes_.append(text);
  }
  void add(const std::vector<double>& values) {
    add(static_cast<uint64_t>(values.size()));
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Never reads beyond the end: missing values are zero or empty, and whole() is false then.
class MessageUnpacker {
 public:
  explicit MessageUnpacker(std::string_view bytes) : left_(bytes) {}
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  T get() {
    T value{};
    if (const std::string_view from = take(sizeof value); from.size() == sizeof value)
      from.copy(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(get<uint64_t>())); }
  std::vector<double> numbers() {
    const auto count = get<uint64_t>();
    const std::string_view from = take(count > left_.size() ? left_.size() + 1 : count * sizeof(double));
    std::vector<double> values(from.size() / sizeof(double));
    from.copy(reinterpret_cast<char*>(values.data()), from.size());
    return values;
  }
  // The number of elements of at least `least` bytes each that follow; 0 if there cannot be as many.
  std::size_t count(std::size_t least) {
    const auto n = get<uint64_t>();
    if (n > left_.size() / least) whole_ = false;
    return whole_ ? static_cast<std::size_t>(n) : 0;
  }
  // Nothing was missing, and nothing is left.
  [[nodiscard]] bool finished() const { return whole_ && left_.empty(); }
  [[nodiscard]] bool whole() const { return whole_; }

 private:
  std::string_view take(uint64_t size) {
    if (!whole_ || size > left_.size()) {
      whole_ = false;
      return {};
    }
    const std::string_view out = left_.substr(0, static_cast<std::size_t>(size));
    left_.remove_prefix(static_cast<std::size_t>(size));
    return out;
  }
  std::string_view left_;
  bool whole_ = true;
};

// How waiting for a message ended. ended: the other process ended, by `signal` if not 0.
enum class Received { message, cancelled, ended };
struct ReceivedMessage {
  Received how = Received::ended;
  Message message;
  int signal = 0;
};

// Sockets are of type SOCK_SEQPACKET; a message is one or more packets. False: the other end is closed.
bool send_message(int socket, const Message& message);
// Waits for a message of at most `most` bytes; a longer or malformed one counts as the end of the other process. Checks
// `cancel` every 20 ms.
ReceivedMessage receive_message(int socket, std::size_t most, const CancelToken* cancel);
// The end notice that the parent of an ended process writes into that process's end of the socket.
void send_end(int socket, int signal);
// Waits for MessageKind::closed, for the end notice, or until every copy of the other end is closed; drops all other
// packets. False: not within `patience` ms.
bool wait_for_close(int socket, int patience);

}  // namespace tl::io
