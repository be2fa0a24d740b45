// Store: the history as an SQLite file that several programs read and write at the same time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/history/entry.h"

namespace tl::history {

// What TL_HISTORY says ("off", or a file), else tomoloom/history.sqlite in the user's folder for data. Empty: off, or
// there is no such folder.
std::filesystem::path default_file();

// Which entries are wanted; empty members want all. All of them must fit.
struct Filter {
  std::string text = {};       // anywhere in title, file names, names and values of parameters, verdicts, errors
  std::string scan = {};       // in the path of an input
  std::string parameter = {};  // "axis", "axis.axis", or with a comparison: "cutoff<0.5", "method=fbp"
  std::string verdict = {};    // "resolved"
  std::string kind = {};       // "run", "learning", "training", "export"
  double since = 0;            // begun at this time or later; seconds since 1970
  int64_t limit = -1;          // the newest so many
};

// What is listed: without records, which may be long.
struct Listing {
  std::vector<Entry> entries;  // newest first
  int64_t all = 0;             // entries of the history, filtered or not
};

// Every call opens the file, and is atomic: a killed program leaves whole rows or none. Any thread. An empty file name
// is a history that is off: it takes everything and lists nothing. Errors: io if it is damaged, read-only, of another
// program or in use for more than five seconds; invalid if a newer version made it. Reading works on read-only files.
class Store {
 public:
  explicit Store(std::filesystem::path file) : file_(std::move(file)) {}
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] bool is_off() const { return file_.empty(); }

  // The id of the new row; 0 if the history is off. The row belongs to this process: while it is `running` and this
  // process is gone, it is read as `interrupted`.
  Result<int64_t> add(const Entry& entry) const;
  Result<void> update(const Entry& entry) const;  // the row with its id; nothing if it was deleted meanwhile
  Result<void> remove(const std::vector<int64_t>& ids) const;

  // Invalid for a filter that cannot be understood.
  Result<Listing> list(const Filter& filter = {}) const;
  Result<Entry> get(int64_t id) const;  // with its record; invalid if there is none

 private:
  std::filesystem::path file_;
};

}  // namespace tl::history
