// Names and fingerprints of input files.
#include "core/nodes/input/file_states.h"

#include "core/io/bytes/input_files.h"

namespace tl {

std::string reader_name(std::initializer_list<std::string> files) {
  std::string name = "reader";
  for (const std::string& file : files) {
    if (file.empty()) continue;
    if (const auto stamp = io::stamp_of(file))
      name += " " + std::to_string(stamp->inode) + " " + std::to_string(stamp->size) + " " +
              std::to_string(stamp->seconds) + "." + std::to_string(stamp->nanoseconds);
  }
  return name;
}

Result<std::string> fingerprints_of(std::span<const std::filesystem::path> files, std::string first) {
  constexpr std::size_t enough = 4096;  // characters
  std::string all = std::move(first);
  for (const std::filesystem::path& file : files) {
    TL_TRY(const std::string one, io::fingerprint(file));
    all += (all.empty() ? "" : " ") + one;
    if (all.size() > enough) return all + " ... " + std::to_string(files.size()) + " files";
  }
  return all;
}

Result<std::string> fingerprint_of_named(const std::string& file) {
  if (file.empty()) return std::string();
  return io::fingerprint(file);
}

}  // namespace tl
