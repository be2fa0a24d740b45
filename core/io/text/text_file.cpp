// Reads text files, and refuses other files.
#include "core/io/text/text_file.h"

#include <algorithm>
#include <fstream>

namespace tl::io {
namespace {

constexpr std::string_view mark_of_utf8 = "\xef\xbb\xbf";

bool has_mark_of_utf16(std::string_view text) { return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"); }

// Without a mark, every other byte of ASCII in UTF-16 is 0.
bool looks_like_utf16(std::string_view text) {
  constexpr std::size_t looked_at = 64;
  const std::string_view start = text.substr(0, looked_at);
  const auto zeros = static_cast<std::size_t>(std::count(start.begin(), start.end(), '\0'));
  return start.size() >= 4 && 10 * zeros >= 4 * start.size() && start.find(std::string_view("\0\0", 2)) == start.npos;
}

}  // namespace

Result<std::string> read_text(const std::filesystem::path& file, const std::string& what, int64_t max_bytes) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed))
    return io_error(what + " does not exist", file.string(), "Check the path");
  std::ifstream in(file, std::ios::binary);
  if (!in) return io_error(what + " cannot be read", file.string(), "Check permissions");
  const auto size = static_cast<int64_t>(std::filesystem::file_size(file, failed));
  // Reading one byte more shows whether the file exceeds the limit, or grew.
  std::string text(static_cast<std::size_t>(failed ? max_bytes : std::min(size, max_bytes)) + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return io_error(what + " cannot be read", file.string(), "Check the disk");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (static_cast<int64_t>(text.size()) > max_bytes)
    return invalid(what + " is too long: more than " + std::to_string(max_bytes) + " bytes", file.string(),
                   "Check that it is the right file");
  if (has_mark_of_utf16(text) || looks_like_utf16(text))
    return invalid(what + " is UTF-16", file.string(), "Save it as plain text or UTF-8");
  if (text.find('\0') != std::string::npos)
    return invalid(what + " is not text", file.string(), "Save it as plain text, or copy it again");
  if (text.starts_with(mark_of_utf8)) text.erase(0, mark_of_utf8.size());
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
  }
  return lines;
}

}  // namespace tl::io
