// Publishes planes.
#include "core/stream/planes/plane_publisher.h"

#include <chrono>
#include <mutex>
#include <zmq.hpp>

#include "core/base/text.h"
#include "core/graph/json_document.h"
#include "core/stream/receiver.h"
#include "core/stream/wires/wire.h"

namespace tl::stream {
namespace {

constexpr int max_unsent = 16;        // number of messages that ZeroMQ queues for a slow subscriber
constexpr int wait_at_end_ms = 1000;  // so that the last planes can be sent

class ZmqPlanePublisher final : public PlanePublisher {
 public:
  explicit ZmqPlanePublisher(const std::string& address) : address_(address), socket_(context_, zmq::socket_type::pub) {
    socket_.set(zmq::sockopt::linger, wait_at_end_ms);
    socket_.set(zmq::sockopt::sndhwm, max_unsent);
    socket_.bind(address);
  }

  Result<void> send(const Plane& plane) override {
    if (plane.rows < 1 || plane.cols < 1 || plane.rows > max_side || plane.cols > max_side ||
        std::ssize(plane.values) != plane.rows * plane.cols)
      return invalid("a plane has other values than its shape says", address_);
    // It has the number of the window, so that receivers can group planes of a window.
    const json::Json header = {{"htype", "array-1.0"}, {"shape", {plane.rows, plane.cols}},
                               {"type", "float32"},    {"frame", plane.window},
                               {"plane", plane.id},    {"name", plane.name}};
    const std::string text = header.dump(-1, ' ', false, json::Json::error_handler_t::replace);
    const std::size_t bytes = plane.values.size() * sizeof(float);
    const std::lock_guard lock(mutex_);
    try {
      socket_.send(zmq::buffer(text), zmq::send_flags::sndmore);
      socket_.send(zmq::buffer(plane.values.data(), bytes), zmq::send_flags::dontwait);
    } catch (const zmq::error_t& error) {
      return socket_error("a plane cannot be sent", address_, error.num());
    }
    last_ = Clock::now();
    if (planes_ == 0) first_ = last_;
    ++planes_;
    bytes_ += static_cast<int64_t>(text.size() + bytes);
    return ok();
  }

  [[nodiscard]] PlaneCounts counts() const override {
    const std::lock_guard lock(mutex_);
    PlaneCounts counts{planes_, bytes_, {}, {}};
    const double seconds = std::chrono::duration<double>(last_ - first_).count();
    if (planes_ < 2 || !(seconds > 0)) return counts;
    // There is one interval less than planes.
    const auto planes = static_cast<double>(planes_);
    counts.planes_per_second = (planes - 1) / seconds;
    counts.bytes_per_second = static_cast<double>(bytes_) * (planes - 1) / planes / seconds;
    return counts;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::string address_;
  zmq::context_t context_;
  zmq::socket_t socket_;
  mutable std::mutex mutex_;
  Clock::time_point first_, last_;
  int64_t planes_ = 0, bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<PlanePublisher>> PlanePublisher::open(const std::string& address) {
  try {
    return std::unique_ptr<PlanePublisher>(std::make_unique<ZmqPlanePublisher>(address));
  } catch (const zmq::error_t& error) {
    return socket_error("planes cannot be sent", address, error.num());
  }
}

}  // namespace tl::stream
