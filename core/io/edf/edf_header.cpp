// Reads the headers of EDF files.
#include "core/io/edf/edf_header.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/io/bytes/read_at.h"
#include "core/io/bytes/reader_limits.h"

namespace tl::io {
namespace {

constexpr int64_t block_bytes = 512, longest_header = int64_t{1} << 20;
constexpr std::string_view blanks{" \t\r\n\f\v\0", 7};  // some writers pad with zeros

std::string_view stripped(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// The position after the brace and line end that close a header; 0 if the header is not closed in the text.
std::size_t behind_header(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('}', from); at != std::string_view::npos; at = text.find('}', at + 1)) {
    const std::string_view after = text.substr(at + 1);
    if (after.starts_with("\n")) return at + 2;
    if (after.starts_with("\r\n")) return at + 3;
  }
  return 0;
}

// Keys end with a semicolon; if a key occurs twice, the last value counts.
EdfHeader parsed_header(std::string_view text) {
  EdfHeader header;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) continue;
    header.values[lower_case(std::string(stripped(one.substr(0, equals))))] = stripped(one.substr(equals + 1));
  }
  return header;
}

// The bytes of a file compressed by gzip; null for other files.
Result<std::shared_ptr<const std::vector<std::byte>>> unpacked_by_gzip(const FileDescriptor& file,
                                                                       const std::string& path) {
  std::array<unsigned char, 2> magic{};
  if (::pread(file.get(), magic.data(), magic.size(), 0) != 2 || magic[0] != 0x1f || magic[1] != 0x8b)
    return std::shared_ptr<const std::vector<std::byte>>();
  const int64_t most = std::min(int64_t{1} << 30, allowed_memory() / 2);
  const int own = ::dup(file.get());  // zlib closes its own handle
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> packed(own < 0 ? nullptr : gzdopen(own, "rb"), gzclose);
  if (!packed) {
    if (own >= 0) ::close(own);
    return unavailable("there is not enough memory to unpack the file", path, "Close other programs");
  }
  constexpr unsigned piece = 1U << 20;
  auto bytes = std::make_shared<std::vector<std::byte>>();
  while (true) {
    const std::size_t before = bytes->size();
    if (static_cast<int64_t>(before) + piece > most)
      return unavailable("the compressed file is too large to be unpacked in memory", path, "Unpack it first: gunzip");
    allow_more_cpu_time(cpu_time_for(piece));
    bytes->resize(before + piece);
    const int n = gzread(packed.get(), bytes->data() + before, piece);
    if (n < 0) return io_error("the file cannot be unpacked", path, "It is damaged or incomplete: copy it again");
    bytes->resize(before + static_cast<std::size_t>(n));
    if (n == 0) break;
  }
  if (int state = Z_OK; gzerror(packed.get(), &state) != nullptr && state == Z_BUF_ERROR)
    return io_error("the file ends within its compressed bytes", path, "Copy it again from its source");
  return std::shared_ptr<const std::vector<std::byte>>(std::move(bytes));
}

}  // namespace

Result<EdfSource> open_edf_source(const std::string& path) {
  EdfSource source{FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), 0, path, nullptr};
  struct stat status {};
  if (!source.file.is_open() || ::fstat(source.file.get(), &status) != 0)
    return io_error("the file cannot be opened: " + std::string(std::strerror(errno)), path,
                    "Check that it is there, and its permissions");
  if (!S_ISREG(status.st_mode)) return io_error("not a regular file", path, "Put the file that is meant in its place");
  source.length = status.st_size;
  TL_TRY(source.unpacked, unpacked_by_gzip(source.file, path));
  if (source.unpacked) source.length = static_cast<int64_t>(source.unpacked->size());
  return source;
}

Result<void> read_edf_bytes(const EdfSource& source, int64_t offset, int64_t count, void* out) {
  if (source.unpacked) {
    if (offset < 0 || count < 0 || count > source.length - offset)
      return io_error("the file cannot be read to its end", source.where, "Copy it again from its source");
    std::memcpy(out, source.unpacked->data() + offset, static_cast<std::size_t>(count));
    return ok();
  }
  if (read_at(source.file.get(), offset, {static_cast<std::byte*>(out), static_cast<std::size_t>(count)}) != count)
    return io_error("the file cannot be read to its end", source.where, "Copy it again from its source");
  return ok();
}

const std::string& EdfHeader::text(const std::string& key) const {
  static const std::string none;
  const auto found = values.find(key);
  return found == values.end() ? none : found->second;
}

Result<std::optional<int64_t>> EdfHeader::integer(const std::string& key, const std::string& where) const {
  const std::string& given = text(key);
  if (given.empty()) return std::optional<int64_t>();
  int64_t value = 0;
  const auto [after, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error == std::errc() && after == given.data() + given.size() && value >= 0) return std::optional(value);
  constexpr std::size_t max_shown = 40;
  return invalid(key + " in the header is \"" + printable(given.substr(0, max_shown)) + "\", not an integer from 0 on",
                 where, "The file is damaged: copy it again from its source");
}

Result<std::optional<EdfHeader>> read_edf_header(const EdfSource& source, int64_t offset) {
  std::string text;
  std::size_t end = 0;
  while (end == 0) {
    const int64_t at = offset + static_cast<int64_t>(text.size());
    const int64_t count = std::min(block_bytes, source.length - at);
    if (count <= 0 || at - offset >= longest_header) break;
    const std::size_t before = text.size();
    text.resize(before + static_cast<std::size_t>(count));
    TL_TRY(read_edf_bytes(source, at, count, text.data() + before));
    // The closing brace of the header may be split across two blocks.
    end = behind_header(text, before < 2 ? 0 : before - 2);
    if (before == 0 && !stripped(text).starts_with('{')) {
      if (stripped(text).empty() && offset > 0) return std::optional<EdfHeader>();
      return invalid("there is no header of an image at byte " + std::to_string(offset), source.where,
                     offset == 0 ? "Check that it is an EDF file, and was copied whole"
                                 : "What follows an image is another one: the file is damaged, or its sizes are wrong");
    }
  }
  if (end == 0 && text.empty()) return std::optional<EdfHeader>();
  if (end == 0)
    return invalid("the header of an image at byte " + std::to_string(offset) + " has no end", source.where,
                   "The file is damaged or incomplete: copy it again from its source");
  std::string_view inside(text);
  inside = inside.substr(0, inside.find_last_of('}', end - 1));
  inside.remove_prefix(inside.find('{') + 1);
  EdfHeader header = parsed_header(inside);
  header.end = offset + static_cast<int64_t>(end);
  return std::optional(std::move(header));
}

bool begins_like_edf(const std::string& path) {
  // zlib passes an uncompressed file through unchanged.
  std::array<char, block_bytes> start{};
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  const int got = file ? gzread(file.get(), start.data(), start.size()) : 0;
  const std::string_view text(start.data(), static_cast<std::size_t>(std::max(got, 0)));
  return stripped(text).starts_with('{') && text.find('=') != std::string_view::npos;
}

}  // namespace tl::io
