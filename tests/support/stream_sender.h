// StreamSender: a detector for tests: sends frames over a socket in a folder, on the thread of the test. LogSender: a
// program that measures numbers next to it.
#pragma once

#include <QString>
#include <memory>
#include <utility>

#include "core/stream/sender.h"
#include "core/stream/values/log_lines.h"
#include "core/stream/wires/wires.h"
#include "tests/support/stream_frames.h"

namespace tl::test {

class StreamSender {
 public:
  explicit StreamSender(const QString& folder) : address_(QStringLiteral("ipc://%1/frames").arg(folder)) {}

  [[nodiscard]] QString address() const { return address_; }
  [[nodiscard]] bool open() {
    auto opened = stream::Sender::open(address_.toStdString(), stream::SenderSocket::push, stream::SocketEnd::connects);
    if (opened.ok()) sender_ = std::move(opened).value();
    return sender_ != nullptr;
  }
  [[nodiscard]] bool send(const stream::Message& message) {
    const auto wire = stream::wire_of_name("array");
    return wire.ok() && sender_->send(wire.value()->encode(message), CancelToken()).ok();
  }
  // Frames of one kind with consecutive numbers.
  [[nodiscard]] bool send(stream::FrameKind kind, int64_t first, int64_t count, int64_t rows, int64_t cols) {
    for (int64_t number = first; number < first + count; ++number) {
      stream::Frame frame = stream_frame(number, kind, rows, cols);
      frame.values = {{"temperature", 20 + 0.1 * static_cast<double>(number), ""}};
      if (!send(stream::Message(std::move(frame)))) return false;
    }
    return true;
  }
  // Sends a message that no wire recognises.
  [[nodiscard]] bool send_damaged() { return sender_->send({{std::byte{1}, std::byte{2}}}, CancelToken()).ok(); }
  void close() { sender_.reset(); }

 private:
  const QString address_;
  std::unique_ptr<stream::Sender> sender_;
};

class LogSender {
 public:
  explicit LogSender(const QString& folder) : address_(QStringLiteral("ipc://%1/log").arg(folder)) {}

  [[nodiscard]] QString address() const { return address_; }
  [[nodiscard]] bool send(const std::string& name, double value, const std::string& unit) {
    if (!sender_) {
      auto opened =
          stream::Sender::open(address_.toStdString(), stream::SenderSocket::push, stream::SocketEnd::connects);
      if (!opened.ok()) return false;
      sender_ = std::move(opened).value();
    }
    stream::TimedValue one;
    one.name = name;
    one.value = value;
    one.unit = unit;
    const stream::Message line(stream::LogLines{{one}, 0});
    return sender_->send(stream::log_wire().encode(line), CancelToken()).ok();
  }

 private:
  const QString address_;
  std::unique_ptr<stream::Sender> sender_;
};

}  // namespace tl::test
