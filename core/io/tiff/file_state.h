// State of an open TIFF file, shared by the files that implement TiffFile.
#pragma once

#include <tiffio.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/tiff/file.h"

namespace tl::io {

struct TiffFile::State {
  std::filesystem::path path;
  std::string said;  // the library's last error
  TIFF* tiff = nullptr;
  int64_t pages = -1, selected = 0;
  bool behind_first = false;  // only the first page is listed: samples of the others follow directly after it
  uint64_t length = 0;        // length of the file [bytes]
  std::vector<unsigned char> buffer;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (tiff != nullptr) TIFFClose(tiff);
  }
};

}  // namespace tl::io
