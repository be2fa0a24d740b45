// StreamChoice: where the frames of a live scan come from.
#pragma once

#include <QString>

#include "core/stream/receiver.h"

namespace tl::ui {

struct StreamChoice {
  QString address;
  stream::ReceiverSocket socket = stream::ReceiverSocket::pull;
  stream::SocketEnd end = stream::SocketEnd::connects;
  friend bool operator==(const StreamChoice&, const StreamChoice&) = default;
};

}  // namespace tl::ui
