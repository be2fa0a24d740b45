// Journal of evaluations: a learning run that was killed begins again from it and takes the same path, bit for bit.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/file_descriptor.h"
#include "core/io/output/output_rules.h"

namespace tl::learn {

// Text lines, numbers as hexadecimal floats, a checksum each; a line that was cut short ends what can be replayed.
class Journal {
 public:
  struct Record {
    double loss = 0;
    std::vector<double> gradient;
  };
  // `identity` names pipeline, settings, device and data: a journal of another run is begun anew. Errors: io; invalid
  // (an input, another run's in use, a link, or no journal of ours: such a file is left as it is).
  static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& file, const std::string& identity,
                                               const io::OutputRules& rules);
  // Whether there is a journal of this very run, left by one that did not end. Changes nothing.
  static bool is_of(const std::filesystem::path& file, const std::string& identity);
  // The work is done: a journal of ours goes away.
  static void remove(const std::filesystem::path& file);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // The next evaluation of the earlier run, if it was this one.
  std::optional<Record> replay(const std::string& what, const std::vector<double>& z);
  Result<void> add(const std::string& what, const std::vector<double>& z, const Record& record);
  [[nodiscard]] int64_t replayed() const { return replayed_; }

 private:
  struct Line {
    std::string question;
    Record record;
  };
  Journal(std::filesystem::path path, io::FileDescriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  std::filesystem::path path_;
  io::FileDescriptor file_;
  std::deque<Line> known_;
  int64_t replayed_ = 0;
};

}  // namespace tl::learn
