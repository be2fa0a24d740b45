// How much memory this process may use.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace tl {

// The least of the machine's available memory and what the control group leaves; bytes.
int64_t available_memory();

// What blocks may take where the whole process is to stay within `limit` bytes: less what the process holds already,
// and what a run takes beside its blocks. At least half of the limit: a process that is larger than that cannot keep
// it.
int64_t blocks_within(int64_t limit);
// Measured: stacks and arenas of threads, plans of transforms, buffers of file libraries; bytes.
inline constexpr int64_t run_overhead = int64_t{40} << 20;

// "4GB", "500 MiB", "1.5g", "123456" to bytes.
Result<int64_t> parse_bytes(const std::string& text);
// "1.5 GB" (powers of 1000), for messages.
std::string format_bytes(int64_t bytes);

}  // namespace tl
