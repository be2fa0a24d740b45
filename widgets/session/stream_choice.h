// StreamChoice: the source of the frames of a live scan, and its other connections.
#pragma once

#include <QString>

#include "core/stream/receiver.h"

namespace tl::ui {

struct StreamChoice {
  QString address;
  stream::ReceiverSocket socket = stream::ReceiverSocket::pull;
  stream::SocketEnd end = stream::SocketEnd::connects;
  // Addresses; empty: there is none. plugin_back: empty for the default address.
  QString log = {}, send = {}, plugin = {}, plugin_back = {};
  QString trigger = {};  // such as "load > 5"; empty: a record begins at once
  double before = 0;     // recorded time before the trigger [s]
  friend bool operator==(const StreamChoice&, const StreamChoice&) = default;
};

}  // namespace tl::ui
