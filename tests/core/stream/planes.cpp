// Planes for other programs: the packets of plug-ins, a plug-in that answers, one that is too slow, and subscribers.
#include <QTemporaryDir>
#include <atomic>
#include <cstring>
#include <thread>
#include <zmq.hpp>

#include "core/stream/planes/plane_publisher.h"
#include "core/stream/planes/plugin_link.h"
#include "core/stream/planes/slice_packet.h"
#include "core/stream/receiver.h"
#include "core/stream/wires/wires.h"
#include "tests/support/test_case.h"

namespace tl::planes_test {

using namespace tl::stream;

namespace {

Plane plane_of(int64_t id, int64_t window) {
  Plane plane{"axial", id, window, 2, 3, {}};
  for (int i = 0; i < 6; ++i) plane.values.push_back(static_cast<float>(10 * window + i));
  return plane;
}

std::vector<Bytes> bytes_of(const OwnedParts& parts) { return {parts.begin(), parts.end()}; }

// As slicerecon has plug-ins: a REP socket takes slices, and a REQ socket brings what became of them.
class DoublingPlugin {
 public:
  DoublingPlugin(const std::string& in, const std::string& out)
      : in_(context_, zmq::socket_type::rep), out_(context_, zmq::socket_type::req) {
    for (zmq::socket_t* socket : {&in_, &out_}) {
      socket->set(zmq::sockopt::linger, 0);
      socket->set(zmq::sockopt::rcvtimeo, 50);
    }
    in_.bind(in);
    out_.connect(out);
    thread_ = std::thread([this] { work(); });
  }
  ~DoublingPlugin() {
    ending_ = true;
    thread_.join();
  }

 private:
  void work() {
    const int32_t taken = 1;
    while (!ending_) {
      zmq::message_t message;
      if (!in_.recv(message)) continue;
      in_.send(zmq::buffer(&taken, sizeof(taken)), zmq::send_flags::none);
      const std::vector<Bytes> parts{{static_cast<const std::byte*>(message.data()), message.size()}};
      Plane plane = decode_slice(parts).or_throw();
      for (float& value : plane.values) value *= 2;
      const OwnedParts changed = encode_slice(plane);
      out_.send(zmq::buffer(changed[0].data(), changed[0].size()), zmq::send_flags::none);
      zmq::message_t answer;
      while (!ending_ && !out_.recv(answer)) {
      }
    }
  }
  zmq::context_t context_;
  zmq::socket_t in_, out_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace

class PlanesTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  std::string address(const char* name) const { return "ipc://" + dir_.filePath(name).toStdString(); }

 private Q_SLOTS:
  void slices_come_back() {
    const Plane sent = plane_of(7, 2);
    const OwnedParts parts = encode_slice(sent);
    // Descriptor, scene, number, rows, columns, one byte, count, pixels.
    QCOMPARE(parts[0].size(), std::size_t(5 * 4 + 1 + 4 + 6 * 4));
    int32_t descriptor = 0;
    std::memcpy(&descriptor, parts[0].data(), sizeof(descriptor));
    QCOMPARE(descriptor, 0x201);
    const Plane got = decode_slice(bytes_of(parts)).or_throw();
    QCOMPARE(got.id, 7);
    QCOMPARE(got.rows, 2);
    QCOMPARE(got.cols, 3);
    QCOMPARE(got.values, sent.values);
    OwnedParts longer = parts;
    longer[0].push_back(std::byte{0});  // the flag "processed" of later versions
    QVERIFY(decode_slice(bytes_of(longer)).ok());
  }

  void broken_slices_are_refused() {
    const OwnedParts sound = encode_slice(plane_of(1, 0));
    for (std::size_t length = 0; length < sound[0].size(); ++length) {
      OwnedParts cut = sound;
      cut[0].resize(length);
      QVERIFY(!decode_slice(bytes_of(cut)).ok());
    }
    for (const std::size_t field : {0, 3, 4}) {  // descriptor, rows, columns
      OwnedParts wrong = sound;
      const int32_t value = 40000;
      std::memcpy(wrong[0].data() + field * sizeof(value), &value, sizeof(value));
      QVERIFY(!decode_slice(bytes_of(wrong)).ok());
    }
    QVERIFY(!decode_slice({}).ok());
  }

  void a_plug_in_changes_planes() {
    const std::string there = address("in"), back = address("out");
    std::mutex mutex;
    std::vector<Plane> returned;
    const auto link = PluginLink::open({there, back, [&](Plane plane) {
                                          const std::lock_guard lock(mutex);
                                          returned.push_back(std::move(plane));
                                        }})
                          .or_throw();
    const DoublingPlugin plugin(there, back);
    for (int64_t window = 0; window < 5; ++window) {
      link->send(plane_of(3, window));
      QTRY_COMPARE(link->counts().returned, window + 1);
    }
    const std::lock_guard lock(mutex);
    QCOMPARE(returned.back().window, 4);
    QCOMPARE(returned.back().name, std::string("axial"));
    QCOMPARE(returned.back().values[1], 2 * 41.F);
    QCOMPARE(link->counts().sent, 5);
    QCOMPARE(link->counts().broken, 0);
  }

  // Nothing waits for a plug-in that is away: the newest plane of each id is kept for it.
  void a_plug_in_that_is_away_is_not_waited_for() {
    const auto link = PluginLink::open({address("nobody"), address("back"), {}}).or_throw();
    for (int64_t window = 0; window < 100; ++window) link->send(plane_of(1, window));
    QVERIFY(link->counts().skipped >= 97);
    QCOMPARE(link->counts().returned, 0);
  }

  void planes_are_published_as_frames() {
    const std::string where = address("planes");
    const auto publisher = PlanePublisher::open(where).or_throw();
    std::atomic<int64_t> frames{0};
    Frame last;
    std::mutex mutex;
    const auto receiver = Receiver::open({.address = where, .socket = ReceiverSocket::subscribe},
                                         {[&](Message message, const Wire& wire) {
                                            if (wire.id != "array") return;
                                            const std::lock_guard lock(mutex);
                                            last = std::get<Frame>(std::move(message));
                                            ++frames;
                                          },
                                          [](const Error&) {}})
                              .or_throw();
    // Subscribers join some time after they connect.
    for (int64_t window = 0; frames < 3; ++window) {
      QVERIFY(publisher->send(plane_of(1, window)).ok());
      QTest::qWait(10);
      QVERIFY(window < 3000);
    }
    const std::lock_guard lock(mutex);
    QCOMPARE(last.rows, 2);
    QCOMPARE(last.type, PixelType::float32);
    float first = 0;
    std::memcpy(&first, last.pixels.data(), sizeof(first));
    QCOMPARE(first, static_cast<float>(10 * *last.number));
    QVERIFY(publisher->counts().planes >= 3);
    QVERIFY(publisher->counts().planes_per_second.value_or(0) > 0);
    Plane wrong = plane_of(1, 0);
    wrong.rows = 5;
    QCOMPARE(publisher->send(wrong).error().kind, ErrorKind::invalid);
  }

  void addresses_that_are_wrong_are_errors() {
    QCOMPARE(PlanePublisher::open("nonsense").error().kind, ErrorKind::invalid);
    QCOMPARE(PluginLink::open({"nonsense", address("x"), {}}).error().kind, ErrorKind::invalid);
    const auto first = PlanePublisher::open(address("taken")).or_throw();
    QVERIFY(PluginLink::open({address("y"), "tcp://127.0.0.1:49732", {}}).ok());
  }
};

TL_TEST_CASE(PlanesTest)

}  // namespace tl::planes_test

#include "planes.moc"
