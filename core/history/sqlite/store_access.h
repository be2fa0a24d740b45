// How the store opens its file: shared by its writing and its reading part.
#pragma once

#include "core/history/sqlite/sql.h"

namespace tl::history {

// false: there is no history yet.
Result<bool> open_to_read(Connection& db, const std::filesystem::path& file);
// Creates file and tables if there are none, and begins a transaction.
Result<void> open_to_write(Connection& db, const std::filesystem::path& file);
// Whether the process that wrote a row still runs; true for one of another machine.
bool is_alive(const std::string& process);

}  // namespace tl::history
