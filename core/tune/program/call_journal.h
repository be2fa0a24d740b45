// CallJournal: the calls of a search, one line each, so that a search that was killed goes on where it stood.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/io/output/output_rules.h"
#include "core/tune/program/score_source.h"

namespace tl::tune {

struct JournalCall {
  std::vector<std::string> values;  // by axis, as the program is given them
  CallOutcome outcome;
};

// JSON lines, the first of which states the search. A line is on the disk before the next call begins, so that a kill
// repeats one call at most; a last line that was cut short does not count. Locked: two searches never share one.
class CallJournal {
 public:
  // Opens the journal of this search (`identity`: axes, program, settings), or makes one. Invalid: the file is not a
  // journal, or one of another search and `overwrite` is refuse, or a link, or has a line that is none; such files are
  // not changed. io: another search uses it, the folder cannot be written.
  static Result<CallJournal> open(const std::filesystem::path& file, const std::vector<std::string>& identity,
                                  io::Overwrite overwrite);

  // Those of the search that was interrupted, in their order.
  [[nodiscard]] const std::vector<JournalCall>& earlier() const { return earlier_; }
  Result<void> add(const JournalCall& call);
  // The result is written: the journal goes away.
  void remove();

 private:
  CallJournal(std::filesystem::path path, io::FileDescriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  Result<void> read(const std::vector<std::string>& identity, io::Overwrite overwrite);
  Result<void> append(const std::string& line);

  std::filesystem::path path_;
  io::FileDescriptor file_;
  std::vector<JournalCall> earlier_;
};

}  // namespace tl::tune
