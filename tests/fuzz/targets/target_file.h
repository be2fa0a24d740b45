// TargetFile: the bytes of an input as a file of a given name, in memory where the system has a file system there.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace tl::fuzz {

// A folder of this process, with one file at a time.
class TargetFile {
 public:
  TargetFile(std::string_view ending, const uint8_t* bytes, std::size_t size)
      : path_(folder() / ("input" + std::string(ending))) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  }
  ~TargetFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TargetFile(const TargetFile&) = delete;
  TargetFile& operator=(const TargetFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  static const std::filesystem::path& folder() {
    static const std::filesystem::path made = [] {
      std::error_code failed;
      const std::filesystem::path memory = "/dev/shm";
      const auto base = std::filesystem::is_directory(memory, failed) ? memory : std::filesystem::temp_directory_path();
      auto own = base / ("tomoloom_fuzz_" + std::to_string(getpid()));
      std::filesystem::create_directories(own);
      return own;
    }();
    return made;
  }
  std::filesystem::path path_;
};

// The first ending of a list such as ".nx .nxs .h5".
inline std::string_view first_ending(std::string_view endings) { return endings.substr(0, endings.find(' ')); }

// Ends the program if an error has no text or no location: the fuzzer keeps the input.
template <class Error>
void must_say_what_and_where(const Error& error) {
  if (error.what.empty() || error.where.empty()) std::abort();
}

}  // namespace tl::fuzz
