// Sender: sends messages over ZeroMQ, for the simulator and tests.
#pragma once

#include <memory>
#include <string>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/stream/receiver.h"

namespace tl::stream {

// push: waits while the receiver is slow or absent; publish: waits for the first subscriber, then never.
enum class SenderSocket : uint8_t { push, publish };

class Sender {
 public:
  // Errors as Receiver::open().
  static Result<std::unique_ptr<Sender>> open(const std::string& address, SenderSocket socket, SocketEnd end);
  virtual ~Sender() = default;  // waits up to some seconds until everything is sent
  // Errors: io; cancelled.
  virtual Result<void> send(const OwnedParts& parts, const CancelToken& cancel) = 0;
};

}  // namespace tl::stream
