// Hashes evenly spaced blocks of files.
#include "core/io/bytes/fingerprint.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <vector>

#include "core/base/text.h"

namespace tl::io {
namespace {

// Hashes sampled blocks of a file: all of a small file, evenly spaced blocks of a large one.
Result<void> sample_file(XXH3_state_t* state, const std::filesystem::path& path, uint64_t blocks) {
  constexpr uint64_t block = 65536;
  std::ifstream file(path, std::ios::binary);
  std::error_code failed;
  const uint64_t size = std::filesystem::file_size(path, failed);
  if (!file || failed)
    return io_error("the file cannot be read for its fingerprint", path.string(), "Check permissions");
  std::array<unsigned char, 8> digits{};
  for (std::size_t i = 0; i < digits.size(); ++i) digits[i] = static_cast<unsigned char>(size >> (8 * i));
  XXH3_128bits_update(state, digits.data(), digits.size());
  const uint64_t whole = (size + block - 1) / block;
  const uint64_t count = std::min(whole, blocks);
  std::vector<char> buffer(block);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t index = count < 2 ? 0 : i * (whole - 1) / (count - 1);
    const uint64_t begin = index * block;
    const auto length = static_cast<std::streamsize>(std::min(block, size - begin));
    file.seekg(static_cast<std::streamoff>(begin));
    if (!file.read(buffer.data(), length))
      return io_error("the file cannot be read for its fingerprint", path.string(), "It changed or is damaged");
    XXH3_128bits_update(state, buffer.data(), static_cast<std::size_t>(length));
  }
  return ok();
}

}  // namespace

Result<std::string> fingerprint(const std::filesystem::path& path) {
  constexpr uint64_t blocks_of_file = 64, blocks_of_member = 2;
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    std::vector<std::filesystem::path> members;
    for (std::filesystem::directory_iterator it(path, failed), end; !failed && it != end; it.increment(failed))
      if (it->is_regular_file(failed)) members.push_back(it->path());
    std::sort(members.begin(), members.end());
    for (const auto& member : members) {
      const std::string name = member.filename().string();
      XXH3_128bits_update(state.get(), name.c_str(), name.size() + 1);
      TL_TRY(sample_file(state.get(), member, blocks_of_member));
    }
  } else {
    TL_TRY(sample_file(state.get(), path, blocks_of_file));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return formatted("xxh128:%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                   static_cast<unsigned long long>(hash.low64));
}

}  // namespace tl::io
