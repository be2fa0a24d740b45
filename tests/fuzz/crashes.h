// Distinguishes crashes of HDF5's library from ours: the library reads damaged files beyond its buffers; ours must not.
#pragma once

namespace tl::fuzz {

// From now on a crash in HDF5's library, what the address sanitizer finds there, or the end of the allowed processor
// time while it works, ends this process, or one that it forks, by a signal. Any other crash or end of time ends it
// with `our_crash`, what the sanitizers find elsewhere with their own code.
void distinguish_crashes();

inline constexpr int our_crash = 3;

}  // namespace tl::fuzz
