// Damaged messages of a stream: thousands of cut and changed ones are decoded, and none crashes, takes memory that is
// not there, or gives a frame whose pixels do not fit its shape.
#include <cmath>

#include "core/stream/planes/slice_packet.h"
#include "core/stream/values/log_lines.h"
#include "core/stream/wires/wires.h"
#include "tests/fuzz/many_trials.h"
#include "tests/fuzz/mutations.h"
#include "tests/support/stream_frames.h"
#include "tests/support/test_case.h"

namespace tl::messages_test {

using namespace tl::stream;

namespace {

std::vector<Message> sound_messages() {
  Frame with_values = test::stream_frame(12);
  with_values.values = {{"temperature", 300.25, ""}, {"load", -1e-3, ""}};
  StreamGeometry geometry;
  geometry.rows = 3;
  geometry.cols = 4;
  geometry.views = 6;
  geometry.angles = {0, 30, 60, 90, 120, 150};
  StreamGeometry cone = geometry;
  cone.beam = Beam::cone;
  cone.source_to_axis = 10;
  cone.axis_to_detector = 20;
  StreamGeometry vectors = geometry;
  vectors.angles.clear();
  vectors.vectors.assign(72, 0.5);
  TimedValue load;
  load.name = "load";
  load.value = 5.25;
  load.unit = "N";
  load.time = 1.7e9;
  TimedValue bare;
  bare.name = "T";
  return {with_values, test::stream_frame(0, FrameKind::dark),
          EndOfStream{0, 9}, ScanSettings{1, 2, false},
          geometry, cone,
          vectors, LogLines{{load, bare}, 0},
          LogLines{{bare}, 0}, LogLines{{load, load, load, bare}, 0}};
}

// The length of a message's parts that may be taken as text.
std::string text_of_part(const std::vector<std::byte>& part) {
  return {reinterpret_cast<const char*>(part.data()), part.size()};
}

std::string complaint_about_message(const Wire& wire, const std::vector<std::string>& parts) {
  std::vector<Bytes> bytes;
  for (const std::string& part : parts)
    bytes.emplace_back(reinterpret_cast<const std::byte*>(part.data()), part.size());
  (void)wire.recognises(bytes);
  const Result<Message> message = wire.decode(bytes);
  if (!message.ok()) return fuzz::complaint_about(message.error());
  if (const auto* lines = std::get_if<LogLines>(&message.value()))
    for (const TimedValue& value : lines->values)
      if (value.name.empty() || !std::isfinite(value.value)) return "a line without a name or a number";
  const auto* frame = std::get_if<Frame>(&message.value());
  if (frame == nullptr) return {};
  const int64_t size = frame->rows * frame->cols * bytes_per_pixel(frame->type);
  if (static_cast<int64_t>(frame->pixels.size()) != size) return "pixels do not fit the shape";
  if (frame->number && (*frame->number < 0 || *frame->number > max_frame_number)) return "an impossible number";
  return {};
}

}  // namespace

class MessagesFuzz : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void damaged_messages_are_refused_or_sound_data() {
    QTest::addColumn<QString>("wire");
    for (const Wire& wire : wires())
      QTest::newRow(std::string(wire.id).c_str()) << QString::fromStdString(std::string(wire.id));
    QTest::newRow("log") << "log";
  }
  void damaged_messages_are_refused_or_sound() {
    QFETCH(QString, wire);
    const Wire& tested = wire == "log" ? log_wire() : *wire_of_name(wire.toStdString()).or_throw();
    std::vector<std::vector<std::string>> sound;
    for (const Message& message : sound_messages()) {
      std::vector<std::string> parts;
      for (const auto& part : tested.encode(message)) parts.push_back(text_of_part(part));
      if (parts.empty()) continue;
      QCOMPARE(complaint_about_message(tested, parts), std::string());
      sound.push_back(parts);
    }
    QVERIFY(sound.size() >= 3);
    const auto failures = fuzz::run_trials(fuzz::trials(500), [&](int64_t trial) {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      std::vector<std::string> parts = sound[static_cast<std::size_t>(trial) % sound.size()];
      std::string& part = parts[random() % 4 == 0 ? parts.size() - 1 : 0];
      const bool text = !part.empty() && part.front() == '{' && random() % 2 == 0;
      part = text ? fuzz::damaged_text(part, random) : fuzz::damaged_bytes(part, random);
      if (random() % 16 == 0) parts.push_back(part);
      if (random() % 16 == 0) parts.pop_back();
      return complaint_about_message(tested, parts);
    });
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }

  // What a plug-in sends back.
  void damaged_slices_are_refused_or_sound() {
    const Plane sound{"axial", 3, 7, 4, 5, std::vector<float>(20, 1.5F)};
    const std::string bytes = text_of_part(encode_slice(sound)[0]);
    const auto failures = fuzz::run_trials(fuzz::trials(500), [&](int64_t trial) -> std::string {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      const std::string damaged = fuzz::damaged_bytes(bytes, random);
      const std::vector<Bytes> parts{{reinterpret_cast<const std::byte*>(damaged.data()), damaged.size()}};
      const Result<Plane> plane = decode_slice(parts);
      if (!plane.ok()) return fuzz::complaint_about(plane.error());
      const bool fits = std::ssize(plane.value().values) == plane.value().rows * plane.value().cols;
      return fits ? "" : "values do not fit the shape";
    });
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }
};

TL_TEST_CASE(MessagesFuzz)

}  // namespace tl::messages_test

#include "messages.moc"
