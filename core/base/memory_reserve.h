// A reserve of memory for the program: when memory runs out, small allocations still succeed until the error has been
// reported.
#pragma once

namespace tl {

// Allocates a reserve, and installs a handler of operator new that frees a part of it for each refused allocation,
// which is then tried again. Destructors and libraries that cannot report an error thereby survive until the
// out-of-memory error has ended the work; when the reserve is used up, operator new throws std::bad_alloc as usual.
// Called once, at the start of a program.
void keep_memory_reserve();

}  // namespace tl
