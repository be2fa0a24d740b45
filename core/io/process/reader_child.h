// The reading process: opens a scan on request and reads frames into shared memory.
#pragma once

namespace tl::io {

// Initialisation that every reader needs, done once before they are forked.
void prepare_readers();
// Answers requests from the socket until it closes. Never returns.
[[noreturn]] void serve_reader(int socket);

}  // namespace tl::io
