// Unpacks chunks by zlib, zstd and blosc.
#include "core/io/zarr/codecs.h"

#include <blosc.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

namespace tl::io {
namespace {

constexpr int gzip_or_zlib = 32;   // added to the window: either header is recognised
constexpr int widest_window = 15;  // bits

Error damaged_chunk(const std::string& where) {
  return io_error("a chunk cannot be unpacked", where, "The file is damaged or not whole: copy it again");
}

unsigned at_once(int64_t bytes) {
  return static_cast<unsigned>(std::min<int64_t>(bytes, std::numeric_limits<unsigned>::max() / 2));
}

class Inflating {
 public:
  Inflating() : ready_(inflateInit2(&stream_, widest_window + gzip_or_zlib) == Z_OK) {}
  ~Inflating() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflating(const Inflating&) = delete;
  Inflating& operator=(const Inflating&) = delete;

  // Whether `from` gives exactly as many bytes as `to` has room for; a file may hold several streams of gzip.
  bool fill(std::span<const std::byte> from, std::vector<std::byte>& to) {
    if (!ready_) return false;
    int64_t used = 0, made = 0;
    const auto there = static_cast<int64_t>(from.size()), wanted = static_cast<int64_t>(to.size());
    while (made < wanted) {
      if (used >= there) return false;
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(from.data() + used));
      stream_.avail_in = at_once(there - used);
      stream_.next_out = reinterpret_cast<Bytef*>(to.data() + made);
      stream_.avail_out = at_once(wanted - made);
      const unsigned in = stream_.avail_in, out = stream_.avail_out;
      const int done = inflate(&stream_, Z_NO_FLUSH);
      used += in - stream_.avail_in;
      made += out - stream_.avail_out;
      if (done == Z_STREAM_END && made < wanted && inflateReset(&stream_) != Z_OK) return false;
      if (done != Z_OK && done != Z_STREAM_END) return false;
    }
    return true;
  }

 private:
  z_stream stream_{};
  bool ready_;
};

bool unpack_blosc(std::span<const std::byte> packed, std::vector<std::byte>& plain) {
  std::size_t claimed = 0;
  if (blosc_cbuffer_validate(packed.data(), packed.size(), &claimed) < 0 || claimed != plain.size()) return false;
  return blosc_decompress_ctx(packed.data(), plain.data(), plain.size(), 1) == static_cast<int64_t>(plain.size());
}

}  // namespace

std::optional<ZarrCodec> zarr_codec_named(std::string_view name) {
  if (name == "zlib") return ZarrCodec::zlib;
  if (name == "gzip") return ZarrCodec::gzip;
  if (name == "zstd") return ZarrCodec::zstd;
  if (name == "blosc") return ZarrCodec::blosc;
  return std::nullopt;
}

Result<std::vector<std::byte>> unpack_chunk(ZarrCodec codec, std::span<const std::byte> packed, int64_t bytes,
                                            const std::string& where) {
  std::vector<std::byte> plain(static_cast<std::size_t>(bytes));
  bool whole = false;
  switch (codec) {
    case ZarrCodec::zlib:
    case ZarrCodec::gzip:
      whole = Inflating().fill(packed, plain);
      break;
    case ZarrCodec::zstd:
      whole = ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size()) == plain.size();
      break;
    case ZarrCodec::blosc:
      whole = unpack_blosc(packed, plain);
  }
  if (!whole) return damaged_chunk(where);
  return plain;
}

}  // namespace tl::io
