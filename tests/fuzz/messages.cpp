// Damaged messages of a stream: thousands of cut and changed ones are decoded, and none crashes, takes memory that is
// not there, or gives a frame whose pixels do not fit its shape.
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
  return {
      with_values, test::stream_frame(0, FrameKind::dark), EndOfStream{0, 9}, ScanSettings{1, 2, false}, geometry, cone,
      vectors};
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
  }
  void damaged_messages_are_refused_or_sound() {
    QFETCH(QString, wire);
    const Wire& tested = *wire_of_name(wire.toStdString()).or_throw();
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
};

TL_TEST_CASE(MessagesFuzz)

}  // namespace tl::messages_test

#include "messages.moc"
