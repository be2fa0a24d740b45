// The exception that is being handled, as an Error.
#pragma once

#include <string>

#include "core/base/error.h"

namespace tl {

// Within a catch clause, and only there. A refused allocation, of ours or of torch, is `unavailable`; a file system's
// complaint is `io`; everything that no input can cause is `internal`.
Error caught_error();
// "out of memory", with what to do about it.
Error out_of_memory();

}  // namespace tl
