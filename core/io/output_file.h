// Output files that appear under their name only when whole: .part, flush, sync, rename.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/error.h"

namespace tl::io {

enum class Overwrite { refuse, replace };

// Reserves NAME.part beside NAME. The writer fills part_path() with any library, then commit() syncs and renames it.
// Destroyed without commit: the .part file is removed. Errors: io (folder missing, read-only, full), invalid (exists).
class OutputFile {
 public:
  static Result<OutputFile> create(const std::filesystem::path& name, Overwrite overwrite);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  [[nodiscard]] const std::filesystem::path& name() const { return name_; }
  [[nodiscard]] const std::filesystem::path& part_path() const { return part_; }
  Result<void> commit();

 private:
  OutputFile(std::filesystem::path name, std::filesystem::path part);
  std::filesystem::path name_, part_;
};

// Writes a whole text through OutputFile.
Result<void> write_text(const std::filesystem::path& name, const std::string& text, Overwrite overwrite);

}  // namespace tl::io
