// Store: the history as an SQLite file that several programs read and write at the same time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/history/entry.h"

namespace tl::history {

// The value of TL_HISTORY ("off", or a file), else tomoloom/history.sqlite in the user's data folder. Empty: the
// history is off, or there is no such folder.
std::filesystem::path default_file();

// Conditions on entries, all of which must hold; an empty member is not one.
struct Filter {
  std::string text = {};       // anywhere in title, file names, names and values of parameters, verdicts, errors
  std::string scan = {};       // text in the path of an input
  std::string parameter = {};  // "axis", "axis.axis", or with a comparison: "cutoff<0.5", "method=fbp"
  std::string verdict = {};    // "resolved"
  std::string kind = {};       // "run", "learning", "training", "export"
  double since = 0;            // begun at this time or later; seconds since 1970
  int64_t limit = -1;          // the newest so many
};

// A list of entries without their records, which may be long.
struct Listing {
  std::vector<Entry> entries;  // newest first
  int64_t all = 0;             // number of entries in the history, with or without the filter
};

// Every call opens the file, and is atomic: a killed program leaves whole rows or none. Any thread. An empty file name
// turns the history off: writing has no effect and lists are empty. Errors: io if the file is damaged, read-only, of
// another program or in use for more than five seconds; invalid if a newer version made it. Reading works on read-only
// files.
class Store {
 public:
  explicit Store(std::filesystem::path file) : file_(std::move(file)) {}
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] bool is_off() const { return file_.empty(); }

  // The id of the new row; 0 if the history is off. The row belongs to this process: a row that is still `running`
  // after this process ended is read as `interrupted`.
  Result<int64_t> add(const Entry& entry) const;
  Result<void> update(const Entry& entry) const;  // writes the row with its id; no effect if it was deleted meanwhile
  Result<void> remove(const std::vector<int64_t>& ids) const;

  // Invalid for a filter that cannot be parsed.
  Result<Listing> list(const Filter& filter = {}) const;
  Result<Entry> get(int64_t id) const;  // with its record; invalid if there is none

 private:
  std::filesystem::path file_;
};

}  // namespace tl::history
