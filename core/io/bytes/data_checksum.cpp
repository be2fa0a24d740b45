// Adds up what a file of voxels holds, or pieces of it.
#include "core/io/bytes/data_checksum.h"

#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <vector>

namespace tl::io {

Result<std::string> data_checksum(int handle, const std::filesystem::path& where) {
  constexpr int64_t piece = int64_t{64} << 10, most_pieces = 256;
  const auto unreadable = [&] {
    return io_error("the voxels cannot be read", where.string(), "Check the disk, and that the file is whole");
  };
  struct stat s {};
  if (::fstat(handle, &s) != 0) return unreadable();
  const int64_t length = s.st_size, pieces = std::min((length + piece - 1) / piece, most_pieces);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> sum(XXH3_createState(), XXH3_freeState);
  TL_CHECK(
      sum && XXH3_64bits_reset(sum.get()) == XXH_OK && XXH3_64bits_update(sum.get(), &length, sizeof length) == XXH_OK,
      "a checksum can be begun");
  std::vector<char> bytes(static_cast<std::size_t>(piece));
  for (int64_t i = 0; i < pieces; ++i) {
    // The last one ends with the file; those of short files follow each other.
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
  std::array<char, data_checksum_digits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(XXH3_64bits_digest(sum.get())));
  return std::string(digits.data());
}

}  // namespace tl::io
