// Compresses by zlib.
#include "core/io/bytes/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"

namespace tl::io {

struct DeflateStream::State {
  z_stream stream{};
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { deflateEnd(&stream); }
};

DeflateStream::DeflateStream(DeflateForm form) : state_(std::make_unique<State>()) {
  constexpr int level = 1, window = 15, with_gzip_header = 16, memory = 8;  // the last three: zlib's defaults
  TL_CHECK(deflateInit2(&state_->stream, level, Z_DEFLATED, window + (form == DeflateForm::gzip ? with_gzip_header : 0),
                        memory, Z_DEFAULT_STRATEGY) == Z_OK,
           "zlib compresses with its defaults");
}
DeflateStream::DeflateStream(DeflateStream&&) noexcept = default;
DeflateStream& DeflateStream::operator=(DeflateStream&&) noexcept = default;
DeflateStream::~DeflateStream() = default;

std::vector<std::byte> DeflateStream::run(std::span<const std::byte> bytes, int flush) {
  z_stream& stream = state_->stream;
  std::vector<std::byte> packed;
  constexpr std::size_t most = std::numeric_limits<unsigned>::max() / 4, min_room = 1024;
  bool done = false;
  while (!done) {
    const auto now = bytes.subspan(0, std::min(bytes.size(), most));
    bytes = bytes.subspan(now.size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(now.data()));
    stream.avail_in = static_cast<unsigned>(now.size());
    const bool last = bytes.empty();
    const int how = last ? flush : Z_NO_FLUSH;
    do {
      const std::size_t before = packed.size(), room = std::max<std::size_t>(min_room, stream.avail_in / 2);
      packed.resize(before + room);
      stream.next_out = reinterpret_cast<Bytef*>(packed.data() + before);
      stream.avail_out = static_cast<unsigned>(room);
      const int state = deflate(&stream, how);
      TL_CHECK(state != Z_STREAM_ERROR, "zlib's stream is open");
      packed.resize(before + room - stream.avail_out);
    } while (stream.avail_out == 0);
    done = last;
  }
  return packed;
}

std::vector<std::byte> DeflateStream::add(std::span<const std::byte> bytes) { return run(bytes, Z_NO_FLUSH); }
std::vector<std::byte> DeflateStream::finish() { return run({}, Z_FINISH); }

std::vector<std::byte> deflated(DeflateForm form, std::span<const std::byte> bytes) {
  DeflateStream stream(form);
  std::vector<std::byte> packed = stream.add(bytes);
  const std::vector<std::byte> rest = stream.finish();
  packed.insert(packed.end(), rest.begin(), rest.end());
  return packed;
}

}  // namespace tl::io
