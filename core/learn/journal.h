// Journal of evaluations: a learning run that was killed begins again from it and takes the same path, bit for bit.
#pragma once

#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::learn {

// Text lines, numbers as hexadecimal floats, a checksum each; a line that was cut short ends what can be replayed.
class Journal {
 public:
  struct Record {
    double loss = 0;
    std::vector<double> gradient;
  };
  // `identity` names pipeline, settings, device and data: a file of another run is begun anew. Errors: io.
  static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& file, const std::string& identity);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  // The next evaluation of the earlier run, if it was this one.
  std::optional<Record> replay(const std::string& what, const std::vector<double>& z);
  Result<void> add(const std::string& what, const std::vector<double>& z, const Record& record);
  [[nodiscard]] int64_t replayed() const { return replayed_; }

 private:
  struct Line {
    std::string question;
    Record record;
  };
  Journal(std::filesystem::path path, std::FILE* file) : path_(std::move(path)), file_(file) {}
  std::filesystem::path path_;
  std::FILE* file_;
  std::deque<Line> known_;
  int64_t replayed_ = 0;
};

}  // namespace tl::learn
