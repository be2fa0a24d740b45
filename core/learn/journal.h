// Journal of evaluations: a learning run that was killed begins again from it and takes the same path, bit for bit.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/io/output/output_rules.h"

namespace tl::learn {

// Text lines, numbers as hexadecimal floats, a checksum each; a line that was cut short ends what can be replayed. A
// long descent replaces its evaluations by where it stands, now and then, so that the file does not grow with it.
class Journal {
 public:
  struct Record {
    double loss = 0;
    std::vector<double> gradient;
  };
  // `identity` names pipeline, settings, device and data: the journal of another run is overwritten. Errors: io;
  // invalid (the path is an input, a link, a journal in use by another run, or not a journal; such files are not
  // changed).
  static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& file, const std::string& identity,
                                               const io::OutputRules& rules);
  // Whether there is a journal of this run that did not end. Changes nothing.
  static bool is_of(const std::filesystem::path& file, const std::string& identity);
  // The work is done: a journal of ours goes away.
  static void remove(const std::filesystem::path& file);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // The next evaluation of the earlier run, if it was this one.
  std::optional<Record> replay(const std::string& what, const std::vector<double>& z);
  Result<void> add(const std::string& what, const std::vector<double>& z, const Record& record);
  [[nodiscard]] int64_t replayed() const { return replayed_; }

  // From here on evaluations may be replaced by a state. Returns the last one of the earlier run: what is replayed next
  // are the evaluations after it.
  std::optional<std::vector<double>> begin_descent();
  // Writes `state` instead of all evaluations since begin_descent(). Killed at any moment, the file holds the
  // state before or this one. Does nothing while there is something to replay.
  Result<void> replace_by(const std::vector<double>& state);

 private:
  struct Line {
    std::string question;
    Record record;
    int64_t bytes = 0;
  };
  Journal(std::filesystem::path path, io::FileDescriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  static std::size_t read_lines(const std::string& text, std::size_t from, std::deque<Line>& lines);
  void read(const std::string& text, std::size_t from);

  std::filesystem::path path_;
  io::FileDescriptor file_;
  std::deque<Line> known_;                    // up to the first state
  std::optional<std::vector<double>> state_;  // the last one
  std::deque<Line> after_state_;
  int64_t replayed_ = 0;
  int64_t replayed_end_ = 0;  // bytes of the heading and of what was replayed
  int64_t begin_ = 0;         // where the descent's lines begin
  int64_t end_ = 0;           // of the file
};

}  // namespace tl::learn
