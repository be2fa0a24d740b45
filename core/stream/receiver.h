// Receiver: a thread that receives messages over ZeroMQ and decodes them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/stream/wires/wire.h"

namespace tl::stream {

// pull: the sender waits when we are slow; subscribe: messages are lost then; reply: each message is answered by an
// int32 1.
enum class ReceiverSocket : uint8_t { pull, subscribe, reply };
// Which end of a connection binds the fixed address.
enum class SocketEnd : uint8_t { connects, binds };

struct ReceiverOptions {
  std::string address;  // "tcp://127.0.0.1:5558"
  ReceiverSocket socket = ReceiverSocket::pull;
  SocketEnd end = SocketEnd::connects;
  const Wire* wire = nullptr;              // null: determined by the first message that a wire recognises
  int64_t max_message = int64_t{1} << 30;  // a peer that sends a larger one is disconnected [bytes]
};

struct ReceiverCounts {
  int64_t messages = 0, broken = 0, bytes = 0;
};

class Receiver {
 public:
  // Called on the receiver's thread. While a handler runs, nothing is received.
  struct Handlers {
    std::function<void(Message message, const Wire& wire)> message;
    std::function<void(const Error& error)> broken;
  };
  // Errors: io (the port is taken, no permission), invalid (the address).
  static Result<std::unique_ptr<Receiver>> open(const ReceiverOptions& options, Handlers handlers);
  virtual ~Receiver() = default;  // ends the thread
  [[nodiscard]] virtual ReceiverCounts counts() const = 0;
};

// Invalid if it does not have the form of an address. Opens nothing.
Result<void> check_address(const std::string& address);
// An error of ZeroMQ about an address, converted to an Error.
Error socket_error(const std::string& what, const std::string& address, int code);

}  // namespace tl::stream
