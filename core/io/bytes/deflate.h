// DeflateStream: compresses bytes by zlib, in the form of gzip or of zlib.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tl::io {

enum class DeflateForm : uint32_t { gzip, zlib };

// Quick rather than tight: zlib's level 1. Not from several threads at a time.
class DeflateStream {
 public:
  explicit DeflateStream(DeflateForm form);
  DeflateStream(DeflateStream&&) noexcept;
  DeflateStream& operator=(DeflateStream&&) noexcept;
  ~DeflateStream();
  // The compressed bytes that are available so far.
  std::vector<std::byte> add(std::span<const std::byte> bytes);
  // The remaining compressed bytes; nothing may be added afterwards.
  std::vector<std::byte> finish();

 private:
  struct State;
  std::vector<std::byte> run(std::span<const std::byte> bytes, int flush);
  std::unique_ptr<State> state_;
};

// All of it at once.
std::vector<std::byte> deflated(DeflateForm form, std::span<const std::byte> bytes);

}  // namespace tl::io
