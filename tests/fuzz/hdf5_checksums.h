// Checksums inside HDF5 files, so that damage reaches the code behind the check instead of being refused by it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tl::fuzz {

// Bob Jenkins' lookup3 (2006) over bytes, initial value 0: what HDF5 puts behind its metadata.
uint32_t lookup3(const unsigned char* bytes, std::size_t length);

// The blocks of a sound file that end in a checksum of themselves.
class Hdf5Checksums {
 public:
  explicit Hdf5Checksums(const std::string& good);
  // Makes every one of them right again in a damaged copy of the same length.
  void repair(std::string& bad) const;
  [[nodiscard]] std::size_t size() const { return blocks_.size(); }

 private:
  struct Block {
    std::size_t begin, length;  // the checksum's four bytes follow
  };
  std::vector<Block> blocks_;
};

}  // namespace tl::fuzz
