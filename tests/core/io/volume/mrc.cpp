// MRC files made by hand, as other programs make them: all modes, both byte orders, extended headers, IMOD's bytes,
// axes in another order, positions; and headers that lie.
#include <cmath>

#include "core/io/open_volume.h"
#include "core/io/voxels/raw_voxels.h"
#include "tests/support/io/header_key_cases.h"
#include "tests/support/io/mrc_maker.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::mrc_test {

using namespace test::volumes;
using Header = test::MrcMaker;
using test::raw;

namespace {

// 0, 1, 2 ... 29, less an offset.
template <class T>
std::vector<T> counting(int less = 0) {
  std::vector<T> all;
  for (int i = 0; i < 30; ++i) all.push_back(static_cast<T>(i - less));
  return all;
}
at::Tensor expected(int less = 0) { return at::arange(30, at::kFloat).view({2, 3, 5}) - less; }

}  // namespace

class MrcTest : public VolumeFolder {
  Q_OBJECT

  fs::path file(const std::string& bytes) {
    put(path("v.mrc"), bytes);
    return path("v.mrc");
  }
  std::string refusal(const std::string& bytes) {
    const auto opened = read_all(file(bytes), "mrc");
    if (opened.ok()) return "was read";
    const Error& e = opened.error();
    return e.kind == ErrorKind::internal || e.where.empty() || e.hint.empty() ? "bad error: " + e.message()
                                                                              : e.message();
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  // Rows begin at the bottom: the first number has the smallest y, as in our grids.
  void modes() {
    for (const io::ByteOrder order : {io::ByteOrder::little, io::ByteOrder::big}) {
      QVERIFY(read_all(file(Header(0, order).with(counting<int8_t>(7)))).or_throw().equal(expected(7)));
      QVERIFY(read_all(file(Header(1, order).with(counting<int16_t>(500)))).or_throw().equal(expected(500)));
      QVERIFY(read_all(file(Header(2, order).with(counting<float>(3)))).or_throw().equal(expected(3)));
      QVERIFY(read_all(file(Header(6, order).with(counting<uint16_t>()))).or_throw().equal(expected()));
      // float16 of small integers: sign, exponent + 15, mantissa.
      std::vector<uint16_t> halves;
      for (const float v : counting<float>(4)) {
        int exponent = 0;
        const float mantissa = std::frexp(std::abs(v), &exponent);
        halves.push_back(v == 0 ? 0
                                : static_cast<uint16_t>((v < 0 ? 0x8000 : 0) | (exponent + 14) << 10 |
                                                        static_cast<int>((2 * mantissa - 1) * 1024)));
      }
      QVERIFY(read_all(file(Header(12, order).with(halves))).or_throw().equal(expected(4)));
    }
    // A machine stamp that says nothing: the mode tells the order.
    for (const io::ByteOrder order : {io::ByteOrder::little, io::ByteOrder::big})
      QVERIFY(read_all(file(Header(1, order).text(212, std::string(2, '\0')).with(counting<int16_t>())))
                  .or_throw()
                  .equal(expected()));
  }
  // Two numbers a byte, the first in the lower half; a row of five has three bytes.
  void half_bytes() {
    std::vector<uint8_t> bytes;
    at::Tensor values = at::empty({2, 3, 5});
    for (int64_t row = 0; row < 6; ++row) {
      int n[6] = {};
      for (int64_t i = 0; i < 5; ++i) {
        n[i] = static_cast<int>((7 * row + 3 * i + 1) % 16);
        values.view({6, 5})[row][i] = n[i];
      }
      for (int i = 0; i < 6; i += 2) bytes.push_back(static_cast<uint8_t>(n[i] | n[i + 1] << 4));
    }
    const fs::path name = file(Header(101).with(bytes));
    QVERIFY(read_all(name).or_throw().equal(values));
    const auto volume = io::open_volume(name).or_throw();
    for (const Range x : {Range{1, 2}, Range{1, 4}, Range{2, 5}, Range{4, 5}})
      QVERIFY(volume->read({{1, 2}, {0, 2}, x})
                  .or_throw()
                  .equal(values.slice(0, 1, 2).slice(1, 0, 2).slice(2, x.begin, x.end)));
  }
  // IMOD's bytes are unsigned unless a flag is set; those of others are signed.
  void bytes_of_imod() {
    std::vector<uint8_t> bytes = counting<uint8_t>();
    bytes[29] = 200;
    const auto last = [&](const Header& h) { return read_all(file(h.with(bytes))).or_throw()[1][2][4].item<float>(); };
    constexpr int32_t stamp = 1146047817;
    QCOMPARE(last(Header(0)), -56.0F);
    QCOMPARE(last(Header(0).put<int32_t>(152, stamp)), 200.0F);
    QCOMPARE(last(Header(0).put<int32_t>(152, stamp).put<int32_t>(156, 1)), -56.0F);
  }
  void extended_header() {
    const Header h = Header(1).put<int32_t>(92, 640).text(104, "FEI1");
    const std::string whole = h.with(counting<int16_t>());
    const std::string bytes = whole.substr(0, 1024) + std::string(640, '\7') + whole.substr(1024);
    const auto volume = io::open_volume(file(bytes)).or_throw();
    QVERIFY(volume->read({{0, 2}, {0, 3}, {0, 5}}).or_throw().equal(expected()));
    QVERIFY(volume->info().description.empty() && volume->info().unit == Unit::none);
  }
  void sizes_and_positions() {
    const auto grid = [&](const Header& h) {
      return io::open_volume(file(h.with(counting<int16_t>()))).or_throw()->info();
    };
    const auto near = [](Vec3 a, Vec3 b) { return norm(a - b) < 1e-12; };
    const io::VolumeFileInfo plain = grid(Header(1));
    QVERIFY(near(plain.grid.step_x, {1e-6, 0, 0}) && near(plain.grid.step_y, {0, 1e-6, 0}) &&
            near(plain.grid.step_z, {0, 0, 2e-6}));
    QVERIFY(plain.voxel_size == Origin::file && plain.position == Origin::guessed);
    // In angstrom, of the first number; IMOD counts the other way.
    const io::VolumeFileInfo placed = grid(Header(1).three<float>(196, 100, -200, 300));
    QVERIFY(placed.position == Origin::file && near(placed.grid.position(0, 0, 0), {1e-5, -2e-5, 3e-5}));
    const io::VolumeFileInfo imod = grid(Header(1).three<float>(196, 100, -200, 300).put<int32_t>(152, 1146047817));
    QVERIFY(near(imod.grid.position(0, 0, 0), {-1e-5, 2e-5, -3e-5}));
    const io::VolumeFileInfo started = grid(Header(1).three<int32_t>(16, 4, -2, 1));
    QVERIFY(near(started.grid.position(0, 0, 0), {4e-6, -2e-6, 2e-6}));
    for (const Header& h : {Header(1).three<float>(40, 0, 0, 0), Header(1).three<int32_t>(28, 0, 0, 0),
                            Header(1).three<float>(40, std::nanf(""), 1, 1)})
      QVERIFY(grid(h).voxel_size == Origin::guessed);
    QVERIFY(grid(Header(1).put<int32_t>(88, 0)).notes.front().find("images") != std::string::npos);
  }
  // Columns along z, rows along x, sections along y.
  void axes_in_another_order() {
    const Header h = Header(1).three<int32_t>(64, 3, 1, 2).three<int32_t>(28, 3, 2, 5).three<float>(40, 30, 40, 50);
    const auto volume = io::open_volume(file(h.with(counting<int16_t>()))).or_throw();
    const VolumeGrid& g = volume->info().grid;
    const at::Tensor all = volume->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}).or_throw();
    QCOMPARE(all.numel(), int64_t{30});
    // Wherever the grid keeps its axes, a step of each moves by its edge and by its stride in the file.
    double edges = 0;
    for (const Vec3 s : {g.step_x, g.step_y, g.step_z}) edges += norm(s);
    QVERIFY(std::abs(edges - 4e-6) < 1e-12);
    const auto index = [&](Vec3 mm) {
      const GridPoint p = fractional_index(g, mm);
      return all[std::llround(p.k)][std::llround(p.j)][std::llround(p.i)].item<float>();
    };
    const Vec3 first = g.position(0, 0, 0);
    QCOMPARE(index(first), 0.0F);
    QCOMPARE(index(first + Vec3{0, 0, 1e-6}), 1.0F);
    QCOMPARE(index(first + Vec3{1e-6, 0, 0}), 5.0F);
    QCOMPARE(index(first + Vec3{0, 2e-6, 0}), 15.0F);
  }
  // What we write, as numpy would read it: rows from the bottom, angstrom, a header that others accept.
  void written_files() {
    const VolumeGrid grid{2, 3, 5, {1, -2, 3}, {0.001, 0, 0}, {0, 0.001, 0}, {0, 0, 0.002}};
    io::VolumeTarget t = target(path("w.mrc"), grid);
    write(*io::find_volume_format("mrc"), t, expected()).or_throw();
    const std::string bytes = bytes_of(path("w.mrc"));
    const auto number = [&](std::size_t at, auto like) {
      std::memcpy(&like, bytes.data() + at, sizeof like);
      return like;
    };
    QCOMPARE(number(0, int32_t{}), 5);
    QCOMPARE(number(4, int32_t{}), 3);
    QCOMPARE(number(8, int32_t{}), 2);
    QCOMPARE(number(12, int32_t{}), 2);
    QCOMPARE(number(28, int32_t{}), 5);
    QVERIFY(std::abs(number(40, float{}) - 5e4F) < 0.1F && std::abs(number(48, float{}) - 4e4F) < 0.1F);
    QCOMPARE(number(52, float{}), 90.0F);
    QCOMPARE(bytes.substr(208, 6), std::string("MAP \x44\x44"));
    const auto more = static_cast<std::size_t>(number(92, int32_t{}));
    QCOMPARE(bytes.size(), 1024 + more + 30 * sizeof(float));
    for (std::size_t i = 0; i < 30; ++i) QCOMPARE(number(1024 + more + 4 * i, float{}), static_cast<float>(i));
    QVERIFY(std::abs(number(196, float{}) - static_cast<float>(grid.position(0, 0, 0).x / 1e-7)) < 1);
    // Another program corrects the voxel size: its number counts, not ours.
    std::string changed = bytes;
    changed.replace(40, 4, raw(1e5F, io::ByteOrder::little));
    const auto corrected = io::open_volume(file(changed)).or_throw();
    QVERIFY(std::abs(corrected->info().grid.step_x.x - 0.002) < 1e-9);
    t.path = path("b.mrc");
    t.type = SampleType::uint8;
    QCOMPARE(io::find_volume_format("mrc")->write(t).error().kind, ErrorKind::invalid);
    QVERIFY(!io::find_volume_format("mrc")->stores(SampleType::int32));
  }
  // Every field of the standard is used or harmless, as the reader's table says.
  void fields() {
    constexpr io::ByteOrder little = io::ByteOrder::little;
    const std::map<std::string, std::size_t> places = {
        {"NX", 0},          {"NY", 4},       {"NZ", 8},      {"MODE", 12},    {"NXSTART", 16},   {"NYSTART", 20},
        {"NZSTART", 24},    {"MX", 28},      {"MY", 32},     {"MZ", 36},      {"CELLA", 40},     {"CELLB", 52},
        {"MAPC", 64},       {"MAPR", 68},    {"MAPS", 72},   {"DMIN", 76},    {"DMAX", 80},      {"DMEAN", 84},
        {"ISPG", 88},       {"NSYMBT", 92},  {"EXTRA", 112}, {"EXTTYP", 104}, {"NVERSION", 108}, {"imodStamp", 152},
        {"imodFlags", 156}, {"ORIGIN", 196}, {"MAP", 208},   {"MACHST", 212}, {"RMS", 216},      {"NLABL", 220},
        {"LABEL", 224}};
    std::vector<uint8_t> numbers = counting<uint8_t>();
    numbers[29] = 200;
    const std::string plain = Header(0).put<int32_t>(92, 1024).text(104, "TMLM").with(numbers);
    std::string words = "TomoloomUnit = 1/mm\n";
    words.resize(1024, '\0');
    const std::string whole = plain.substr(0, 1024) + words + plain.substr(1024);
    const auto read = [&](const test::keys::Changes& changes) {
      std::string bytes = whole;
      for (const auto& [key, value] : changes) bytes.replace(places.at(key), value.size(), value);
      return test::keys::read_volume(file(bytes));
    };
    const auto number = [](auto value) { return raw(value, little); };
    const test::keys::Changes imod = {{"imodStamp", number(int32_t{1146047817})}};
    std::vector<test::keys::KeyCase> standard = {{"imodStamp", number(int32_t{1146047817})},
                                                 {"imodFlags", number(int32_t{1}), imod},
                                                 {"CELLA", number(77.0F)},
                                                 {"CELLB", number(77.0F)},
                                                 {"ORIGIN", number(77.0F)},
                                                 {"ISPG", number(int32_t{0})},
                                                 {"EXTTYP", "FEI1"},
                                                 {"MAP", "PAM "},
                                                 {"MACHST", "\x11\x11"},
                                                 {"LABEL", "some text"}};
    for (const char* key : {"NX", "NY", "NZ", "MODE", "NXSTART", "NYSTART", "NZSTART", "MX", "MY", "MZ", "MAPC", "MAPR",
                            "MAPS", "NSYMBT"})
      standard.push_back({key, number(int32_t{6})});
    for (const char* key : {"DMIN", "DMAX", "DMEAN", "RMS", "NVERSION", "EXTRA", "NLABL"})
      standard.push_back({key, number(3.0F)});
    test::keys::check_keys(io::mrc_keys, standard, read);
    QCOMPARE(places.size(), io::mrc_keys.names().size());
  }
  void lies() {
    const auto numbers = counting<int16_t>();
    const auto says = [&](const std::string& bytes, const char* word) {
      const std::string text = refusal(bytes);
      return text.find(word) != std::string::npos ? std::string() : text;
    };
    const std::string good = Header(1).with(numbers);
    QCOMPARE(refusal(good), std::string("was read"));
    QCOMPARE(says(Header(1).put<int32_t>(0, -5).with(numbers), ""), std::string());
    for (const int32_t n : {0, -1, 2147483647, 1 << 24})
      for (const std::size_t at : {std::size_t{0}, std::size_t{4}, std::size_t{8}})
        QVERIFY(refusal(Header(1).put<int32_t>(at, n).with(numbers)) != "was read");
    QCOMPARE(says(Header(3).with(numbers), "complex"), std::string());
    QCOMPARE(says(Header(4).with(numbers), "complex"), std::string());
    QCOMPARE(says(Header(16).with(numbers), "colours"), std::string());
    QCOMPARE(says(Header(99).with(numbers), "mode 99"), std::string());
    QCOMPARE(says(Header(1).put<int32_t>(92, -1).with(numbers), "NSYMBT"), std::string());
    QCOMPARE(says(Header(1).put<int32_t>(92, 2147483647).with(numbers), "not all in the file"), std::string());
    QCOMPARE(says(Header(1).three<int32_t>(64, 1, 1, 3).with(numbers), "MAPC"), std::string());
    QCOMPARE(says(Header(1).put<float>(60, 120).with(numbers), "right angles"), std::string());
    QCOMPARE(says(Header(1).put<float>(60, std::nanf("")).with(numbers), "right angles"), std::string());
    QCOMPARE(says(Header(1).put<int32_t>(88, 401).put<int32_t>(36, 1).with(numbers), "series"), std::string());
    QCOMPARE(says(Header(1).text(208, "MUP ").with(numbers), "MAP"), std::string());
    QCOMPARE(says(good.substr(0, good.size() - 1), "not all in the file"), std::string());
    QCOMPARE(says(good + std::string(40, 'x'), "more voxels"), std::string());
    QCOMPARE(says(good.substr(0, 500), "MAP"), std::string());
    QVERIFY(!read_all(file(good.substr(0, 500))).ok());
  }
};

TL_TEST_CASE(MrcTest)

}  // namespace tl::mrc_test

#include "mrc.moc"
