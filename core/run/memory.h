// How much memory this process may use.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace tl {

// The least of the machine's available memory and what the control group leaves; bytes.
int64_t available_memory();

// "4GB", "500 MiB", "1.5g", "123456" to bytes.
Result<int64_t> parse_bytes(const std::string& text);
// "1.5 GB" (powers of 1000), for messages.
std::string format_bytes(int64_t bytes);

}  // namespace tl
