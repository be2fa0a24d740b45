// A live scan in a real window: connected by keys, watched with its gaps and alarms, recorded by clicks, left safely.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "core/io/open_scan.h"
#include "tests/support/gui/studio.h"
#include "tests/support/stream_sender.h"
#include "tests/support/test_case.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/session/stream_session.h"
#include "widgets/stream/stream_dock.h"
#include "widgets/stream/stream_form.h"
#include "widgets/stream/stream_picture.h"
#include "widgets/stream/stream_plots.h"
#include "widgets/stream/stream_text.h"
#include "widgets/theme/theme.h"

namespace tl::ui::stream_test {
namespace {

using stream::FrameKind;
using test::Studio;

constexpr int64_t rows = 64, cols = 96;

QString caption(const std::vector<CaptionPart>& parts) {
  QString text;
  for (const CaptionPart& part : parts) text += part.text;
  return text;
}

struct StreamStudio : Studio {
  test::StreamSender sender{folder.path()};
  [[nodiscard]] StreamDock& dock() { return window.stream_dock(); }
  [[nodiscard]] StreamSession& stream() { return window.stream(); }
  // Opens the dock and connects, by keys alone.
  [[nodiscard]] bool connect_by_keys() {
    window.resize(1440, 900);
    if (!open_example()) return false;
    QTest::keyClick(&window, Qt::Key_F10);
    if (!dock().isVisible() || !dock().isAncestorOf(QApplication::focusWidget())) return false;
    QTest::keyClicks(QApplication::focusWidget(), sender.address());
    for (int i = 0; i < 2; ++i) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);  // waits here for the sender
    for (int i = 0; i < 2; ++i) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    return stream().is_open() && sender.open();
  }
  // By the button, with what is in the form.
  [[nodiscard]] bool connect_with(const std::function<void(StreamChoice&)>& change) {
    window.resize(1440, 900);
    if (!open_example()) return false;
    QTest::keyClick(&window, Qt::Key_F10);
    StreamChoice choice{sender.address(), stream::ReceiverSocket::pull, stream::SocketEnd::binds};
    change(choice);
    dock().form().set_choice(choice);
    return press("Connect") && stream().is_open() && sender.open();
  }
  template <class Field>
  [[nodiscard]] Field& field(const QString& name) {
    for (Field* field : dock().findChildren<Field*>())
      if (field->accessibleName() == name) return *field;
    qFatal("there is no field %s", qPrintable(name));
  }
  void type(const QString& name, const QString& text) {
    auto& line = field<QLineEdit>(name);
    QVERIFY2(line.isVisible() && line.isEnabled(), qPrintable(name));
    line.setFocus();
    line.selectAll();
    QTest::keyClicks(&line, text);
    QTest::keyClick(&line, Qt::Key_Return);
  }
  [[nodiscard]] bool says(const QString& words) {
    for (const QLabel* label : dock().findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(words)) return true;
    return false;
  }
  [[nodiscard]] bool send(FrameKind kind, int64_t first, int64_t count, int64_t frame_rows = rows) {
    const int64_t before = stream().status().counts.taken();
    return sender.send(kind, first, count, frame_rows, cols) &&
           test::wait_for_work([&] { return stream().status().counts.taken() == before + count; });
  }
  [[nodiscard]] bool send_references() { return send(FrameKind::dark, 0, 3) && send(FrameKind::flat, 3, 4); }
  [[nodiscard]] QString label(const QString& name) {
    for (const QLabel* label : dock().findChildren<QLabel*>())
      if (label->accessibleName() == name && label->isVisible()) return label->text();
    return {};
  }
  [[nodiscard]] bool has_record(const QString& path, int64_t views) {
    const auto scan = io::open_scan(path.toStdString(), {});
    return scan.ok() && scan.value()->info().views == views && scan.value()->info().flats == 4 &&
           scan.value()->info().darks == 3;
  }
  void record_as(const QString& path) {
    QVERIFY(test::answer_file_dialog(
        window, path, [this] { QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier); }));
  }
  void keep_pictures(const QString& name) {
    if (qEnvironmentVariable("TL_PICTURES").isEmpty()) return;
    for (const char* theme : {"dark", "light"}) {
      Theme::instance().set(QLatin1String(theme));
      for (const QSize& size : {QSize(1000, 700), QSize(1920, 1200)}) {
        window.resize(size);
        test::keep_picture(window, QStringLiteral("%1-%2-%3").arg(name, QLatin1String(theme)).arg(size.width()));
      }
    }
    Theme::instance().set(QStringLiteral("dark"));
    window.resize(1440, 900);
  }
};

}  // namespace

class StreamTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }

  void frames_gaps_and_values_are_shown_while_they_come() {
    StreamStudio s;
    QVERIFY(s.connect_by_keys());
    QCOMPARE(s.stream().state(), StreamState::waiting);
    QCOMPARE(s.label("State of the stream"), QString("Waiting for a sender"));
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, 7, 30));
    QCOMPARE(s.label("Frames"), QString("30 views, 4 flats, 3 darks"));
    QCOMPARE(s.label("Missing"), QString("none"));
    QVERIFY(s.dock().picture().loss().empty());
    QVERIFY(s.send(FrameKind::view, 45, 10));  // 8 of 60 are lost
    QTRY_COMPARE(s.label("Missing"), QString("8 of 55: 37–44"));
    QCOMPARE(caption(s.dock().picture().title()), QString("view 54 · 81.0°"));
    QVERIFY(!s.dock().picture().image().isNull());
    QVERIFY(caption(s.dock().picture().loss()).contains("13 %"));
    QTRY_VERIFY(s.dock().plots().plot("temperature") != nullptr);
    QTRY_COMPARE(s.dock().plots().plot("temperature")->content().series.front().y.size(), std::size_t{47});
    // Headers have numbers without units; those of a log have them.
    QCOMPARE(s.dock().plots().plot("temperature")->content().y.unit, QString());
    QTRY_VERIFY(s.dock().plots().plot("lost") != nullptr);
    s.keep_pictures("stream-gaps");
  }

  void a_camera_that_stops_is_an_alarm_until_it_goes_on() {
    StreamStudio s;
    QVERIFY(s.connect_by_keys());
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, 7, 10));
    QTRY_COMPARE(s.stream().state(), StreamState::silent);
    QVERIFY(s.label("Alarms").contains("The camera has stopped"));
    QVERIFY(caption(s.dock().picture().age()).startsWith("camera stopped"));
    QVERIFY(s.has_message("no frame has come"));
    s.keep_pictures("stream-silent");
    QVERIFY(s.send(FrameKind::view, 17, 1));
    QTRY_COMPARE(s.stream().state(), StreamState::receiving);
    QVERIFY(s.label("Alarms").isEmpty());
    QVERIFY(s.has_message("frames come again"));
    QVERIFY(s.sender.send(stream::Message(stream::EndOfStream{})));
    QTRY_COMPARE(s.stream().state(), StreamState::ended);
    QVERIFY(s.label("Alarms").isEmpty());
  }

  void each_fault_is_said() {
    StreamStudio s;
    QVERIFY(s.connect_by_keys());
    // Who joins late.
    QVERIFY(s.send(FrameKind::view, 7, 2));
    QTRY_VERIFY(s.has_message("so far none of: frames before 7, flats, darks"));
    QVERIFY(s.send_references());
    // Doubled, damaged.
    QVERIFY(s.sender.send(FrameKind::view, 8, 1, rows, cols) && s.sender.send_damaged());
    QVERIFY(s.send(FrameKind::view, 9, 2));
    QTRY_COMPARE(s.label("Faults"), QString("1 twice · 1 broken"));
    QTRY_VERIFY(s.has_message("a message is broken"));
    // No beam.
    stream::Frame view = test::stream_frame(11, FrameKind::view, rows, cols);
    std::fill(view.pixels.begin(), view.pixels.end(), std::byte{0});
    QVERIFY(s.sender.send(stream::Message(std::move(view))));
    QTRY_VERIFY(s.label("Alarms").contains("There is no beam"));
    QCOMPARE(caption(s.dock().picture().age()), QString("no beam"));
    QVERIFY(s.label("Faults").contains("1 without beam"));
    QVERIFY(s.has_message("take new flats"));
    s.keep_pictures("stream-no-beam");
    QVERIFY(s.send(FrameKind::view, 12, 1));
    QTRY_VERIFY(s.has_message("the beam is back"));
    QTRY_VERIFY(!s.label("Alarms").contains("beam"));
  }

  void a_trigger_of_the_log_begins_the_records_of_scans() {
    StreamStudio s;
    test::LogSender log(s.folder.path());
    QVERIFY(s.connect_with([&](StreamChoice& choice) { choice.log = log.address(); }));
    QVERIFY(!s.field<QLineEdit>("Log").isEnabled());
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, 7, 10));
    // What is wrong with a field is said below it, and nothing is recorded.
    s.type("Trigger", "load");
    QVERIFY(s.says("there is no comparison in \"load\""));
    QTest::keyClick(&s.window, Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(QApplication::activeModalWidget() == nullptr && !s.stream().is_recording());
    s.type("Trigger", "load > 5");
    QVERIFY(!s.says("there is no comparison"));
    s.field<QDoubleSpinBox>("Before").setValue(1000);
    const QString path = s.folder.filePath("r.nx");
    s.record_as(path);
    QTRY_COMPARE(s.label("Record"), QString("r.nx · waits for load > 5"));
    QVERIFY(!s.field<QLineEdit>("Trigger").isEnabled());
    QVERIFY(log.send("load", 4, "N"));
    QTRY_VERIFY(s.dock().plots().plot("load") != nullptr);
    QCOMPARE(s.dock().plots().plot("load")->content().y.unit, QString("N"));
    QVERIFY(!s.has_message("the trigger condition is met"));
    QVERIFY(log.send("load", 6, "N"));
    QTRY_VERIFY(s.has_message("the trigger condition is met"));
    QVERIFY(s.send(FrameKind::view, 17, 3));
    QTRY_COMPARE(s.label("Record"), QString("r.nx · 20 frames"));
    // Frames of another shape are another scan.
    QVERIFY(s.send(FrameKind::flat, 20, 2, rows / 2) && s.send(FrameKind::view, 22, 5, rows / 2));
    QTRY_COMPARE(s.label("Scan"), QString("2: another shape or type"));
    QTRY_COMPARE(s.label("Record"), QString("r.nx\nr-2.nx · 7 frames"));
    QTRY_COMPARE(s.dock().plots().plot("load")->content().series.front().y, (std::vector<double>{4, 6}));
    s.keep_pictures("stream-scans");
    QVERIFY(s.press("End the record"));
    QTRY_VERIFY(s.has_message("r-2.nx: 5 views, 2 flats, 0 darks"));
    QVERIFY(s.has_message("r.nx: 13 views, 4 flats, 3 darks"));
    QVERIFY(s.has_record(path, 13));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("NXlog"));
  }

  void fields_that_cannot_be_used_are_said() {
    StreamStudio s;
    QVERIFY(s.open_example());
    QTest::keyClick(&s.window, Qt::Key_F10);
    const auto press_connect = [&s](const std::function<void(StreamChoice&)>& change) {
      StreamChoice choice{s.sender.address(), stream::ReceiverSocket::pull, stream::SocketEnd::binds};
      change(choice);
      s.dock().form().set_choice(choice);
      QVERIFY(s.press("Connect"));
    };
    press_connect([](StreamChoice& c) { c.send = "tcp://127.0.0.1"; });
    QVERIFY(!s.stream().is_open() && s.says("this is not an address (tcp://127.0.0.1)"));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&s.field<QLineEdit>("Send")));
    press_connect([](StreamChoice& c) { c.log = "nonsense"; });
    QVERIFY(!s.stream().is_open() && s.says("this is not an address (nonsense)"));
    press_connect([](StreamChoice& c) { c.trigger = "load = 5"; });
    QVERIFY(!s.stream().is_open() && s.says("a comparison is <, <=, >, >=, == or !="));
    // What only the system knows, by the alarm.
    press_connect([&](StreamChoice& c) { c.send = "ipc:///nowhere/planes"; });
    QVERIFY(!s.stream().is_open() && s.label("Alarms").contains("planes cannot be sent"));
    press_connect([](StreamChoice&) {});
    QVERIFY(s.stream().is_open());
    s.keep_pictures("stream-fields");
  }

  void nothing_is_clipped_in_a_small_window() {
    StreamStudio s;
    QVERIFY(s.connect_with([](StreamChoice& c) { c.trigger = "ring current >= 200"; }));
    s.window.resize(1000, 700);
    QVERIFY(s.field<QLineEdit>("Trigger").isVisible());  // its section is open, because it has something in it
    QVERIFY(s.press("Slices for other programs"));
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, 7, 10));
    QVERIFY(s.field<QLineEdit>("Results").isVisible());
    constexpr int narrow = 280;  // px
    QVERIFY2(s.dock().widget()->minimumSizeHint().width() <= narrow,
             qPrintable(QString::number(s.dock().widget()->minimumSizeHint().width())));
    QVERIFY(s.dock().widget()->width() <= s.dock().viewport()->width());
    s.keep_pictures("stream-sections");
  }

  void a_record_begins_and_ends_at_a_press() {
    StreamStudio s;
    QVERIFY(s.connect_by_keys());
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, 7, 10));
    const QString path = s.folder.filePath("r.nx");
    s.record_as(path);
    QVERIFY(s.stream().is_recording());
    QVERIFY(s.send(FrameKind::view, 17, 20));
    QTRY_COMPARE(s.label("Record"), QString("r.nx · 27 frames"));
    QVERIFY(s.press("End the record"));
    QTRY_VERIFY(s.has_message("Recorded"));
    QVERIFY(s.has_record(path, 20));
    // The stream goes on, and is left by its button.
    QVERIFY(s.send(FrameKind::view, 37, 5));
    QVERIFY(s.press("Disconnect"));
    QTRY_VERIFY(!s.stream().is_ending());
    QCOMPARE(s.stream().state(), StreamState::closed);
    QCOMPARE(caption(s.dock().picture().age()), QString("not connected"));
  }

  void leaving_asks_and_the_record_is_whole() {
    QTemporaryDir folder;
    const QString path = folder.filePath("r.nx");
    {
      StreamStudio s;
      QVERIFY(s.connect_by_keys());
      s.record_as(path);
      QVERIFY(s.send_references());
      QVERIFY(s.send(FrameKind::view, 7, 12));
      test::answer("Stay");
      QVERIFY(!s.window.close());
      QVERIFY(s.stream().is_recording());
      QVERIFY(s.send(FrameKind::view, 19, 3));
      test::answer("End and close");
      QVERIFY(s.window.close());
      QVERIFY(!s.stream().is_open());
    }
    StreamStudio reader;
    QVERIFY(reader.has_record(path, 15));
  }

  void addresses_are_remembered_and_errors_are_said() {
    StreamStudio s;
    QVERIFY(s.connect_by_keys());
    Document document;
    LiveSession session{document};
    Selection selection;
    MainWindow other(session, selection, s.settings);
    QCOMPARE(other.stream_dock().form().choice(), s.stream().choice());
    const StreamChoice wrong{QStringLiteral("nonsense"), stream::ReceiverSocket::pull, stream::SocketEnd::connects};
    other.stream().open(wrong);
    QVERIFY(!other.stream().is_open());
    QVERIFY(!other.stream().failure().isEmpty());
    QVERIFY(alarm_texts(other.stream()).contains(other.stream().failure()));
  }

  void the_dock_is_reached_and_left_by_its_key() {
    StreamStudio s;
    QVERIFY(s.open_example());
    QVERIFY(!s.dock().isVisible());
    QTest::keyClick(&s.window, Qt::Key_F10);
    QVERIFY(s.dock().isVisible());
    QTest::keyClick(&s.window, Qt::Key_F10);
    QVERIFY(!s.dock().isVisible());
  }
};

TL_TEST_CASE(StreamTest)

}  // namespace tl::ui::stream_test

#include "dock.moc"
