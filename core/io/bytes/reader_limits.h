// Limits of a reading process: memory by the size of the file, CPU time by the amount of work.
#pragma once

#include <cstdint>

namespace tl::io {

// Whether the kernel bounds the private memory of a reader. Not with the address sanitizer: its heap, which keeps freed
// memory, and its tables are private memory too, so that sound files would be refused.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool memory_is_bounded = false;
#else
inline constexpr bool memory_is_bounded = true;
#endif

// Puts this process permanently under limits: it ends by SIGXCPU if it uses more CPU time than allowed (waiting for a
// disk does not count), and allocations beyond the allowed memory fail. Without this call the functions below do
// nothing.
void limit_this_process();

// Allows private memory besides what the process has already: twice the bytes of the files plus 128 MiB. The kernel
// enforces it if memory_is_bounded; allowed_memory() gives the limit in either case.
void allow_memory_for(int64_t file_bytes);
// The private memory allowed for the files [bytes]; the largest int64_t without limits.
int64_t allowed_memory();

// Allows this many seconds of CPU time from now on.
void allow_cpu_time(double seconds);
// Adds CPU time to what is left.
void allow_more_cpu_time(double seconds);
// The same for an object (link, page, header) that is examined, of which there may be many thousands. What they leave
// unused adds up to no more than that of a request without work: a damaged file is noticed as soon behind them.
void allow_cpu_time_for_object(double seconds);
// The same for one of several pieces of a request that the library decompresses; what pieces leave unused adds up to no
// more than the time of this one.
void allow_cpu_time_for_piece(int64_t bytes);

// CPU time allowed for a request that touches so many bytes, counted decompressed [s].
double cpu_time_for(int64_t bytes);

}  // namespace tl::io
