// Messages between the program and its reading processes, sent over sockets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/cancel.h"

namespace tl::io {

enum class MessageKind : uint32_t {
  // Requests.
  open_scan,
  read_frames,
  read_description,
  read_tree,
  close_scan,
  // Replies.
  done,
  failed,
  scan,
  text,
  tree,
  closed  // all files are closed; the process is about to end
};

struct Message {
  MessageKind kind = MessageKind::done;
  std::string body;
  int file = -1;  // an open file sent with a request; the receiver closes it
};

// How waiting for a message ended. ended: the other process ended, by the given signal if it is not 0.
enum class Received { message, cancelled, ended };
struct ReceivedMessage {
  Received how = Received::ended;
  Message message;
  int signal = 0;
};

// Sockets are of type SOCK_SEQPACKET; a message is one or more packets. False: the other end is closed.
bool send_message(int socket, const Message& message);
// Waits for a message of at most `most` bytes; a longer or malformed one counts as the end of the other process. Checks
// `cancel` every 20 ms.
ReceivedMessage receive_message(int socket, std::size_t most, const CancelToken* cancel);
// Sends the notice that a process has ended: the parent writes it into that process's end of the socket.
void send_end(int socket, int signal);
// Waits for MessageKind::closed, for the end notice, or until every copy of the other end is closed; drops all other
// packets. False: none of these within `patience` ms.
bool wait_for_close(int socket, int patience);

}  // namespace tl::io
