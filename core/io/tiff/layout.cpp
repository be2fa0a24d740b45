// Makes the bytes of a grey TIFF around its pixels: directories (TIFF 6.0; BigTIFF as in libtiff) and ImageJ's
// description.
#include "core/io/tiff/layout.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <sstream>
#include <utility>

#include "core/base/text.h"
#include "core/io/output/samples.h"
#include "core/io/voxels/grid_text.h"

namespace tl::io {
namespace {

enum Type : uint16_t { ascii = 2, short16 = 3, long32 = 4, rational = 5, long64 = 16 };
enum Tag : uint16_t {
  subfile = 254,
  width = 256,
  height = 257,
  bits = 258,
  compression = 259,
  photometric = 262,
  text = 270,
  strip_offsets = 273,
  samples = 277,
  rows_per_strip = 278,
  strip_bytes = 279,
  x_resolution = 282,
  y_resolution = 283,
  resolution_unit = 296,
  software = 305,
  sample_format = 339,
};
constexpr char program[] = "Tomoloom";
constexpr const char* marker = "# tomoloom";

void put(std::vector<std::byte>& to, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) to.push_back(static_cast<std::byte>(value >> (8 * i)));
}

// The fraction of two 32-bit numbers nearest to a positive value, by continued fractions.
std::pair<uint64_t, uint64_t> fraction(double value) {
  constexpr double largest = std::numeric_limits<uint32_t>::max();
  if (!(value > 0) || !(value < largest)) return {1, 1};
  std::array<double, 2> p = {1, 0}, q = {0, 1};  // current and previous numerator and denominator
  double rest = value;
  for (int i = 0; i < 40; ++i) {
    const double whole = std::floor(rest);
    const double np = whole * p[0] + p[1], nq = whole * q[0] + q[1];
    if (np > largest || nq > largest) break;
    p = {np, p[0]};
    q = {nq, q[0]};
    if (rest - whole < 1e-12 || std::abs(np / nq - value) <= 1e-16 * value) break;
    rest = 1 / (rest - whole);
  }
  return {static_cast<uint64_t>(p[0]), static_cast<uint64_t>(q[0])};
}

// Builds one image file directory; entries are added in ascending order of tags.
class Directory {
 public:
  explicit Directory(bool big) : big_(big) {}
  void number(Tag tag, Type type, uint64_t value) {
    std::vector<std::byte> bytes;
    put(bytes, value, type == short16 ? 2 : type == long32 ? 4 : 8);
    entries_.push_back({tag, type, 1, std::move(bytes)});
  }
  void ratio(Tag tag, double value) {
    const auto [numerator, denominator] = fraction(value);
    std::vector<std::byte> bytes;
    put(bytes, numerator, 4);
    put(bytes, denominator, 4);
    entries_.push_back({tag, rational, 1, std::move(bytes)});
  }
  void words(Tag tag, const std::string& value) {
    std::vector<std::byte> bytes(value.size() + 1, std::byte{0});
    std::memcpy(bytes.data(), value.data(), value.size());
    const auto count = static_cast<uint64_t>(bytes.size());
    entries_.push_back({tag, ascii, count, std::move(bytes)});
  }
  // The bytes of the directory, followed by the values that do not fit into its entries; `at` is its offset in the
  // file. `value_at` receives the offset of the value of the tag `wanted`.
  std::vector<std::byte> encode(uint64_t at, uint64_t next, Tag wanted = subfile, uint64_t* value_at = nullptr) const {
    const int word = big_ ? 8 : 4;
    const uint64_t entry_size = big_ ? 20 : 12, entries = entries_.size();
    uint64_t spill = at + (big_ ? 8 : 2) + entries * entry_size + static_cast<uint64_t>(word);
    std::vector<std::byte> out, behind;
    put(out, entries, big_ ? 8 : 2);
    for (const Entry& e : entries_) {
      put(out, e.tag, 2);
      put(out, e.type, 2);
      put(out, e.count, word);
      if (e.bytes.size() <= static_cast<std::size_t>(word)) {
        if (e.tag == wanted && value_at != nullptr) *value_at = at + out.size();
        out.insert(out.end(), e.bytes.begin(), e.bytes.end());
        put(out, 0, word - static_cast<int>(e.bytes.size()));
        continue;
      }
      if (e.tag == wanted && value_at != nullptr) *value_at = spill + behind.size();
      put(out, spill + behind.size(), word);
      behind.insert(behind.end(), e.bytes.begin(), e.bytes.end());
      behind.resize((behind.size() + 7) / 8 * 8);  // values begin on even addresses
    }
    put(out, next, word);
    out.insert(out.end(), behind.begin(), behind.end());
    out.resize((out.size() + 15) / 16 * 16);
    return out;
  }

 private:
  struct Entry {
    Tag tag;
    Type type;
    uint64_t count;
    std::vector<std::byte> bytes;
  };
  bool big_;
  std::vector<Entry> entries_;
};

Directory directory(const TiffLayout& t, bool big, int64_t page, uint64_t data) {
  constexpr uint64_t not_packed = 1, packed_by_deflate = 8;
  const bool packed = !t.packed_bytes.empty();
  const int64_t bytes = packed ? t.packed_bytes[static_cast<std::size_t>(page)] : t.page_bytes();
  Directory d(big);
  d.number(subfile, long32, 0);
  d.number(width, long32, static_cast<uint64_t>(t.cols));
  d.number(height, long32, static_cast<uint64_t>(t.rows));
  d.number(bits, short16, static_cast<uint64_t>(8 * bytes_per_sample(t.type)));
  d.number(compression, short16, packed ? packed_by_deflate : not_packed);
  d.number(photometric, short16, 1);  // black is zero
  if (page == 0) d.words(text, t.description);
  d.number(strip_offsets, big ? long64 : long32, data);
  d.number(samples, short16, 1);
  d.number(rows_per_strip, long32, static_cast<uint64_t>(t.rows));
  d.number(strip_bytes, big ? long64 : long32, static_cast<uint64_t>(bytes));
  d.ratio(x_resolution, t.pixels_per_um_x);
  d.ratio(y_resolution, t.pixels_per_um_y);
  d.number(resolution_unit, short16, 1);  // none: ImageJ takes the unit from the description
  d.words(software, program);
  constexpr uint64_t unsigned_integers = 1, signed_integers = 2, floats = 3;
  d.number(sample_format, short16,
           t.type == SampleType::float32 ? floats
           : t.type == SampleType::int32 ? signed_integers
                                         : unsigned_integers);
  return d;
}

uint64_t header_size(bool big) { return big ? 16 : 8; }

uint64_t aligned(uint64_t offset) { return (offset + 15) / 16 * 16; }

// The first bytes of a file, with the offset of its first directory.
std::vector<std::byte> file_header(bool big, uint64_t first_directory) {
  std::vector<std::byte> out;
  put(out, 0x4949, 2);  // little-endian
  put(out, big ? 43 : 42, 2);
  if (big) {
    put(out, 8, 2);
    put(out, 0, 2);
  }
  put(out, first_directory, big ? 8 : 4);
  return out;
}

constexpr uint64_t packed_head_bytes = 16;
int64_t sum_of(const std::vector<int64_t>& all) { return std::accumulate(all.begin(), all.end(), int64_t{0}); }
uint64_t packed_tail_at(const TiffLayout& t) {
  return aligned(packed_head_bytes + static_cast<uint64_t>(sum_of(t.packed_bytes)));
}

struct LayoutOffsets {
  uint64_t data, tail, description;
};
LayoutOffsets offsets_in(const TiffLayout& t) {
  const bool big = t.big();
  LayoutOffsets p{};
  const auto first = directory(t, big, 0, 0).encode(header_size(big), 0, text, &p.description);
  p.data = aligned(header_size(big) + first.size());
  p.tail = aligned(p.data + static_cast<uint64_t>(t.pages) * static_cast<uint64_t>(t.page_bytes()));
  return p;
}

std::string shortest(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}
std::string fixed_length(double value) { return formatted("%+.9e", static_cast<double>(static_cast<float>(value))); }

}  // namespace

int64_t TiffLayout::page_bytes() const { return rows * cols * bytes_per_sample(type); }

bool TiffLayout::big() const {
  // Upper bounds of the bytes for directories and description.
  constexpr int64_t limit = int64_t{1} << 32, per_page = 512;
  const int64_t margin = (int64_t{1} << 20) + static_cast<int64_t>(description.size());
  return pages > (limit - margin) / (page_bytes() + per_page);
}

int64_t TiffLayout::description_offset() const { return static_cast<int64_t>(offsets_in(*this).description); }

std::vector<std::byte> TiffLayout::head() const {
  const bool is_big = big();
  const LayoutOffsets p = offsets_in(*this);
  std::vector<std::byte> out = file_header(is_big, header_size(is_big));
  const auto first = directory(*this, is_big, 0, p.data).encode(header_size(is_big), pages > 1 ? p.tail : 0);
  out.insert(out.end(), first.begin(), first.end());
  out.resize(p.data);
  return out;
}

std::vector<std::byte> TiffLayout::packed_head() const {
  std::vector<std::byte> out = file_header(big(), packed_tail_at(*this));
  out.resize(packed_head_bytes);
  return out;
}

std::vector<std::byte> TiffLayout::packed_tail() const {
  const bool is_big = big();
  uint64_t at = packed_tail_at(*this), data = packed_head_bytes;
  std::vector<std::byte> out(at - data - static_cast<uint64_t>(sum_of(packed_bytes)));
  for (int64_t k = 0; k < pages; ++k) {
    const Directory d = directory(*this, is_big, k, data);
    const uint64_t size = d.encode(at, 0).size();
    const auto bytes = d.encode(at, k + 1 < pages ? at + size : 0);
    out.insert(out.end(), bytes.begin(), bytes.end());
    at += size;
    data += static_cast<uint64_t>(packed_bytes[static_cast<std::size_t>(k)]);
  }
  return out;
}

std::vector<std::byte> TiffLayout::tail() const {
  const bool is_big = big();
  const LayoutOffsets p = offsets_in(*this);
  const auto page = static_cast<uint64_t>(page_bytes());
  std::vector<std::byte> out(pages > 1 ? p.tail - p.data - static_cast<uint64_t>(pages) * page : 0);
  uint64_t at = p.tail;
  for (int64_t k = 1; k < pages; ++k) {
    const Directory d = directory(*this, is_big, k, p.data + static_cast<uint64_t>(k) * page);
    const uint64_t size = d.encode(at, 0).size();
    const auto bytes = d.encode(at, k + 1 < pages ? at + size : 0);
    out.insert(out.end(), bytes.begin(), bytes.end());
    at += size;
  }
  return out;
}

std::string ImageJDescription::lines() const {
  std::string out = "ImageJ=1.11a\nimages=" + std::to_string(images) + "\n";
  if (images > 1) out += "slices=" + std::to_string(images) + "\n";
  out += "mode=grayscale\nunit=micron\nspacing=" + shortest(spacing_um) + "\nloop=false\nmin=" + fixed_length(min) +
         "\nmax=" + fixed_length(max) + "\n";
  if (step != 1 || offset != 0)  // ImageJ's straight-line calibration
    out += "cf=0\nc0=" + shortest(offset) + "\nc1=" + shortest(step) + "\n";
  out += "vunit=" + value_unit + "\n";
  out += "axes=" + std::string(volume_axes) + "\n" + place;
  if (text.empty()) return out;
  out += std::string(marker) + "\n";
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) out += "# " + line + "\n";
  return out;
}

std::string place_lines(const VolumeGrid& grid) {
  std::string lines;
  if (grid.is_axis_aligned()) {
    // Rows run along -y: row 0 has the largest y.
    const Vec3 first = grid.position(0, static_cast<double>(grid.ny - 1), 0);
    lines += "xorigin=" + shortest(-first.x / grid.step_x.x) + "\nyorigin=" + shortest(first.y / grid.step_y.y) +
             "\nzorigin=" + shortest(-first.z / grid.step_z.z) + "\n";
  }
  return lines + "grid_mm=" + grid_text(grid) + "\n";
}

std::string text_of_description(const std::string& description) {
  std::istringstream from(description);
  std::string text, line;
  bool ours = false;
  while (std::getline(from, line)) {
    if (ours && line.starts_with("# ")) text += line.substr(2) + "\n";
    ours = ours || line == marker;
  }
  return text;
}

}  // namespace tl::io
