// The wires: what is encoded is decoded as the same; headers of other programs; sizes are checked before memory is
// taken.
#include "core/stream/wires/wires.h"

#include <cstring>

#include "tests/support/stream_frames.h"
#include "tests/support/test_case.h"

namespace tl::wires_test {

using namespace tl::stream;
using tl::test::stream_frame;

namespace {

std::vector<Bytes> views_of(const OwnedParts& parts) { return {parts.begin(), parts.end()}; }

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

template <class... Values>
std::vector<std::byte> packet(Values... values) {
  std::vector<std::byte> bytes;
  const auto put = [&](auto value) {
    const auto* begin = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(value));
  };
  (put(values), ...);
  return bytes;
}

const Wire& wire(const char* name) { return *wire_of_name(name).or_throw(); }

// A frame of `pixels` bytes with this header.
Result<Message> array_message(const std::string& header, std::size_t pixels) {
  const OwnedParts parts = {bytes_of(header), std::vector<std::byte>(pixels)};
  return wire("array").decode(views_of(parts));
}

std::string error_of(const Result<Message>& result) { return result.ok() ? "" : result.error().message(); }

}  // namespace

class WiresTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void names() {
    QCOMPARE(wire_names(), std::string("array, tomop"));
    QVERIFY(!wire_of_name("carrier pigeon").ok());
  }

  void frames_of_array_come_back() {
    for (const PixelType type : {PixelType::uint8, PixelType::uint16, PixelType::float32})
      for (const FrameKind kind : {FrameKind::view, FrameKind::flat, FrameKind::dark}) {
        Frame sent = stream_frame(7, kind);
        sent.type = type;
        sent.pixels.resize(static_cast<std::size_t>(sent.rows * sent.cols * bytes_per_pixel(type)), std::byte{3});
        sent.values = {{"temperature", 293.5, ""}};
        const OwnedParts parts = wire("array").encode(sent);
        QCOMPARE(wire_of_message(views_of(parts))->id, std::string_view("array"));
        const Frame got = std::get<Frame>(wire("array").decode(views_of(parts)).or_throw());
        QCOMPARE(got.number, sent.number);
        QCOMPARE(got.kind, kind);
        QCOMPARE(got.angle, sent.angle);
        QCOMPARE(got.sender_time, sent.sender_time);
        QCOMPARE(got.rows, sent.rows);
        QCOMPARE(got.cols, sent.cols);
        QCOMPARE(got.type, type);
        QVERIFY(got.pixels == sent.pixels);
        QCOMPARE(got.values.size(), std::size_t(1));
        QCOMPARE(got.values[0].name, std::string("temperature"));
        QCOMPARE(got.values[0].value, 293.5);
      }
    const OwnedParts end = wire("array").encode(EndOfStream{0, 40});
    QCOMPARE(*std::get<EndOfStream>(wire("array").decode(views_of(end)).or_throw()).frames, 40);
    QVERIFY(wire("array").encode(ScanSettings{}).empty());
  }

  void headers_of_other_programs() {
    // ADZMQ before 1.4: the type in a list, and the fastest axis first.
    Frame frame = std::get<Frame>(
        array_message(
            R"({"htype":["chunk-1.0"],"type":"uint8","shape":[4,3],"frame":2,"ndattr":{"angle":5,"ring":1.5}})", 12)
            .or_throw());
    QCOMPARE(frame.rows, 3);
    QCOMPARE(frame.cols, 4);
    QCOMPARE(*frame.angle, 5.0);
    QCOMPARE(frame.values.size(), std::size_t(1));
    // Neither type nor number; a stack of one.
    frame = std::get<Frame>(array_message(R"({"shape":[1,3,4]})", 24).or_throw());
    QCOMPARE(frame.type, PixelType::uint16);
    QVERIFY(!frame.number && !frame.angle);
    QCOMPARE(frame.kind, FrameKind::view);
    frame = std::get<Frame>(
        array_message(R"({"shape":[3,4],"dtype":"<f4","image_attributes":{"scan_index":1},"timestamp":8.5})", 48)
            .or_throw());
    QCOMPARE(frame.type, PixelType::float32);
    QCOMPARE(frame.kind, FrameKind::flat);
    QCOMPARE(frame.sender_time, 8.5);
  }

  void broken_arrays_are_refused_data() {
    QTest::addColumn<QString>("header");
    QTest::addColumn<QString>("words");
    QTest::newRow("not JSON") << "{\"shape\":[3,4]"
                              << "message array";
    QTest::newRow("no shape") << R"({"frame":1})"
                              << "no shape";
    QTest::newRow("huge") << R"({"shape":[65536,65536],"type":"float32"})"
                          << "not 17179869184";
    QTest::newRow("too large a side") << R"({"shape":[100000,4]})"
                                      << "from 1 to 65536";
    QTest::newRow("a side of 2^64 - 1") << R"({"shape":[18446744073709551615,4]})"
                                        << "from 1 to 65536";
    QTest::newRow("negative") << R"({"shape":[-3,4]})"
                              << "from 1 to 65536";
    QTest::newRow("many frames") << R"({"shape":[2,3,4]})"
                                 << "not one frame";
    QTest::newRow("another type") << R"({"shape":[3,4],"type":"int64"})"
                                  << "int64";
    QTest::newRow("big-endian") << R"({"shape":[3,4],"dtype":">u2"})"
                                << ">u2";
    QTest::newRow("number") << R"({"shape":[3,4],"frame":1e300})"
                            << "frame is not an integer";
    QTest::newRow("half a number") << R"({"shape":[3,4],"frame":1.5})"
                                   << "frame is not an integer";
    QTest::newRow("kind") << R"({"shape":[3,4],"image_attributes":{"scan_index":7}})"
                          << "scan_index";
    QTest::newRow("angle") << R"({"shape":[3,4],"angle":"west"})"
                           << "angle is not a number";
    QTest::newRow("length") << R"({"shape":[3,5]})"
                            << "24 bytes of pixels, not 30";
  }
  void broken_arrays_are_refused() {
    QFETCH(QString, header);
    QFETCH(QString, words);
    const std::string error = error_of(array_message(header.toStdString(), 24));
    QVERIFY2(error.find(words.toStdString()) != std::string::npos, error.c_str());
  }

  void a_frame_needs_its_pixels() {
    const OwnedParts alone = {bytes_of(R"({"shape":[3,4]})")};
    QVERIFY(!wire("array").decode(views_of(alone)).ok());
    QVERIFY(!wire("array").decode({}).ok());
    const OwnedParts long_header = {std::vector<std::byte>(2 << 20, std::byte{'{'}), {}};
    QVERIFY(!wire("array").decode(views_of(long_header)).ok());
  }

  void packets_of_tomop_come_back() {
    Frame sent = stream_frame(9, FrameKind::dark);
    const OwnedParts parts = wire("tomop").encode(sent);
    QCOMPARE(parts.size(), std::size_t(1));
    QCOMPARE(wire_of_message(views_of(parts))->id, std::string_view("tomop"));
    const Frame got = std::get<Frame>(wire("tomop").decode(views_of(parts)).or_throw());
    QCOMPARE(*got.number, 9);
    QCOMPARE(got.kind, FrameKind::dark);
    QCOMPARE(got.type, PixelType::float32);  // whatever it was
    for (std::size_t i = 0; i < 12; ++i) {
      uint16_t before = 0;
      float after = 0;
      std::memcpy(&before, sent.pixels.data() + 2 * i, sizeof(before));
      std::memcpy(&after, got.pixels.data() + 4 * i, sizeof(after));
      QCOMPARE(after, static_cast<float>(before));
    }
    const auto settings = std::get<ScanSettings>(
        wire("tomop").decode(views_of(wire("tomop").encode(ScanSettings{3, 5, true}))).or_throw());
    QCOMPARE(settings.darks, 3);
    QCOMPARE(settings.flats, 5);
    QVERIFY(settings.linear);
    QVERIFY(wire("tomop").encode(EndOfStream{}).empty());
  }

  void geometries_of_tomop_come_back() {
    StreamGeometry sent;
    sent.beam = Beam::cone;
    sent.rows = 3;
    sent.cols = 4;
    sent.views = 3;
    sent.angles = {0, 60, 120};
    sent.source_to_axis = 100;
    sent.axis_to_detector = 50;
    sent.pitch_u = 0.5;
    sent.pitch_v = 0.25;
    const auto decode = [](const StreamGeometry& g) {
      return std::get<StreamGeometry>(wire("tomop").decode(views_of(wire("tomop").encode(g))).or_throw());
    };
    StreamGeometry got = decode(sent);
    QCOMPARE(got.beam, Beam::cone);
    QCOMPARE(got.views, 3);
    QVERIFY(std::abs(got.angles[2] - 120) < 1e-5);  // float32 radians
    QCOMPARE(*got.source_to_axis, 100.0);
    QCOMPARE(*got.axis_to_detector, 50.0);
    QCOMPARE(*got.pitch_v, 0.25);
    sent.angles.clear();
    sent.vectors.assign(36, 1.5);
    got = decode(sent);
    QCOMPARE(got.beam, Beam::cone);
    QCOMPARE(got.vectors, sent.vectors);
    sent.beam = Beam::parallel;
    QCOMPARE(decode(sent).beam, Beam::parallel);
  }

  // The bytes as RECAST3D's own library writes them.
  void packets_by_hand() {
    const OwnedParts projection = {
        packet(int32_t{0x309}, int32_t{2}, int32_t{5}, int32_t{1}, int32_t{2}, int32_t{2}, 1.5F, 2.5F)};
    const Frame frame = std::get<Frame>(wire("tomop").decode(views_of(projection)).or_throw());
    QCOMPARE(frame.kind, FrameKind::view);
    QCOMPARE(frame.cols, 2);
    const OwnedParts angles = {
        packet(int32_t{0x303}, int32_t{0}, int32_t{1}, int32_t{2}, int32_t{2}, int32_t{2}, 0.F, 1.5707964F)};
    QVERIFY(std::abs(std::get<StreamGeometry>(wire("tomop").decode(views_of(angles)).or_throw()).angles[1] - 90) <
            1e-5);
  }

  void broken_packets_are_refused() {
    const auto refused = [](std::vector<std::byte> bytes) {
      const OwnedParts parts = {std::move(bytes)};
      return !wire("tomop").decode(views_of(parts)).ok();
    };
    constexpr int32_t p = 0x309, g = 0x303;
    QVERIFY(refused({}));
    QVERIFY(refused(packet(int32_t{0x777})));
    QVERIFY(refused(packet(p, int32_t{2}, int32_t{0}, int32_t{1})));
    // Four thousand million pixels of which none is there.
    QVERIFY(refused(packet(p, int32_t{2}, int32_t{0}, int32_t{65536}, int32_t{65536}, int32_t{-1})));
    QVERIFY(refused(packet(p, int32_t{2}, int32_t{0}, int32_t{30000}, int32_t{30000}, int32_t{900000000}, 1.F)));
    QVERIFY(refused(packet(p, int32_t{5}, int32_t{0}, int32_t{1}, int32_t{1}, int32_t{1}, 1.F)));
    QVERIFY(refused(packet(p, int32_t{2}, int32_t{-4}, int32_t{1}, int32_t{1}, int32_t{1}, 1.F)));
    QVERIFY(refused(packet(p, int32_t{2}, int32_t{0}, int32_t{1}, int32_t{1}, int32_t{1}, 1.F, uint8_t{0})));
    QVERIFY(refused(packet(g, int32_t{0}, int32_t{1}, int32_t{1}, int32_t{2}, int32_t{1}, 1.F)));
    QVERIFY(refused(packet(g, int32_t{0}, int32_t{1}, int32_t{1}, int32_t{1}, int32_t{1},
                           std::numeric_limits<float>::quiet_NaN())));
  }
};

TL_TEST_CASE(WiresTest)

}  // namespace tl::wires_test

#include "wires.moc"
