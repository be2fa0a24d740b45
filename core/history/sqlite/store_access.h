// How the store opens its file: shared by its writing and its reading half.
#pragma once

#include "core/history/sqlite/sql.h"

namespace tl::history {

// false: there is no history yet.
Result<bool> open_to_read(Connection& db, const std::filesystem::path& file);
// Makes file and tables if there are none. A transaction has begun.
Result<void> open_to_write(Connection& db, const std::filesystem::path& file);
// Whether the process that wrote a row still runs; true for one of another machine.
bool is_alive(const std::string& process);

}  // namespace tl::history
