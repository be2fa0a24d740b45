// Limits of a process that reads foreign files: memory by the size of the file, processor time by the work there is.
#pragma once

#include <cstdint>

namespace tl::io {

// Puts this process under limits, for good: it ends by SIGXCPU when it uses more processor time than allowed (waiting
// for a disk is none), and allocations fail beyond the memory allowed. Without this call the functions below do
// nothing.
void begin_limits();

// Private memory on top of what the program itself has: twice the bytes of the files, and some for small ones.
void allow_memory_for(int64_t file_bytes);
// The most private memory that the files may take [bytes]; the largest number without limits.
int64_t allowed_memory();

// From now on that many seconds of the processor.
void allow_time(double seconds);
// The same on top of what is left: for every object that was looked at.
void allow_more_time(double seconds);

// What is allowed for a request that touches so many bytes, counted unpacked. [s]
double time_for(int64_t bytes);

}  // namespace tl::io
