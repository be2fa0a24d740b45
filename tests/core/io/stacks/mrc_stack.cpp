// MRC stacks as scans: series of images with and without angles, folders of them, counts and numbers of four bits; two
// thousand headers that lie, next to a reader of the test's own; electron events.
#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "core/io/scans/scan_formats.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/mrc_maker.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::mrc_stack_test {

namespace fs = std::filesystem;
using test::MrcMaker;

namespace {

constexpr int64_t views = 2, rows = 3, cols = 5;

template <class T>
std::vector<T> counting() {
  std::vector<T> all;
  for (int i = 0; i < views * rows * cols; ++i) all.push_back(static_cast<T>(i));
  return all;
}
// As they are seen: the file's last row is the top one.
at::Tensor seen() { return at::arange(views * rows * cols, at::kFloat).view({views, rows, cols}).flip(1); }

MrcMaker series(int32_t mode) { return MrcMaker(mode).put<int32_t>(88, 0); }

at::Tensor all_of(io::ScanReader& scan) {
  const io::ScanInfo& i = scan.info();
  return scan.read({{0, i.views}, {0, i.rows}, {0, i.cols}}).or_throw();
}

// A reader that knows no more than the standard says: nothing where the header makes no sense to it.
class PlainReader {
 public:
  explicit PlainReader(const std::string& bytes) : bytes_(bytes) {
    const auto stamp = static_cast<unsigned char>(bytes[212]);
    big_ = stamp == 0x11 || (stamp != 0x44 && (number<int32_t>(12) < 0 || number<int32_t>(12) >= 1000));
    nx_ = number<int32_t>(0);
    ny_ = number<int32_t>(4);
    nz_ = number<int32_t>(8);
    offset_ = 1024 + int64_t{number<int32_t>(92)};
  }
  [[nodiscard]] at::Tensor frames() const {
    at::Tensor out = at::empty({nz_, ny_, nx_}, at::kFloat);
    for (int64_t n = 0; n < nz_; ++n)
      for (int64_t r = 0; r < ny_; ++r)
        for (int64_t c = 0; c < nx_; ++c) out[n][r][c] = value(n, ny_ - 1 - r, c);
    return out;
  }

 private:
  template <class T>
  [[nodiscard]] T number(int64_t at) const {
    std::string raw = bytes_.substr(static_cast<std::size_t>(at), sizeof(T));
    if (big_) std::reverse(raw.begin(), raw.end());
    T value{};
    std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  [[nodiscard]] double value(int64_t n, int64_t r, int64_t c) const {
    const int64_t line = n * ny_ + r, at = line * nx_ + c;
    const bool imod = number<int32_t>(152) == 1146047817 && (number<int32_t>(156) & 1) == 0;
    switch (number<int32_t>(12)) {
      case 0: return imod ? number<uint8_t>(offset_ + at) : number<int8_t>(offset_ + at);
      case 1: return number<int16_t>(offset_ + 2 * at);
      case 2: return number<float>(offset_ + 4 * at);
      case 6: return number<uint16_t>(offset_ + 2 * at);
      case 12: return number<c10::Half>(offset_ + 2 * at);
      case 101: {
        const auto byte = number<uint8_t>(offset_ + line * ((nx_ + 1) / 2) + c / 2);
        return c % 2 == 0 ? byte & 15 : byte >> 4;
      }
      default: return std::numeric_limits<double>::infinity();
    }
  }
  const std::string& bytes_;
  bool big_ = false;
  int64_t nx_ = 0, ny_ = 0, nz_ = 0, offset_ = 0;
};

bool same_numbers(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && (a == b).logical_or(a.isnan().logical_and(b.isnan())).all().item<bool>();
}

// Some fields of the header become what no writer means.
std::string lying(const std::string& good, std::mt19937_64& random) {
  constexpr std::size_t fields[] = {0,  4,  8,  12, 12, 16,  28,  36,  40,  48,  52,
                                    64, 68, 72, 88, 92, 104, 152, 156, 196, 208, 212};
  constexpr int32_t values[] = {0,
                                1,
                                -1,
                                2,
                                3,
                                4,
                                5,
                                6,
                                7,
                                10,
                                12,
                                16,
                                30,
                                60,
                                101,
                                401,
                                1024,
                                1 << 24,
                                0x44444444,
                                0x11111111,
                                1146047817,
                                std::numeric_limits<int32_t>::max(),
                                std::numeric_limits<int32_t>::min()};
  std::string bad = good;
  const auto count = 1 + random() % 3;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = fields[random() % std::size(fields)];
    if (random() % 4 == 0)
      bad[at + random() % 4] = static_cast<char>(random());
    else
      bad.replace(at, 4, test::raw(values[random() % std::size(values)], io::ByteOrder::little));
  }
  return bad;
}

}  // namespace

class MrcStackTest : public test::ScanFolder {
  Q_OBJECT

 private Q_SLOTS:
  void series_of_images() {
    test::put(path("tilt.mrc"), series(6).with(counting<uint16_t>()));
    const auto scan = io::open_scan(path("tilt.mrc")).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("mrc_stack"));
    QCOMPARE(info.pixel_type, std::string("uint16"));
    QVERIFY(info.angles.origin == Origin::guessed && info.pixel_size_u.origin == Origin::file);
    QVERIFY(std::abs(info.pixel_size_u.value - 1e-6) < 1e-12 && std::abs(info.pixel_size_v.value - 1e-6) < 1e-12);
    QVERIFY(at::equal(all_of(*scan), seen()));
    QVERIFY(
        at::equal(scan->read({{1, 2}, {0, 2}, {1, 4}}).or_throw(), seen().slice(0, 1).slice(1, 0, 2).slice(2, 1, 4)));
    const std::vector<int64_t> order = {1, 0};
    const at::Tensor counts = scan->read_views(order, {1, 3}, {0, 5}, Samples::counts, {}).or_throw();
    QVERIFY(counts.numel() == 20);
  }
  // Pixels wait as uint16 where later nodes take counts: the rows are those of floats.
  void counts() {
    test::put(path("counts.mrc"), series(6).with(counting<uint16_t>()));
    const auto sources = std::make_shared<io::SourceFiles>(path("counts.mrc"), io::OutsideLinks::refuse);
    const auto scan = io::open_scan_here(path("counts.mrc"), {}, {sources, 1, {}}).or_throw();
    const at::Tensor out = at::empty({views, 2, cols}, at::kUInt16);
    scan->read_into({io::Frames::views, {0, views}, {0, 2}, {0, cols}}, out, {}).or_throw();
    QVERIFY(at::equal(out.to(at::kFloat), seen().slice(1, 0, 2)));
  }
  void angles_next_to_the_file() {
    test::put(path("cell.st"), series(1).with(counting<int16_t>()));
    test::put(path("cell.rawtlt"), "-60.0\n 60.5\n");
    const auto scan = io::open_scan(path("cell.st")).or_throw();
    const auto& angles = scan->info().angles;
    QVERIFY(angles.origin == Origin::file && angles.source == "cell.rawtlt");
    QVERIFY(std::abs(angles.value.at(1) * 180 / M_PI - 60.5) < 1e-12);
    QCOMPARE(scan->files().size(), std::size_t{2});
    io::ScanChoices choices;
    choices.angle_step = 0.5;
    QCOMPARE(io::open_scan(path("cell.st"), {}, {.choices = choices}).or_throw()->info().angles.value.at(1), 0.5);
    test::put(path("cell.rawtlt"), "1 2 3\n");
    const auto other = io::open_scan(path("cell.st")).or_throw();
    QVERIFY(other->info().angles.origin == Origin::guessed && noted(other->info(), "3 angles for 2 views"));
    test::put(path("cell.rawtlt"), "one\n");
    QVERIFY(!io::open_scan(path("cell.st")).ok());
  }
  // What the header calls a volume is a scan if its angles are given.
  void volumes() {
    const fs::path file = path("volume.mrc");
    test::put(file, MrcMaker(1).with(counting<int16_t>()));
    refuses(file, ErrorKind::invalid, {"says volume", "angles"});
    io::ScanChoices choices;
    choices.angle_step = 0.1;
    const auto scan = io::open_scan(file, {}, {.choices = choices}).or_throw();
    QVERIFY(at::equal(all_of(*scan), seen()));
    fs::copy(file, path("volume.mrcs"));
    QVERIFY(io::open_scan(path("volume.mrcs")).ok());
  }
  void folders() {
    const fs::path folder = path("movies");
    fs::create_directory(folder);
    for (const char* name : {"m_2.mrc", "m_10.mrc", "dark.mrc"})
      test::put(folder / name,
                series(6).with(std::vector<uint16_t>(30, static_cast<uint16_t>(std::string(name).size()))));
    const auto scan = io::open_scan(folder).or_throw();
    QVERIFY(scan->info().views == 4 && scan->info().darks == 2);
    QVERIFY((all_of(*scan).slice(0, 0, 2) == 7).all().item<bool>());  // natural order
    QVERIFY((scan->read_darks({0, 3}, {0, 5}).or_throw() == 8).all().item<bool>());
    test::put(folder / "m_11.mrc", series(6).three<int32_t>(0, 3, 5, 2).with(counting<uint16_t>()));
    const auto odd = io::open_scan(folder);
    QVERIFY(!odd.ok() && test::mentions(odd.error().message(), {"m_11.mrc", "5 x 3", "3 x 5"}));
    test::put(folder / "m_11.mrc", series(1).with(counting<int16_t>()));
    QVERIFY(!io::open_scan(folder).ok());
  }
  void half_bytes() {
    std::vector<uint8_t> bytes;
    for (int i = 0; i < 18; ++i) bytes.push_back(static_cast<uint8_t>(37 * i + 5));
    const std::string file = series(101).with(bytes);
    test::put(path("four.mrc"), file);
    const auto scan = io::open_scan(path("four.mrc")).or_throw();
    QCOMPARE(scan->info().pixel_type, std::string("uint4"));
    QVERIFY(at::equal(all_of(*scan), PlainReader(file).frames()));
  }
  void electron_events() {
    test::put(path("movie.eer"), std::string("II\x2b\0\x08\0\0\0", 8) + std::string(100, '\0'));
    const auto scan = io::open_scan(path("movie.eer"));
    QVERIFY(!scan.ok() && scan.error().kind == ErrorKind::unavailable);
    QVERIFY(test::mentions(scan.error().hint, {"relion_convert_to_tiff", "IMOD"}));
  }
  void headers_that_lie() {
    constexpr int mutants = 2000;
    std::mt19937_64 random(50);
    int read = 0, refused = 0;
    const fs::path file = path("lies.mrc");
    for (int i = 0; i < mutants; ++i) {
      const auto order = i % 2 == 0 ? io::ByteOrder::little : io::ByteOrder::big;
      MrcMaker header(6, order);
      header.put<int32_t>(88, 0);
      const std::string bad = lying(header.with(counting<uint16_t>()), random);
      test::put(file, bad);
      const auto sources = std::make_shared<io::SourceFiles>(file, io::OutsideLinks::refuse);
      const auto scan = io::open_scan_here(file, i % 3 == 0 ? "mrc_stack" : "", {sources, 1, {.angle_step = 0.1}});
      const QByteArray label = "mutant " + QByteArray::number(i);
      if (!scan.ok()) {
        const Error& e = scan.error();
        QVERIFY2(e.kind != ErrorKind::internal && !e.where.empty(), label + ": " + e.message().c_str());
        ++refused;
        continue;
      }
      const io::ScanInfo& info = scan.value()->info();
      const auto numbers = scan.value()->read({{0, info.views}, {0, info.rows}, {0, info.cols}});
      QVERIFY2(numbers.ok(), label + ": " + (numbers.ok() ? "" : numbers.error().message().c_str()));
      QVERIFY2(same_numbers(numbers.value(), PlainReader(bad).frames()), label);
      ++read;
    }
    qInfo("%d refused, %d read as an independent reader does", refused, read);
    QVERIFY(read > mutants / 10 && refused > mutants / 10);
  }
};

TL_TEST_CASE(MrcStackTest)

}  // namespace tl::mrc_stack_test

#include "mrc_stack.moc"
