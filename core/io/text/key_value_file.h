// KeyValueFile: a text with one KEY=VALUE a line, which describes a scan (.xtekct of Nikon, .info of the ESRF).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/io/bytes/input_files.h"
#include "core/io/text/stated_number.h"

namespace tl::io {

// Whether the case of letters distinguishes keys.
enum class KeyCase : uint32_t { matters, is_ignored };

class KeyValueFile {
 public:
  // Section headings and lines without "=" are ignored; values may be in any encoding that keeps ASCII.
  // Errors: io (unreadable); invalid (not such a text, a byte 0, UTF-16, more than 1 MiB).
  static Result<KeyValueFile> open(const std::filesystem::path& path, KeyCase key_case,
                                   DecimalSign decimals = DecimalSign::point);

  // The value without spaces or quotes around it; nothing if the key is missing. Invalid if lines contradict each
  // other.
  [[nodiscard]] Result<std::optional<std::string>> text(const std::string& key) const;
  // The number of a key. Errors: invalid, with the line, if it is not a number within the bounds (stated_number()).
  [[nodiscard]] Result<std::optional<double>> number(const std::string& key, Bounds bounds) const;
  // The number of a key that must be present.
  [[nodiscard]] Result<double> required(const std::string& key, Bounds bounds) const;
  [[nodiscard]] Result<int64_t> required_integer(const std::string& key, int64_t low, int64_t high) const;

  // The file, with its size and time before it was read.
  [[nodiscard]] const InputFile& file() const { return file_; }

 private:
  struct Line {
    std::string value;
    int64_t number = 0;
    bool contradicted = false;  // another line has another value
  };
  KeyValueFile(InputFile file, KeyCase key_case, DecimalSign decimals)
      : file_(std::move(file)), key_case_(key_case), decimals_(decimals) {}
  [[nodiscard]] const Line* find(const std::string& key) const;
  [[nodiscard]] std::string location(const Line& line) const;
  void add(std::string_view line, int64_t number);
  InputFile file_;
  KeyCase key_case_;
  DecimalSign decimals_;
  std::map<std::string, Line> lines_;  // by the key; in lower case if its case is ignored
};

}  // namespace tl::io
