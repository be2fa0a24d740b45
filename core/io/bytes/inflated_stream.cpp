// Unpacks streams by zlib, which compares the checksum only where the end of the stream is read.
#include "core/io/bytes/inflated_stream.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace tl::io {
namespace {

constexpr int widest_window = 15;  // bits
constexpr int gzip_or_zlib = 32;   // added to the window size: zlib detects either header
constexpr std::array<Bytef, 2> gzip_begin = {0x1f, 0x8b};

InflatedStream::PackedBytes bytes_of_memory(std::span<const std::byte> packed) {
  return [packed](std::span<std::byte> to) mutable {
    const std::size_t count = std::min(packed.size(), to.size());
    std::copy_n(packed.begin(), count, to.begin());
    packed = packed.subspan(count);
    return static_cast<int64_t>(count);
  };
}

}  // namespace

InflatedStream::InflatedStream(PackedBytes packed)
    : source_(std::move(packed)),
      packed_(std::size_t{1} << 16),
      ready_(inflateInit2(&stream_, widest_window + gzip_or_zlib) == Z_OK) {}

InflatedStream::InflatedStream(std::span<const std::byte> packed) : InflatedStream(bytes_of_memory(packed)) {}

InflatedStream::~InflatedStream() {
  if (ready_) inflateEnd(&stream_);
}

// Reads more compressed bytes into the buffer; false if there are none.
bool InflatedStream::fill() {
  auto* const begin = reinterpret_cast<Bytef*>(packed_.data());
  if (stream_.avail_in > 0) std::memmove(begin, stream_.next_in, stream_.avail_in);
  stream_.next_in = begin;
  const int64_t got = source_(std::span(packed_).subspan(stream_.avail_in));
  if (got > 0) stream_.avail_in += static_cast<unsigned>(got);
  return got > 0;
}

// Begins the next gzip member of the stream, if there is one.
bool InflatedStream::begin_next_member() {
  while (stream_.avail_in < gzip_begin.size() && fill()) {
  }
  return stream_.avail_in >= gzip_begin.size() && std::equal(gzip_begin.begin(), gzip_begin.end(), stream_.next_in) &&
         inflateReset(&stream_) == Z_OK;
}

std::optional<int64_t> InflatedStream::read(std::span<std::byte> to) {
  constexpr std::size_t most = std::numeric_limits<unsigned>::max() / 2;
  if (!ready_) return std::nullopt;
  std::size_t made = 0;
  while (made < to.size() && !ended_) {
    if (stream_.avail_in == 0 && !fill()) return std::nullopt;
    const auto room = static_cast<unsigned>(std::min(most, to.size() - made));
    stream_.next_out = reinterpret_cast<Bytef*>(to.data() + made);
    stream_.avail_out = room;
    const int state = inflate(&stream_, Z_NO_FLUSH);
    made += room - stream_.avail_out;
    if (state == Z_STREAM_END)
      ended_ = !begin_next_member();
    else if (state != Z_OK)
      return std::nullopt;
  }
  return static_cast<int64_t>(made);
}

std::optional<int64_t> InflatedStream::skip(int64_t most) {
  std::array<std::byte, std::size_t{1} << 14> skipped;  // NOLINT: written before it is read
  int64_t done = 0;
  while (done < most) {
    const auto wanted = static_cast<std::size_t>(std::min<int64_t>(most - done, skipped.size()));
    const auto got = read(std::span(skipped).first(wanted));
    if (!got) return std::nullopt;
    done += *got;
    if (*got < static_cast<int64_t>(wanted)) break;
  }
  return done;
}

std::optional<std::vector<std::byte>> inflated(std::span<const std::byte> packed, int64_t bytes) {
  std::vector<std::byte> plain(static_cast<std::size_t>(bytes));
  InflatedStream stream(packed);
  const auto got = stream.read(plain);
  if (!got || *got != bytes) return std::nullopt;
  const auto more = stream.skip(1);
  return more && *more == 0 ? std::optional(std::move(plain)) : std::nullopt;
}

}  // namespace tl::io
