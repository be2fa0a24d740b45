// What a reading process does: opens the scan that it is asked for and reads frames into shared memory.
#pragma once

namespace tl::io {

// What every reader would do first, done once before they are forked.
void prepare_readers();
// Answers the requests that come through the socket until it closes. Never returns.
[[noreturn]] void serve_reader(int socket);

}  // namespace tl::io
