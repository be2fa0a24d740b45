// Journal of evaluations: a learning run that was killed is repeated from it and takes the same path, bit for bit.
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

// Text lines with numbers as hexadecimal floats and a checksum each; replay ends at a truncated line. A long descent
// replaces its evaluations by its state from time to time, so that the file does not grow.
class Journal {
 public:
  struct Record {
    double loss = 0;
    std::vector<double> gradient;
  };
  // `identity` identifies pipeline, settings, device and data: the journal of another run is overwritten. Errors: io;
  // invalid (the path is an input, a link, a journal in use by another run, or not a journal; such files are not
  // changed).
  static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& file, const std::string& identity,
                                               const io::OutputRules& rules);
  // Whether there is a journal of this run, left by a run that did not end. Changes nothing.
  static bool is_of(const std::filesystem::path& file, const std::string& identity);
  // Deletes our journal after the work is done.
  static void remove(const std::filesystem::path& file);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // The next recorded evaluation of the earlier run, if it has the same arguments.
  std::optional<Record> replay(const std::string& what, const std::vector<double>& z);
  Result<void> add(const std::string& what, const std::vector<double>& z, const Record& record);
  [[nodiscard]] int64_t replayed() const { return replayed_; }

  // From here on evaluations may be replaced by a state. Returns the last state of the earlier run; the evaluations
  // after it are replayed next.
  std::optional<std::vector<double>> begin_descent();
  // Writes `state` in place of all evaluations since begin_descent(). If killed at any moment, the file holds the
  // previous state or this one. Does nothing during replay.
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
  int64_t replayed_end_ = 0;  // size of the heading and of the replayed lines [bytes]
  int64_t begin_ = 0;         // position of the descent's first line
  int64_t end_ = 0;           // of the file
};

}  // namespace tl::learn
