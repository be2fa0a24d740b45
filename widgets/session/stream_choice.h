// StreamChoice: where the frames of a live scan come from, and what else it is connected to.
#pragma once

#include <QString>

#include "core/stream/receiver.h"

namespace tl::ui {

struct StreamChoice {
  QString address;
  stream::ReceiverSocket socket = stream::ReceiverSocket::pull;
  stream::SocketEnd end = stream::SocketEnd::connects;
  // Addresses; empty: there is none. plugin_back: empty for its usual one.
  QString log = {}, send = {}, plugin = {}, plugin_back = {};
  QString trigger = {};  // "load > 5"; empty: a record begins at once
  double before = 0;     // what is recorded of the time before [s]
  friend bool operator==(const StreamChoice&, const StreamChoice&) = default;
};

}  // namespace tl::ui
