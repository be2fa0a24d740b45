// StreamSender: a detector for tests: sends frames over a socket in a folder, on the thread of the test.
#pragma once

#include <QString>
#include <memory>
#include <utility>

#include "core/stream/sender.h"
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
  void close() { sender_.reset(); }

 private:
  const QString address_;
  std::unique_ptr<stream::Sender> sender_;
};

}  // namespace tl::test
