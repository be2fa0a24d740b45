// Reads compound files: header, table of sectors, directory, streams.
//
// A chain of sectors is followed for at most as many steps as its declared size requires, and declared sizes are at
// most the length of the file: cycles therefore end, and no number in the file allocates more memory than the file's
// size.
#include "core/io/zeiss/compound_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/base/text.h"
#include "core/io/bytes/read_at.h"

namespace tl::io {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are used as they lie in the file");

constexpr std::array<unsigned char, 8> magic = {0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1};
constexpr uint32_t end_of_chain = 0xfffffffe, no_entry = 0xffffffff;
constexpr int64_t entry_bytes = 128, small_sector_bytes = 64, smallest_stream_in_sectors = 4096;
constexpr int64_t number_bytes = sizeof(uint32_t);
constexpr int deepest = 3;  // depth of the listed storages
constexpr int64_t listed_in_header = 109;

template <class T>
T number_at(const std::byte* bytes, int64_t offset) {
  T value;
  std::memcpy(&value, bytes + offset, sizeof value);
  return value;
}

}  // namespace

// A directory entry. The entries of a storage form a binary tree of siblings.
struct CompoundFile::Entry {
  enum class Kind : uint8_t { none = 0, storage = 1, stream = 2, root = 5 };
  std::string name;  // in lower case; non-ASCII characters are replaced by '?'
  Kind kind = Kind::none;
  uint32_t left = no_entry, right = no_entry, child = no_entry, first = 0;
  uint64_t size = 0;

  static Entry at(const std::byte* bytes) {
    constexpr int64_t max_name_bytes = 64;
    Entry e;
    const int64_t length = std::min<int64_t>(number_at<uint16_t>(bytes, 64), max_name_bytes);
    for (int64_t i = 0; i + 2 < length; i += 2) {
      const auto c = number_at<uint16_t>(bytes, i);
      e.name += c < 0x80 ? static_cast<char>(c) : '?';
    }
    e.name = lower_case(e.name);
    e.kind = static_cast<Kind>(number_at<uint8_t>(bytes, 66));
    e.left = number_at<uint32_t>(bytes, 68);
    e.right = number_at<uint32_t>(bytes, 72);
    e.child = number_at<uint32_t>(bytes, 76);
    e.first = number_at<uint32_t>(bytes, 116);
    e.size = number_at<uint64_t>(bytes, 120);
    return e;
  }
};

Error CompoundFile::damaged(const std::string& what) const {
  return io_error(what, path_.string(), "The file is damaged or incomplete: copy it again from its source");
}

bool CompoundFile::is_compound_file(const std::filesystem::path& path) {
  std::array<char, magic.size()> start{};
  std::ifstream file(path, std::ios::binary);
  return file.read(start.data(), start.size()) && std::memcmp(start.data(), magic.data(), magic.size()) == 0;
}

Result<CompoundFile> CompoundFile::open(const std::filesystem::path& path) {
  CompoundFile file;
  file.path_ = path;
  file.file_ = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.file_.is_open() || ::fstat(file.file_.get(), &status) != 0)
    return io_error("the file cannot be opened: " + std::string(std::strerror(errno)), path.string(),
                    "Check permissions");
  file.stamp_ = stamp_of(status);
  TL_TRY(file.read_header());
  return file;
}

Result<void> CompoundFile::read_bytes(int64_t offset, int64_t count, std::byte* out) const {
  const int64_t got = read_at(file_.get(), offset, {out, static_cast<std::size_t>(count)});
  if (got < 0) return io_error("the file cannot be read: " + std::string(std::strerror(errno)), path_.string());
  if (got < count) return damaged("the file ends at " + std::to_string(length()) + " bytes, before data that it lists");
  return ok();
}

Result<void> CompoundFile::read_header() {
  std::array<std::byte, 512> header{};
  TL_TRY(read_bytes(0, static_cast<int64_t>(header.size()), header.data()));
  const std::byte* bytes = header.data();
  if (std::memcmp(bytes, magic.data(), magic.size()) != 0)
    return invalid("the content is not a compound file", path_.string(),
                   "Check that it was copied whole and not renamed");
  const auto version = number_at<uint16_t>(bytes, 26), shift = number_at<uint16_t>(bytes, 30);
  const bool known = (version == 3 && shift == 9) || (version == 4 && shift == 12);
  if (!known || number_at<uint16_t>(bytes, 28) != 0xfffe || number_at<uint16_t>(bytes, 32) != 6 ||
      number_at<uint32_t>(bytes, 56) != smallest_stream_in_sectors)
    return damaged("the header states no layout that exists (version " + std::to_string(version) + ", sectors of 2^" +
                   std::to_string(shift) + " bytes)");
  sector_bytes_ = int64_t{1} << shift;
  long_sizes_ = version == 4;
  sectors_ = std::max<int64_t>(0, (length() - 1) / sector_bytes_);
  first_small_table_ = number_at<uint32_t>(bytes, 60);
  TL_TRY(read_table_list(header));
  return read_directory(number_at<uint32_t>(bytes, 48));
}

// The numbers of the sectors that contain the sector table: 109 in the header, the others in a chain of sectors.
Result<void> CompoundFile::read_table_list(const std::array<std::byte, 512>& header) {
  const int64_t numbers = sector_bytes_ / number_bytes;
  const int64_t count = number_at<uint32_t>(header.data(), 44);
  if (count > sectors_ / numbers + 2)
    return damaged("the table of sectors should have " + std::to_string(count) + " sectors, more than the file");
  table_sectors_.reserve(static_cast<std::size_t>(count));
  for (int64_t i = 0; i < std::min(count, listed_in_header); ++i)
    table_sectors_.push_back(number_at<uint32_t>(header.data(), 76 + i * number_bytes));
  std::vector<std::byte> sector(static_cast<std::size_t>(sector_bytes_));
  auto next = number_at<uint32_t>(header.data(), 68);
  while (static_cast<int64_t>(table_sectors_.size()) < count) {
    if (next >= sectors_) return damaged("the list of the table's sectors ends early");
    TL_TRY(read_bytes(sector_offset(next), sector_bytes_, sector.data()));
    for (int64_t i = 0; i < numbers - 1 && static_cast<int64_t>(table_sectors_.size()) < count; ++i)
      table_sectors_.push_back(number_at<uint32_t>(sector.data(), i * number_bytes));
    next = number_at<uint32_t>(sector.data(), (numbers - 1) * number_bytes);
  }
  return ok();
}

Result<uint32_t> CompoundFile::next_sector(uint32_t sector) {
  const int64_t numbers = sector_bytes_ / number_bytes, index = sector / numbers;
  if (sector >= sectors_ || index >= static_cast<int64_t>(table_sectors_.size()))
    return damaged("a chain leads to sector " + std::to_string(sector) + ", which the file does not have");
  if (index != table_index_) {
    const uint32_t at = table_sectors_[static_cast<std::size_t>(index)];
    if (at >= sectors_)
      return damaged("the table of sectors lies at sector " + std::to_string(at) + ", outside the file");
    table_index_ = -1;
    table_.resize(static_cast<std::size_t>(numbers));
    TL_TRY(read_bytes(sector_offset(at), sector_bytes_, reinterpret_cast<std::byte*>(table_.data())));
    table_index_ = index;
  }
  return table_[static_cast<std::size_t>(sector % numbers)];
}

// The sectors of a chain up to its end, at most `most` of them.
Result<std::vector<uint32_t>> CompoundFile::chain(uint32_t first, int64_t most, const char* what) {
  std::vector<uint32_t> all;
  for (uint32_t sector = first; sector != end_of_chain;) {
    if (sector >= sectors_ || static_cast<int64_t>(all.size()) >= most)
      return damaged(std::string(what) + " is a chain of sectors without an end");
    all.push_back(sector);
    TL_TRY(sector, next_sector(sector));
  }
  return all;
}

Result<void> CompoundFile::read_directory(uint32_t first) {
  TL_TRY(const std::vector<uint32_t> sectors, chain(first, sectors_, "the directory"));
  std::vector<std::byte> directory(sectors.size() * static_cast<std::size_t>(sector_bytes_));
  for (std::size_t i = 0; i < sectors.size(); ++i)
    TL_TRY(read_bytes(sector_offset(sectors[i]), sector_bytes_,
                      directory.data() + i * static_cast<std::size_t>(sector_bytes_)));
  return list_entries(directory);
}

// Walks the trees of siblings without recursion; entries already visited are skipped.
Result<void> CompoundFile::list_entries(const std::vector<std::byte>& directory) {
  struct Visit {
    uint32_t entry;
    int depth;
    int64_t parent;  // index into storages_, -1 = the root
  };
  const auto count = static_cast<uint32_t>(directory.size() / entry_bytes);
  const auto entry_at = [&](uint32_t i) { return Entry::at(directory.data() + int64_t{i} * entry_bytes); };
  if (count == 0 || entry_at(0).kind != Entry::Kind::root) return damaged("the directory has no root");
  const Entry root = entry_at(0);
  std::vector<bool> visited(count);
  visited[0] = true;
  std::vector<Visit> open = {{root.child, 0, -1}};
  bool has_small = false;
  while (!open.empty()) {
    const Visit at = open.back();
    open.pop_back();
    if (at.entry == no_entry) continue;
    if (at.entry >= count || visited[at.entry]) return damaged("the directory refers to entries that it does not have");
    visited[at.entry] = true;
    const Entry e = entry_at(at.entry);
    open.push_back({e.left, at.depth, at.parent});
    open.push_back({e.right, at.depth, at.parent});
    const std::string path = at.parent < 0 ? e.name : storages_[static_cast<std::size_t>(at.parent)] + "/" + e.name;
    if (e.kind == Entry::Kind::storage && at.depth < deepest) {
      storages_.push_back(path);
      open.push_back({e.child, at.depth + 1, static_cast<int64_t>(storages_.size()) - 1});
    } else if (e.kind == Entry::Kind::stream) {
      const uint64_t size = long_sizes_ ? e.size : e.size & 0xffffffff;
      if (size > static_cast<uint64_t>(length()))
        return damaged(path + " should have " + std::to_string(size) + " bytes, but the file has " +
                       std::to_string(length()));
      const bool is_small = size < static_cast<uint64_t>(smallest_stream_in_sectors);
      has_small = has_small || is_small;
      streams_[path] = {path, e.first, static_cast<int64_t>(size), is_small};
    }
  }
  if (has_small) return read_small_sectors(root);
  return ok();
}

// Small streams lie in sectors of 64 bytes, which are the stream of the root and have a table of their own.
Result<void> CompoundFile::read_small_sectors(const Entry& root) {
  const uint64_t size = long_sizes_ ? root.size : root.size & 0xffffffff;
  if (size > static_cast<uint64_t>(length())) return damaged("the small streams are larger than the file");
  small_bytes_ = static_cast<int64_t>(size);
  if (small_bytes_ == 0) return ok();
  TL_TRY(small_sectors_, chain(root.first, sectors_, "the store of small streams"));
  TL_TRY(const std::vector<uint32_t> sectors, chain(first_small_table_, sectors_, "the table of small streams"));
  const auto numbers = static_cast<std::size_t>(sector_bytes_ / number_bytes);
  small_table_.resize(sectors.size() * numbers);
  for (std::size_t i = 0; i < sectors.size(); ++i)
    TL_TRY(read_bytes(sector_offset(sectors[i]), sector_bytes_,
                      reinterpret_cast<std::byte*>(small_table_.data() + i * numbers)));
  return ok();
}

Result<uint32_t> CompoundFile::next_small_sector(uint32_t sector) const {
  if (sector >= small_table_.size()) return damaged("a small stream leads outside the table of small streams");
  return small_table_[sector];
}

const CompoundStream* CompoundFile::find(std::string_view path) const {
  const auto found = streams_.find(lower_case(path));
  return found == streams_.end() ? nullptr : &found->second;
}

bool CompoundFile::has_storage(std::string_view path) const {
  return std::find(storages_.begin(), storages_.end(), lower_case(path)) != storages_.end();
}

Result<void> CompoundFile::Cursor::seek(int64_t index) {
  if (index < index_) {
    index_ = 0;
    sector_ = stream_->first;
  }
  for (; index_ < index; ++index_) {
    TL_TRY(sector_, stream_->is_small ? file_->next_small_sector(sector_) : file_->next_sector(sector_));
  }
  return ok();
}

Result<void> CompoundFile::Cursor::read(int64_t offset, int64_t count, std::byte* out) {
  TL_CHECK(offset >= 0 && count >= 0 && offset <= stream_->size - count, "bytes outside the stream");
  const CompoundFile& file = *file_;
  const int64_t step = stream_->is_small ? small_sector_bytes : file.sector_bytes_;
  int64_t from = 0, waiting = 0;  // contiguous bytes of the file that are not read yet
  std::byte* to = out;
  for (int64_t done = 0; done < count;) {
    TL_TRY(seek((offset + done) / step));
    const int64_t inside = (offset + done) % step, now = std::min(step - inside, count - done);
    int64_t position = file.sector_offset(sector_) + inside;
    if (stream_->is_small) {
      const int64_t at = int64_t{sector_} * small_sector_bytes;
      const auto holder = static_cast<std::size_t>(at / file.sector_bytes_);
      if (at + inside + now > file.small_bytes_ || holder >= file.small_sectors_.size())
        return file.damaged(stream_->name + " lies outside the store of small streams");
      position = file.sector_offset(file.small_sectors_[holder]) + at % file.sector_bytes_ + inside;
    } else if (sector_ >= file.sectors_) {
      return file.damaged(stream_->name + " lies outside the file");
    }
    if (waiting > 0 && position != from + waiting) {
      TL_TRY(file.read_bytes(from, waiting, to));
      to += waiting;
      waiting = 0;
    }
    if (waiting == 0) from = position;
    waiting += now;
    done += now;
  }
  TL_TRY(file.read_bytes(from, waiting, to));
  if (count == 0 || offset + count < stream_->size) return ok();
  // A circle has no end.
  TL_TRY(const uint32_t after, stream_->is_small ? file_->next_small_sector(sector_) : file_->next_sector(sector_));
  if (after == end_of_chain) return ok();
  return file.damaged("the sectors of " + stream_->name + " do not end with its " + std::to_string(stream_->size) +
                      " bytes");
}

Result<std::vector<std::byte>> CompoundFile::read_all(const CompoundStream& stream, int64_t most) {
  if (stream.size > most)
    return damaged(stream.name + " has " + std::to_string(stream.size) + " bytes, at most " + std::to_string(most) +
                   " are plausible");
  std::vector<std::byte> bytes(static_cast<std::size_t>(stream.size));
  TL_TRY(Cursor(*this, stream).read(0, stream.size, bytes.data()));
  return bytes;
}

}  // namespace tl::io
