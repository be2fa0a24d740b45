// Sends planes to a plug-in and receives its results, on one thread.
#include "core/stream/planes/plugin_link.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <zmq.hpp>

#include "core/stream/planes/slice_packet.h"
#include "core/stream/receiver.h"

namespace tl::stream {
namespace {

constexpr auto plugin_look = std::chrono::milliseconds(20);
constexpr int64_t max_packet = int64_t{1} << 30;  // bytes

class ZmqPluginLink final : public PluginLink {
 public:
  explicit ZmqPluginLink(PluginOptions options)
      : options_(std::move(options)), out_(context_, zmq::socket_type::req), back_(context_, zmq::socket_type::rep) {
    for (zmq::socket_t* socket : {&out_, &back_}) {
      socket->set(zmq::sockopt::linger, 0);
      socket->set(zmq::sockopt::maxmsgsize, max_packet);
    }
    back_.bind(options_.back);
    out_.connect(options_.address);
    thread_ = std::thread([this] { work(); });
  }
  ZmqPluginLink(const ZmqPluginLink&) = delete;
  ZmqPluginLink& operator=(const ZmqPluginLink&) = delete;
  ~ZmqPluginLink() override {
    ending_ = true;
    thread_.join();
  }

  void send(Plane plane) override {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = waiting_.insert_or_assign(plane.id, std::move(plane));
    if (!is_new) ++counts_.skipped;
  }

  [[nodiscard]] PluginCounts counts() const override {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  void work() {
    while (!ending_) {
      try {
        if (!waits_for_answer_) send_next();
        std::array<zmq::pollitem_t, 2> items{{{out_.handle(), 0, ZMQ_POLLIN, 0}, {back_.handle(), 0, ZMQ_POLLIN, 0}}};
        zmq::poll(items.data(), items.size(), plugin_look);
        if ((items[0].revents & ZMQ_POLLIN) != 0) {
          zmq::message_t answer;
          (void)out_.recv(answer);
          waits_for_answer_ = false;
        }
        if ((items[1].revents & ZMQ_POLLIN) != 0) take_result();
      } catch (const zmq::error_t& error) {
        if (error.num() != EINTR) return;
      }
    }
  }

  void send_next() {
    std::optional<Plane> plane;
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.empty()) return;
      plane = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
    }
    const OwnedParts parts = encode_slice(*plane);
    // Without a plug-in there is no receiver yet.
    const auto sent = out_.send(zmq::buffer(parts[0].data(), parts[0].size()), zmq::send_flags::dontwait);
    const std::lock_guard lock(mutex_);
    if (sent) {
      waits_for_answer_ = true;
      ++counts_.sent;
      plane->values.clear();
      sent_[plane->id] = std::move(*plane);
    } else {
      waiting_.try_emplace(plane->id, std::move(*plane));
    }
  }

  void take_result() {
    std::vector<zmq::message_t> received;
    bool more = true;
    while (more) {
      zmq::message_t part;
      if (!back_.recv(part)) return;
      more = part.more();
      if (received.size() < 2) received.push_back(std::move(part));  // one part too many suffices to refuse it
    }
    const int32_t taken = 1;
    back_.send(zmq::buffer(&taken, sizeof(taken)), zmq::send_flags::none);
    std::vector<Bytes> parts;
    for (const zmq::message_t& part : received)
      parts.emplace_back(static_cast<const std::byte*>(part.data()), part.size());
    Result<Plane> plane = decode_slice(parts);
    {
      const std::lock_guard lock(mutex_);
      const auto asked = plane.ok() ? sent_.find(plane.value().id) : sent_.end();
      // A plane that was not requested is not from our plug-in.
      if (asked == sent_.end()) {
        ++counts_.broken;
        return;
      }
      ++counts_.returned;
      plane.value().name = asked->second.name;
      plane.value().window = asked->second.window;
    }
    options_.returned(std::move(plane).value());
  }

  const PluginOptions options_;
  zmq::context_t context_;
  zmq::socket_t out_, back_;
  std::atomic<bool> ending_{false};
  bool waits_for_answer_ = false;
  mutable std::mutex mutex_;
  std::map<int64_t, Plane> waiting_, sent_;  // by id; sent planes are stored without their values
  PluginCounts counts_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

Result<std::unique_ptr<PluginLink>> PluginLink::open(PluginOptions options) {
  const std::string addresses = options.address + ", " + options.back;
  try {
    return std::unique_ptr<PluginLink>(std::make_unique<ZmqPluginLink>(std::move(options)));
  } catch (const zmq::error_t& error) {
    return socket_error("the plug-in cannot be used", addresses, error.num());
  }
}

}  // namespace tl::stream
