// Sends messages, and can be cancelled while it waits.
#include "core/stream/sender.h"

#include <cerrno>
#include <chrono>
#include <thread>
#include <zmq.hpp>

namespace tl::stream {
namespace {

constexpr int most_waiting = 64;  // messages that ZeroMQ keeps
constexpr int patience_at_end_ms = 10'000;
constexpr auto retry = std::chrono::milliseconds(100);

class ZmqSender final : public Sender {
 public:
  ZmqSender(const std::string& address, SenderSocket socket, SocketEnd end)
      : address_(address),
        socket_(context_, socket == SenderSocket::push ? zmq::socket_type::push : zmq::socket_type::xpub),
        waits_for_subscriber_(socket == SenderSocket::publish) {
    socket_.set(zmq::sockopt::linger, patience_at_end_ms);
    socket_.set(zmq::sockopt::sndhwm, most_waiting);
    socket_.set(zmq::sockopt::sndtimeo, static_cast<int>(retry.count()));
    if (end == SocketEnd::binds) {
      socket_.bind(address);
    } else {
      socket_.connect(address);
    }
  }

  Result<void> send(const OwnedParts& parts, const CancelToken& cancel) override {
    try {
      TL_TRY(wait_for_subscriber(cancel));
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto more = i + 1 < parts.size() ? zmq::send_flags::sndmore : zmq::send_flags::none;
        // Once begun, a message is sent completely: its parts belong together.
        while (!socket_.send(zmq::buffer(parts[i].data(), parts[i].size()), more))
          if (i == 0 && cancel.cancelled()) return cancelled();
      }
    } catch (const zmq::error_t& error) {
      if (error.num() == EINTR && cancel.cancelled()) return cancelled();
      return socket_error("sending failed", address_, error.num());
    }
    return ok();
  }

 private:
  // The socket receives a message for each subscription.
  Result<void> wait_for_subscriber(const CancelToken& cancel) {
    while (waits_for_subscriber_) {
      if (cancel.cancelled()) return cancelled();
      zmq::pollitem_t item{socket_.handle(), 0, ZMQ_POLLIN, 0};
      if (zmq::poll(&item, 1, retry) == 0) continue;
      zmq::message_t subscription;
      (void)socket_.recv(subscription);
      waits_for_subscriber_ = false;
    }
    return ok();
  }

  const std::string address_;
  zmq::context_t context_;
  zmq::socket_t socket_;
  bool waits_for_subscriber_;
};

}  // namespace

Result<std::unique_ptr<Sender>> Sender::open(const std::string& address, SenderSocket socket, SocketEnd end) {
  try {
    return std::unique_ptr<Sender>(std::make_unique<ZmqSender>(address, socket, end));
  } catch (const zmq::error_t& error) {
    return socket_error("nothing can be sent", address, error.num());
  }
}

}  // namespace tl::stream
