// Computes a checksum of a file of voxels, or of sampled blocks.
#include "core/io/bytes/data_checksum.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "core/base/text.h"
#include "core/io/bytes/file_descriptor.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr int64_t pieces_of_file = 256, pieces_of_member = 4;
constexpr std::size_t max_members = 64;

Result<std::string> checksum_of_pieces(int handle, const fs::path& where, int64_t max_pieces) {
  constexpr int64_t piece = int64_t{64} << 10;
  const auto unreadable = [&] {
    return io_error("the voxels cannot be read", where.string(), "Check the disk, and that the file is whole");
  };
  struct stat s {};
  if (::fstat(handle, &s) != 0) return unreadable();
  const int64_t length = s.st_size, pieces = std::min((length + piece - 1) / piece, max_pieces);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> sum(XXH3_createState(), XXH3_freeState);
  TL_CHECK(
      sum && XXH3_64bits_reset(sum.get()) == XXH_OK && XXH3_64bits_update(sum.get(), &length, sizeof length) == XXH_OK,
      "a checksum can be begun");
  std::vector<char> bytes(static_cast<std::size_t>(piece));
  for (int64_t i = 0; i < pieces; ++i) {
    // The last block ends at the end of the file; blocks of short files cover all bytes.
    const bool all = pieces * piece >= length;
    const int64_t begin = all ? i * piece : i * (length - piece) / (pieces - 1);
    const int64_t count = std::min(piece, length - begin);
    for (int64_t got = 0; got < count;) {
      const ssize_t n = ::pread(handle, bytes.data() + got, static_cast<std::size_t>(count - got), begin + got);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return unreadable();
      got += n;
    }
    XXH3_64bits_update(sum.get(), bytes.data(), static_cast<std::size_t>(count));
  }
  return formatted("%016llx", static_cast<unsigned long long>(XXH3_64bits_digest(sum.get())));
}

Result<std::string> checksum_of_file(const fs::path& file, int64_t max_pieces) {
  const FileDescriptor data(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return checksum_of_pieces(data.get(), file, max_pieces);
}

Result<std::vector<fs::path>> members_of(const fs::path& folder) {
  std::vector<fs::path> members;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    const bool is_hidden = it->path().filename().string().front() == '.';
    if (is_hidden && it->is_directory(failed)) it.disable_recursion_pending();
    if (!is_hidden && it->is_regular_file(failed)) members.push_back(it->path().lexically_relative(folder));
  }
  if (failed) return io_error("the folder cannot be looked into: " + failed.message(), folder.string());
  std::sort(members.begin(), members.end());
  return members;
}

}  // namespace

Result<std::string> data_checksum(int handle, const fs::path& where) {
  return checksum_of_pieces(handle, where, pieces_of_file);
}

Result<std::string> data_checksum_of(const fs::path& volume) {
  std::error_code failed;
  if (!fs::is_directory(volume, failed)) return checksum_of_file(volume, pieces_of_file);
  TL_TRY(const std::vector<fs::path> members, members_of(volume));
  std::string all;
  for (const fs::path& member : members) all += member.generic_string() + '\n';
  const std::size_t count = std::min(members.size(), max_members);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = count < 2 ? 0 : i * (members.size() - 1) / (count - 1);
    TL_TRY(const std::string sum, checksum_of_file(volume / members[at], pieces_of_member));
    all += sum;
  }
  return formatted("%016llx", static_cast<unsigned long long>(XXH3_64bits(all.data(), all.size())));
}

}  // namespace tl::io
