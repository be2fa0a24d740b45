// A reserve of memory for programs: where memory runs out, small allocations go on succeeding until the error has been
// reported.
#pragma once

namespace tl {

// Sets some memory aside, and a handler of operator new that returns a part of it to the system for each allocation
// that is refused, which then is tried again. Destructors and libraries that cannot report an error thereby survive
// until the error that memory ran out has ended the work; when nothing is left, operator new throws std::bad_alloc as
// usual. Called once, at the start of a program.
void keep_memory_reserve();

}  // namespace tl
