// Receiving: what is sent arrives over each kind of socket; faults are counted, and exactly the gaps made are missing.
#include "core/stream/receiver.h"

#include <QTemporaryDir>
#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/stream/intake.h"
#include "core/stream/sender.h"
#include "core/stream/spoiled_stream.h"
#include "core/stream/wires/wires.h"
#include "tests/support/stream_frames.h"
#include "tests/support/test_case.h"

namespace tl::receiver_test {

using namespace tl::stream;
using tl::test::stream_frame;
using Numbers = std::vector<int64_t>;

namespace {

// A free address for each test of this process.
std::string new_address(const QTemporaryDir& dir) {
  static int count = 0;
  return "ipc://" + dir.filePath(QString("s%1").arg(count++)).toStdString();
}

}  // namespace

class ReceiverTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  const CancelToken never_;

  // Sends frames of one kind, spoiled, and gives the intake and what the receiver counted.
  void stream(const char* wire_name, const SpoiledStream& spoiled, SenderSocket to, ReceiverSocket from, Intake& intake,
              ReceiverCounts& counts, int64_t frames) {
    const std::string address = new_address(dir_);
    const Wire& wire = *wire_of_name(wire_name).or_throw();
    std::atomic<int64_t> received{0};
    const auto receiver = Receiver::open({.address = address, .socket = from, .end = SocketEnd::binds},
                                         {[&](Message message, const Wire& w) {
                                            intake.take(std::move(message), w);
                                            ++received;
                                          },
                                          [&](const Error&) { ++received; }})
                              .or_throw();
    {
      const auto sender = Sender::open(address, to, SocketEnd::connects).or_throw();
      for (const SentFrame& sent : spoiled.order) {
        OwnedParts parts = wire.encode(stream_frame(sent.frame));
        if (sent.corrupt) parts = corrupted(std::move(parts), static_cast<uint64_t>(sent.frame));
        QVERIFY(sender->send(parts, never_).ok());
      }
      const OwnedParts end = wire.encode(EndOfStream{0, frames});
      if (!end.empty()) QVERIFY(sender->send(end, never_).ok());
      const auto all = static_cast<int64_t>(spoiled.order.size()) + (end.empty() ? 0 : 1);
      QTRY_COMPARE(received.load(), all);
    }
    counts = receiver->counts();
  }

 private Q_SLOTS:
  void what_is_sent_arrives_data() {
    QTest::addColumn<QString>("wire");
    QTest::addColumn<int>("to");
    QTest::addColumn<int>("from");
    for (const char* wire : {"array", "tomop"}) {
      QTest::addRow("%s, push and pull", wire)
          << wire << static_cast<int>(SenderSocket::push) << static_cast<int>(ReceiverSocket::pull);
      QTest::addRow("%s, publish and subscribe", wire)
          << wire << static_cast<int>(SenderSocket::publish) << static_cast<int>(ReceiverSocket::subscribe);
    }
  }
  void what_is_sent_arrives() {
    QFETCH(QString, wire);
    QFETCH(int, to);
    QFETCH(int, from);
    Intake intake({});
    ReceiverCounts counts;
    constexpr int64_t frames = 50;
    stream(wire.toStdString().c_str(), spoil(frames, {}), static_cast<SenderSocket>(to),
           static_cast<ReceiverSocket>(from), intake, counts, frames);
    QCOMPARE(intake.counts().views, frames);
    QVERIFY(intake.missing().empty());
    QCOMPARE(counts.broken, 0);
    QVERIFY(counts.bytes >= frames * 24);
    QCOMPARE(intake.has_ended(), wire == "array");
  }

  void exactly_the_gaps_made_are_missing_data() {
    QTest::addColumn<QString>("wire");
    QTest::addColumn<int>("seed");
    for (const char* wire : {"array", "tomop"})
      for (const int seed : {1, 2, 3}) QTest::addRow("%s, seed %d", wire, seed) << wire << seed;
  }
  void exactly_the_gaps_made_are_missing() {
    QFETCH(QString, wire);
    QFETCH(int, seed);
    constexpr int64_t frames = 400;
    const SpoiledStream spoiled = spoil(
        frames, {.drop = 0.05, .duplicate = 0.05, .corrupt = 0.02, .reorder = 8, .seed = static_cast<uint64_t>(seed)});
    QVERIFY(!spoiled.dropped.empty() && !spoiled.duplicated.empty() && !spoiled.corrupted.empty());
    Intake intake({});
    ReceiverCounts counts;
    stream(wire.toStdString().c_str(), spoiled, SenderSocket::push, ReceiverSocket::pull, intake, counts, frames);
    Numbers expected;
    std::merge(spoiled.dropped.begin(), spoiled.dropped.end(), spoiled.corrupted.begin(), spoiled.corrupted.end(),
               std::back_inserter(expected));
    if (wire == "tomop")  // whose senders do not say how many frames there were
      while (!expected.empty() && expected.back() >= frames - 1) expected.pop_back();
    QCOMPARE(intake.missing(), expected);
    QCOMPARE(intake.counts().duplicates, static_cast<int64_t>(spoiled.duplicated.size()));
    QCOMPARE(counts.broken, static_cast<int64_t>(spoiled.corrupted.size()));
    QCOMPARE(intake.counts().late, 0);
  }

  void the_same_seed_gives_the_same_faults() {
    const Faults faults{.drop = 0.1, .duplicate = 0.1, .corrupt = 0.1, .reorder = 5, .seed = 4};
    const SpoiledStream a = spoil(200, faults), b = spoil(200, faults);
    QCOMPARE(a.dropped, b.dropped);
    for (std::size_t i = 0; i < a.order.size(); ++i) QCOMPARE(a.order[i].frame, b.order[i].frame);
    Faults others = faults;
    others.seed = 5;
    QVERIFY(spoil(200, others).dropped != a.dropped);
    // Without reordering the order stays.
    const SpoiledStream plain = spoil(100, {.drop = 0.1});
    QCOMPARE(plain.reordered, 0);
    QVERIFY(std::is_sorted(plain.order.begin(), plain.order.end(),
                           [](const SentFrame& x, const SentFrame& y) { return x.frame < y.frame; }));
  }

  void a_port_that_is_taken_is_an_io_error() {
    const Receiver::Handlers ignore{[](Message, const Wire&) {}, [](const Error&) {}};
    const std::string address = "tcp://127.0.0.1:*";
    QVERIFY(Receiver::open({.address = address, .end = SocketEnd::binds}, ignore).ok());
    constexpr const char* fixed = "tcp://127.0.0.1:49731";
    const auto first = Receiver::open({.address = fixed, .end = SocketEnd::binds}, ignore);
    const auto second = Receiver::open({.address = fixed, .end = SocketEnd::binds}, ignore);
    QVERIFY(!second.ok());
    QCOMPARE(second.error().kind, ErrorKind::io);
    QCOMPARE(Receiver::open({.address = "nonsense"}, ignore).error().kind, ErrorKind::invalid);
  }

  void frames_without_numbers_are_counted() {
    Intake intake({});
    const Wire& wire = *wire_of_name("array").or_throw();
    for (int i = 0; i < 5; ++i) {
      Frame frame = stream_frame(i);
      frame.number.reset();
      intake.take(std::move(frame), wire);
    }
    QCOMPARE(intake.counts().views, 5);
    QVERIFY(intake.missing().empty());
  }

  void views_without_beam_are_marked() {
    Intake intake({});
    const Wire& wire = *wire_of_name("array").or_throw();
    const auto take = [&](int64_t number, FrameKind kind, uint16_t value) {
      Frame frame = stream_frame(number, kind);
      for (std::size_t i = 0; i < frame.pixels.size(); i += sizeof(value))
        std::memcpy(frame.pixels.data() + i, &value, sizeof(value));
      intake.take(std::move(frame), wire);
    };
    take(0, FrameKind::view, 100);  // nobody knows without flats
    take(1, FrameKind::dark, 100);
    take(2, FrameKind::flat, 1100);
    take(3, FrameKind::view, 151);
    QCOMPARE(intake.counts().no_beam, 0);
    take(4, FrameKind::view, 149);
    QCOMPARE(intake.counts().no_beam, 1);
    take(5, FrameKind::flat, 200);  // new flats of a weaker beam
    take(6, FrameKind::view, 149);
    QCOMPARE(intake.counts().no_beam, 1);
  }

  void other_shapes_are_refused() {
    Intake intake({});
    const Wire& wire = *wire_of_name("array").or_throw();
    intake.take(stream_frame(0), wire);
    intake.take(stream_frame(1, FrameKind::view, 4, 4), wire);
    intake.take(stream_frame(2), wire);
    QCOMPARE(intake.counts().refused, 1);
    QCOMPARE(intake.missing(), (Numbers{1}));
  }
};

TL_TEST_CASE(ReceiverTest)

}  // namespace tl::receiver_test

#include "receiver.moc"
