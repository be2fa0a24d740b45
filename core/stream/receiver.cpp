// Receives messages of several parts, and never more than fit.
#include "core/stream/receiver.h"

#include <cerrno>
#include <chrono>
#include <mutex>
#include <new>
#include <thread>
#include <vector>
#include <zmq.hpp>

#include "core/base/text.h"
#include "core/stream/wires/wires.h"

namespace tl::stream {

namespace {
constexpr const char* no_address = "this is not an address";
constexpr const char* like_this = "An address is like tcp://127.0.0.1:5558";
}  // namespace

Result<void> check_address(const std::string& address) {
  const std::size_t name = address.find("://");
  bool sound = name != std::string::npos && name > 0 && address.size() > name + 3;
  if (sound && address.starts_with("tcp:")) {
    constexpr int64_t ports = 65536;
    const std::string port = address.substr(address.rfind(':') + 1);
    const auto number = integers_of(port, 1);
    sound = port == "*" || (number && number->front() > 0 && number->front() < ports);
  }
  if (!sound) return invalid(no_address, address, like_this);
  return ok();
}

Error socket_error(const std::string& what, const std::string& address, int code) {
  if (code == EINVAL || code == EPROTONOSUPPORT || code == ENOCOMPATPROTO)
    return invalid(what + ": " + no_address, address, like_this);
  const char* hint = code == EADDRINUSE ? "Another program has this port: end it, or choose another port"
                                        : "Check the host and the port";
  return io_error(what + ": " + zmq_strerror(code), address, hint);
}

namespace {

constexpr std::size_t max_parts = 8;  // largest number of message parts; no wire has more than two
constexpr int max_waiting = 16;       // number of messages that ZeroMQ queues for us
constexpr auto look = std::chrono::milliseconds(100);

zmq::socket_type zmq_type(ReceiverSocket socket) {
  switch (socket) {
    case ReceiverSocket::subscribe: return zmq::socket_type::sub;
    case ReceiverSocket::reply: return zmq::socket_type::rep;
    case ReceiverSocket::pull: break;
  }
  return zmq::socket_type::pull;
}

class ZmqReceiver final : public Receiver {
 public:
  ZmqReceiver(const ReceiverOptions& options, Handlers handlers)
      : options_(options), handlers_(std::move(handlers)), socket_(context_, zmq_type(options.socket)) {
    socket_.set(zmq::sockopt::linger, 0);
    socket_.set(zmq::sockopt::rcvhwm, max_waiting);
    socket_.set(zmq::sockopt::maxmsgsize, options.max_message);
    if (options.socket == ReceiverSocket::subscribe) socket_.set(zmq::sockopt::subscribe, "");
    if (options.end == SocketEnd::binds) {
      socket_.bind(options.address);
    } else {
      socket_.connect(options.address);
    }
    thread_ = std::thread([this] { receive(); });
  }
  ZmqReceiver(const ZmqReceiver&) = delete;
  ZmqReceiver& operator=(const ZmqReceiver&) = delete;
  ~ZmqReceiver() override {
    ending_ = true;
    if (thread_.joinable()) thread_.join();
  }

  [[nodiscard]] ReceiverCounts counts() const override {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  void receive() {
    while (!ending_) {
      try {
        zmq::pollitem_t item{socket_.handle(), 0, ZMQ_POLLIN, 0};
        if (zmq::poll(&item, 1, look) > 0) receive_message();
      } catch (const zmq::error_t& error) {
        if (error.num() == EINTR) continue;
        handlers_.broken(socket_error("receiving failed", options_.address, error.num()));
        return;
      } catch (const std::bad_alloc&) {
        handlers_.broken(unavailable("no memory is left for a message", options_.address, "Close other programs"));
      }
    }
  }

  void receive_message() {
    std::vector<zmq::message_t> received;
    int64_t bytes = 0;
    bool more = true, too_many = false;
    while (more) {
      zmq::message_t part;
      if (!socket_.recv(part)) return;
      more = part.more();
      bytes += static_cast<int64_t>(part.size());
      too_many = too_many || received.size() >= max_parts;
      if (!too_many) received.push_back(std::move(part));
    }
    // Answered before it is decoded: a RECAST3D client waits for the answer, whatever it sent.
    if (options_.socket == ReceiverSocket::reply) {
      const int32_t taken = 1;
      socket_.send(zmq::buffer(&taken, sizeof(taken)), zmq::send_flags::none);
    }
    std::vector<Bytes> parts;
    for (const zmq::message_t& part : received)
      parts.emplace_back(static_cast<const std::byte*>(part.data()), part.size());
    Result<Message> decoded =
        too_many ? Result<Message>(invalid("a message has too many parts", options_.address)) : decode(parts);
    {
      const std::lock_guard lock(mutex_);
      ++counts_.messages;
      counts_.bytes += bytes;
      if (!decoded.ok()) ++counts_.broken;
    }
    if (!decoded.ok()) return handlers_.broken(decoded.error());
    handlers_.message(std::move(decoded).value(), *wire_);
  }

  Result<Message> decode(Parts parts) {
    const Wire* wire = options_.wire != nullptr ? options_.wire : wire_ != nullptr ? wire_ : wire_of_message(parts);
    if (wire == nullptr) return invalid("no wire has such messages", options_.address, "There are " + wire_names());
    Result<Message> message = wire->decode(parts);
    if (message.ok()) wire_ = wire;
    return message;
  }

  const ReceiverOptions options_;
  const Handlers handlers_;
  zmq::context_t context_;
  zmq::socket_t socket_;
  const Wire* wire_ = nullptr;  // wire of the last decoded message
  std::atomic<bool> ending_{false};
  mutable std::mutex mutex_;
  ReceiverCounts counts_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<Receiver>> Receiver::open(const ReceiverOptions& options, Handlers handlers) {
  try {
    return std::unique_ptr<Receiver>(std::make_unique<ZmqReceiver>(options, std::move(handlers)));
  } catch (const zmq::error_t& error) {
    return socket_error("nothing can be received", options.address, error.num());
  }
}

}  // namespace tl::stream
