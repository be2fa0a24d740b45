// Limits of a reading process: memory by the size of the file, CPU time by the amount of work.
#pragma once

#include <cstdint>

namespace tl::io {

// Whether the kernel limits the private memory of a reader. Not with the address sanitizer: its heap, which keeps freed
// memory, and its tables count as private memory, so that intact files would be refused.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool memory_is_bounded = false;
#else
inline constexpr bool memory_is_bounded = true;
#endif

// Limits this process permanently: it is ended by SIGXCPU if it uses more CPU time than allowed (waiting for a disk
// does not count), and allocations beyond the allowed memory fail. Without this call the functions below do
// nothing.
void limit_this_process();

// Allows private memory in addition to what the process has already: twice the size of the files plus 128 MiB. The
// kernel enforces it if memory_is_bounded; allowed_memory() returns the limit in either case.
void allow_memory_for(int64_t file_bytes);
// The private memory allowed for the files [bytes]; the largest int64_t without limits.
int64_t allowed_memory();

// Allows this many seconds of CPU time from now on.
void allow_cpu_time(double seconds);
// Adds CPU time to the remaining time [s].
void allow_more_cpu_time(double seconds);
// Adds CPU time for an object (link, page, header) that is examined; there may be many thousands. Unused time of
// objects adds up to at most the time of a request without work, so that a damaged file is still detected soon.
void allow_cpu_time_for_object(double seconds);
// Adds CPU time for one of several pieces of a request that the library decompresses; unused time of earlier pieces
// adds up to at most the time of this piece.
void allow_cpu_time_for_piece(int64_t bytes);

// CPU time allowed for a request that reads so many bytes, counted after decompression [s].
double cpu_time_for(int64_t bytes);

}  // namespace tl::io
