// Reading of texts and lists in HDF5 attributes and datasets, by a function that fills a buffer. Internal to
// Hdf5File.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/io/hdf5/file.h"

namespace tl::io {

// The number of values; 0 if they are of another class, or too many for a list.
inline std::size_t list_length(hid_t type, hid_t space, H5T_class_t wanted) {
  constexpr hssize_t longest_list = 64;
  if (H5Tget_class(type) != wanted) return 0;
  const hssize_t n = H5Sget_simple_extent_npoints(space);
  return n < 1 || n > longest_list ? 0 : static_cast<std::size_t>(n);
}

// A text attribute or scalar text dataset read with `read(memory type, buffer)`.
template <class Read>
std::optional<std::string> read_text(hid_t type, hid_t space, const Read& read) {
  constexpr std::size_t longest = 1 << 20;
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) return std::nullopt;
  const Hdf5Id memory(H5Tcopy(type), H5Tclose);
  std::string text;
  if (H5Tis_variable_str(type) > 0) {
    char* words = nullptr;
    if (read(memory.get(), static_cast<void*>(&words)) < 0) return std::nullopt;
    if (words != nullptr) text = words;
    H5Dvlen_reclaim(memory.get(), space, H5P_DEFAULT, &words);
  } else {
    const std::size_t size = H5Tget_size(type);
    if (size > longest) return std::nullopt;
    text.resize(size);
    if (read(memory.get(), text.data()) < 0) return std::nullopt;
    text.resize(std::min(text.size(), text.find('\0')));
  }
  return std::string(trimmed(text));
}

// The `n` texts of an attribute or a dataset, read with `read(buffer)` as they are stored.
template <class Read>
std::vector<std::string> read_texts(hid_t type, hid_t space, std::size_t n, const Read& read) {
  constexpr std::size_t longest = 4096;  // largest size of a fixed-length text [bytes]
  if (n == 0) return {};
  std::vector<std::string> texts;
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> words(n, nullptr);
    if (read(static_cast<void*>(words.data())) < 0) return {};
    for (const char* word : words) texts.push_back(word != nullptr ? std::string(trimmed(word)) : std::string());
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, words.data());
    return texts;
  }
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || size > longest) return {};
  std::string all(n * size, '\0');
  if (read(static_cast<void*>(all.data())) < 0) return {};
  for (std::size_t i = 0; i < n; ++i) {
    const std::string one = all.substr(i * size, size);
    texts.push_back(std::string(trimmed(one.substr(0, one.find('\0')))));
  }
  return texts;
}

}  // namespace tl::io
