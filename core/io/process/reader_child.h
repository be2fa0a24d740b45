// The reading process: opens a scan on request and reads frames into shared memory.
#pragma once

namespace tl::io {

// Initialisation that every reading process needs, done once before forking.
void prepare_readers();
// Answers requests from the socket until it closes. Never returns.
[[noreturn]] void serve_reader(int socket);

}  // namespace tl::io
