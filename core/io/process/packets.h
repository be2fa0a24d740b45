// Sends and receives single packets on SOCK_SEQPACKET sockets, optionally with an open file.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string_view>

namespace tl::io {

// Sends head and body as one packet, with `file` unless -1. False: the other end is closed.
bool send_packet(int socket, std::string_view head, std::string_view body, int file = -1);

// Receives a packet and returns its size; 0 at the end of the connection, and for a packet longer than `size`. A file
// is received only if `file` is not null, and is -1 if none was sent; the caller closes it.
ssize_t receive_packet(int socket, void* to, std::size_t size, int* file = nullptr);

}  // namespace tl::io
