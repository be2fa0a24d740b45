// How much memory this process may use; amounts of memory as text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace tl {

// The smaller of the machine's available memory and the limit of the control groups [bytes].
int64_t available_memory();
// Bytes that the control groups of this process and all their ancestors still allow; the largest int64_t if there is no
// limit. `membership` and `mount` are /proc/self/cgroup and /sys/fs/cgroup, of version 1 or 2.
int64_t group_memory(const std::filesystem::path& membership, const std::filesystem::path& mount);

// Bytes for blocks if the resident set of the process shall stay within `limit` bytes: the limit less what is resident
// already, libraries included, less run_overhead. Invalid, naming the least sensible limit, if too little is left.
Result<int64_t> blocks_within(int64_t limit);
// Memory of a run in addition to its blocks [bytes]: code pages loaded by a run, stacks and arenas of threads, plans of
// transforms, buffers of file libraries. Measured with AVX2, where it is largest.
inline constexpr int64_t run_overhead = int64_t{128} << 20;
inline constexpr int64_t min_for_blocks = int64_t{32} << 20;

// "4GB", "500 MiB", "1.5g", "123456" to bytes.
Result<int64_t> parse_bytes(const std::string& text);
// "1.5 GB" (powers of 1000), for messages.
std::string format_bytes(int64_t bytes);

}  // namespace tl
