// Single packets on sockets of the kind SOCK_SEQPACKET, each perhaps with an open file.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string_view>

namespace tl::io {

// Sends both pieces as one packet, and `file` with it unless -1. False: the other end is gone.
bool send_packet(int socket, std::string_view head, std::string_view body, int file = -1);

// Bytes of the packet that came; 0 at the end of the connection, and for a packet longer than `size`. A file is taken
// only where there is a place for it, which is -1 where none came; whoever gets it closes it.
ssize_t receive_packet(int socket, void* to, std::size_t size, int* file = nullptr);

}  // namespace tl::io
