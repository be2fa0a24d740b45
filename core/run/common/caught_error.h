// Converts the exception that is being handled to an Error.
#pragma once

#include <string>

#include "core/base/error.h"

namespace tl {

// Call it only within a catch clause. A refused allocation, ours or torch's, is `unavailable`; a file system error is
// `io`; everything that no input can cause is `internal`.
Error caught_error();
// "out of memory", with a hint.
Error out_of_memory();

}  // namespace tl
