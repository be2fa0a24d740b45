// Messages of the reading process: they arrive as they were sent, and nothing that a corrupted process sends is taken
// for a reply or ends the program.
#include "core/io/process/reader_messages.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/support/test_case.h"

namespace tl::reader_messages_test {

using io::MessageKind, nlohmann::json;

io::OpenReply a_reply() {
  io::OpenReply r;
  io::ScanInfo& s = r.info;
  s.path = "/data/caf\xe9.nx";  // a name that is not UTF-8
  s.format = "nxtomo";
  s.pixel_type = "uint16";
  s.views = 3;
  s.rows = 2;
  s.cols = 5;
  s.flats = 2;
  s.flat_positions = {0.5, 2};
  s.angles = {{0, 0.1, 1e-300}, Origin::user, "/exchange/theta", io::Guess::unit};
  s.vectors = io::Found<std::vector<double>>{std::vector<double>(36, 0.25), Origin::file, "vectors", {}};
  s.energy = io::Found<double>{25.3, Origin::file, "energy", {}};
  s.offsets.tilt = io::Found<double>{-0.01, Origin::guessed, "tilt", {}};
  s.half_acquisition = true;
  s.beam = Beam::cone;
  s.kind = PixelKind::thickness;
  s.notes = {"a note", ""};
  s.outside = {"elsewhere"};
  io::VolumeFileInfo& v = r.volume.emplace();
  v.grid = VolumeGrid::cubic(3, 2, 5, 0.1, {1, -2, 3});
  v.unit = Unit::ms;
  v.scale = {-1, 0.5};
  v.position = Origin::user;
  r.files = {{"/data/a", io::FileStamp{std::numeric_limits<uint64_t>::max(), 7, 1, -2, 3}}, {"/data/b", {}}};
  return r;
}

json content(const io::Message& message) { return json::from_cbor(message.body); }
io::Message message_of(const json& value) {
  const std::vector<uint8_t> bytes = json::to_cbor(value);
  return {MessageKind::scan, {bytes.begin(), bytes.end()}, -1};
}
io::Message bytes_of(std::string bytes) { return {MessageKind::scan, std::move(bytes), -1}; }
bool is_reply(const io::Message& message) { return io::deserialise<io::OpenReply>(message).has_value(); }

class ReaderMessagesTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_reply_arrives_as_it_was_sent() {
    const io::Message sent = serialise(MessageKind::scan, a_reply());
    const auto arrived = io::deserialise<io::OpenReply>(sent);
    QVERIFY(arrived.has_value());
    QVERIFY(sent.kind == MessageKind::scan);
    QVERIFY(serialise(MessageKind::scan, *arrived).body == sent.body);
    const io::OpenReply as_sent = a_reply();
    QVERIFY(arrived->info.path == as_sent.info.path);
    QVERIFY(arrived->info.angles.value == as_sent.info.angles.value);
    QVERIFY(arrived->info.energy && arrived->info.energy->value == 25.3 && !arrived->info.axis_hint);
    QVERIFY(arrived->info.notes == as_sent.info.notes && arrived->info.kind == PixelKind::thickness);
    QVERIFY(arrived->volume->grid == as_sent.volume->grid && arrived->volume->scale == as_sent.volume->scale);
    QVERIFY(arrived->files[0].stamp == as_sent.files[0].stamp && !arrived->files[1].stamp);
  }
  void requests_and_trees_arrive() {
    io::OpenRequest open{"/here", "scan.nx", "nxtomo", 7, {}, io::FileContent::volume};
    open.choices.first_angle = -0.5;
    open.choices.pixels = io::ScanPixels::absorption;
    open.choices.outside_links = io::OutsideLinks::follow;
    open.choices.raw = {"3x4", "int8", 12, io::ByteOrder::big};
    const auto opened = io::deserialise<io::OpenRequest>(serialise(MessageKind::open_scan, open));
    QVERIFY(opened && opened->threads == 7 && opened->choices.first_angle == -0.5 && !opened->choices.beam &&
            opened->choices.raw.order == io::ByteOrder::big &&
            opened->choices.outside_links == io::OutsideLinks::follow && opened->content == io::FileContent::volume);
    const io::ReadRequest read{{io::Frames::darks, {1, 2}, {3, 4}, {5, 6}}, io::PixelNumbers::integers, 8, -9, 10};
    const auto got = io::deserialise<io::ReadRequest>(serialise(MessageKind::read_frames, read));
    QVERIFY(got && got->region.cols == (Range{5, 6}) && got->memory == 8 && got->offset == -9 && got->step == 10);
    io::Hdf5Tree tree;
    tree.entries = {{"/a", io::TreeKind::dataset, "uint16", {3, -1}, "mm", "chunks", "", "", {}, {{"NX_class", "x"}}}};
    tree.left_out = "more";
    const auto seen = io::deserialise<io::Hdf5Tree>(serialise(MessageKind::tree, tree));
    QVERIFY(seen && seen->entries.size() == 1 && seen->entries[0].shape == tree.entries[0].shape &&
            seen->entries[0].attributes == tree.entries[0].attributes && seen->left_out == "more");
  }
  void long_errors_are_cut() {
    const auto error =
        io::deserialise<Error>(io::failure({ErrorKind::io, std::string(100000, 'x'), "here", "copy it"}));
    QVERIFY(error && error->kind == ErrorKind::io && error->what.size() == 16000 && error->hint == "copy it");
  }

  // Every key is needed, none may be added, and numbers lie within bounds.
  void other_keys_are_refused() {
    const json whole = content(serialise(MessageKind::scan, a_reply()));
    QVERIFY(is_reply(message_of(whole)));
    for (const auto& [key, value] : whole["info"].items()) {
      json without = whole;
      without["info"].erase(key);
      QVERIFY2(!is_reply(message_of(without)), key.c_str());
      without["info"][key + "_"] = value;
      QVERIFY2(!is_reply(message_of(without)), key.c_str());
    }
    json more = whole;
    more["info"]["more"] = 1;
    QVERIFY(!is_reply(message_of(more)));
  }
  void values_beyond_their_bounds_are_refused() {
    const json whole = content(serialise(MessageKind::scan, a_reply()));
    const auto refused = [&](const char* pointer, const json& value) {
      json changed = whole;
      changed[json::json_pointer(pointer)] = value;
      return !is_reply(message_of(changed));
    };
    QVERIFY(refused("/info/beam", 2));
    QVERIFY(refused("/info/beam", -1));
    QVERIFY(refused("/info/kind", uint64_t{1} << 32));
    QVERIFY(refused("/volume/unit", 19));
    QVERIFY(refused("/info/views", 4));  // there are three angles
    QVERIFY(refused("/info/rows", uint64_t{1} << 63));
    QVERIFY(refused("/info/rows", 2.5));
    QVERIFY(refused("/info/energy/value", std::nan("")));
    QVERIFY(refused("/info/angles/value", json::binary(std::vector<uint8_t>(23))));
    QVERIFY(refused("/info/angles/value", json::binary(std::vector<uint8_t>(24, 0xff))));  // NaN
    QVERIFY(refused("/info/notes", json::array({1})));
    QVERIFY(refused("/info/half_acquisition", 1));
    QVERIFY(refused("/volume/grid/nz", 4));  // not the scan's
    QVERIFY(refused("/volume/grid/step_x/x", 0.0));
    QVERIFY(refused("/files/0/stamp/device", -1));
  }

  // What nlohmann-json would allocate or recurse into is refused before.
  void bombs_are_refused() {
    constexpr std::size_t many = 1 << 20;
    for (const char* head : {"\x81", "\xa1", "\x9f", "\xbf", "\x5f", "\x7f", "\xc1", "\xd8"})
      QVERIFY(!is_reply(bytes_of(QByteArray(head).repeated(many).toStdString())));
    for (const char* huge : {"\x5b\x00\x00\x00\xff\xff\xff\xff\xff", "\x7a\xff\xff\xff\xff", "\x9b\xff\xff\xff\xff",
                             "\xbb\xff\xff\xff\xff\xff\xff\xff\xff"})
      QVERIFY(!is_reply(bytes_of(huge)));
    QVERIFY(!is_reply(bytes_of("")));
    std::string zeros = "\x9a";
    zeros += {0, 80, 0, 0};  // 5 242 880 values
    QVERIFY(!is_reply(bytes_of(zeros + std::string(std::size_t{80} << 16, '\0'))));
  }
  void cut_and_changed_bytes_are_refused_or_plausible() {
    const std::string whole = serialise(MessageKind::scan, a_reply()).body;
    for (std::size_t size = 0; size < whole.size(); ++size) QVERIFY(!is_reply(bytes_of(whole.substr(0, size))));
    QVERIFY(!is_reply(bytes_of(whole + '\0')));
    std::mt19937 random(7);
    int kept = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
      for (int round = 0; round < 8; ++round) {
        std::string changed = whole;
        for (int j = 0; j <= round / 4; ++j)
          changed[j == 0 ? i : random() % whole.size()] ^= static_cast<char>(1 << round);
        const auto reply = io::deserialise<io::OpenReply>(bytes_of(changed));
        if (!reply) continue;
        ++kept;
        QVERIFY(std::ssize(reply->info.angles.value) == reply->info.views);
        QVERIFY(reply->info.beam == Beam::parallel || reply->info.beam == Beam::cone);
      }
    QVERIFY(kept > 0);  // texts and numbers may be any
  }
};

TL_TEST_CASE(ReaderMessagesTest)

}  // namespace tl::reader_messages_test

#include "reader_messages.moc"
