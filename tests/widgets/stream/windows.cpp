// Windows of a live scan in a real window: slices follow the stream and equal those of its record, say their age and
// what is lost, stay when pinned, and marked parameters are followed.
#include <QCheckBox>
#include <QLabel>
#include <QSpinBox>
#include <map>
#include <mutex>

#include "core/learn/learning.h"
#include "core/run/many/scan_list.h"
#include "tests/support/disc_scan.h"
#include "tests/support/gui/studio.h"
#include "tests/support/stream_sender.h"
#include "tests/support/test_case.h"
#include "widgets/session/stream_session.h"
#include "widgets/stream/stream_dock.h"
#include "widgets/stream/stream_form.h"
#include "widgets/stream/stream_plots.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/image_pane.h"
#include "widgets/views/views_area.h"
#include "widgets/window/files/scan_banner.h"

namespace tl::ui::stream_windows_test {
namespace {

using stream::FrameKind;

constexpr test::DiscScan disc{40, 12, 64, 3.5, 0.02, 30000, 175.5};
constexpr int64_t hop = 8, references = 3;

// The same body that moves aside with time: `aside` of its small disc in columns.
stream::Frame disc_frame(FrameKind kind, int64_t number, double aside) {
  stream::Frame frame = test::stream_frame(number, kind, disc.rows, disc.cols);
  constexpr double half_turn = 180;
  const double degrees = half_turn / disc.views * static_cast<double>(number - references);
  const double t = degrees * std::numbers::pi / half_turn, large = 0.3 * disc.cols, small = 0.09 * disc.cols;
  if (kind == FrameKind::view) frame.angle = degrees;
  for (int row = 0; row < disc.rows; ++row)
    for (int col = 0; col < disc.cols; ++col) {
      const double u = col - 0.5 * (disc.cols - 1) - disc.axis;
      const double p = disc.attenuation * (test::chord(u, large) + test::chord(u - aside * std::cos(t + 0.7), small));
      const double counts = kind == FrameKind::dark ? 0 : disc.beam * (kind == FrameKind::flat ? 1 : std::exp(-p));
      const auto value = static_cast<uint16_t>(100 + std::lround(counts));
      std::memcpy(frame.pixels.data() + static_cast<std::size_t>(row * disc.cols + col) * sizeof(value), &value,
                  sizeof(value));
    }
  return frame;
}

Graph pipeline(double axis) {
  Graph g;
  g.title = "Live";
  g.nodes["load"] = {"input.load_scan", 1, {}};
  g.nodes["flat_field"] = {"correct.flat_field", 1, {{"change", std::string("before")}}};
  g.nodes["axis"] = {"geometry.set", 1, {{"axis", Number{axis, Unit::px}}}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"load", "projections", "flat_field", "projections"},
             {"flat_field", "projections", "axis", "projections"},
             {"axis", "projections", "fbp", "projections"}};
  return g;
}

struct WindowStudio : test::Studio {
  test::StreamSender sender{folder.path()};
  int64_t next = 0;
  [[nodiscard]] StreamDock& dock() { return window.stream_dock(); }
  [[nodiscard]] StreamSession& stream() { return window.stream(); }
  [[nodiscard]] ViewsArea& views() { return *window.findChild<ViewsArea*>(); }
  [[nodiscard]] ImagePane& pane() {
    for (ImagePane* p : views().visible_panes())
      if (p->kind_text() == QLatin1String("XY")) return *p;
    qFatal("there is no slice");
  }
  [[nodiscard]] bool begin(const Graph& graph, const QString& send_to = {}) {
    window.resize(1440, 900);
    if (!open()) return false;
    document.reset(graph);
    window.show_main_page();
    window.workspaces().show(Workspace::see);
    QTest::keyClick(&window, Qt::Key_F10);
    for (QSpinBox* box : dock().findChildren<QSpinBox*>()) {
      box->setFocus();
      box->selectAll();
      QTest::keyClicks(box, QString::number(box->accessibleName() == "Window" ? disc.views : hop));
      QTest::keyClick(box, Qt::Key_Return);
    }
    StreamChoice choice{sender.address(), stream::ReceiverSocket::pull, stream::SocketEnd::binds};
    choice.send = send_to;
    dock().form().set_choice(choice);
    return press("Connect") && stream().is_open() && sender.open();
  }
  [[nodiscard]] bool send(FrameKind kind, int64_t count, double aside = 9) {
    for (int64_t i = 0; i < count; ++i)
      if (!sender.send(stream::Message(disc_frame(kind, next++, aside)))) return false;
    return test::wait_for_work([&] { return stream().status().counts.taken() > 0; });
  }
  [[nodiscard]] bool send_references() { return send(FrameKind::dark, 1) && send(FrameKind::flat, 2); }
  // The slice shows the window with this index.
  [[nodiscard]] bool shows(int64_t index) {
    return test::wait_for_work([&] {
      const auto& picture = pane().picture();
      return picture && picture->window.index == index && picture->final;
    });
  }
  [[nodiscard]] std::vector<float> slice() { return pane().picture()->image->pixels; }
  [[nodiscard]] QString label(const QString& name) {
    for (const QLabel* label : dock().findChildren<QLabel*>())
      if (label->accessibleName() == name && label->isVisible()) return label->text();
    return {};
  }
  [[nodiscard]] QString caption() {
    QString text;
    for (const CaptionPart& part : pane().state_caption()) text += part.text;
    return text;
  }
};

// Makes the pipeline load the record of a stream with the settings of the last row of the table of its windows.
Result<void> use_last_window(Document& document, const QString& table) {
  TL_TRY(const std::vector<ScanTask> tasks, scan_list({table.toStdString()}));
  Result<void> done = ok();
  document.edit("load the record", [&](Graph& graph) {
    graph.nodes.at("load").params["file"] = tasks.back().scan.string();
    for (const std::string& setting : tasks.back().settings) {
      const auto [name, value] = split_setting(setting);
      const std::size_t dot = name.find('.');
      done = set_param(graph, document.registry(), name.substr(0, dot), name.substr(dot + 1), value);
      if (!done.ok()) return;
    }
  });
  return done;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (!(std::abs(a[i] - b[i]) <= most)) most = std::abs(a[i] - b[i]);
  return most;
}

// At most 1e-6 of the range of values apart: both are computed in float32, in blocks of another size.
bool are_same(const std::vector<float>& live, const std::vector<float>& of_record) {
  constexpr double rounding = 1e-6;
  const auto [low, high] = std::minmax_element(live.begin(), live.end());
  return largest_difference(live, of_record) <= rounding * (*high - *low);
}

}  // namespace

class StreamWindowsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }

  void slices_follow_the_stream_and_equal_those_of_its_record() {
    WindowStudio s;
    QVERIFY(s.begin(pipeline(disc.axis)));
    QVERIFY2(s.stream().obstacle().isEmpty(), qPrintable(s.stream().obstacle()));
    const auto* banner = s.window.findChild<ScanBanner*>();
    QVERIFY2(!banner->isVisible(), "the frames of the stream are the scan");
    const QString record = s.folder.filePath("r.nx");
    s.stream().begin_record(record);
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, disc.views));
    QVERIFY(s.shows(0));
    const std::vector<float> first = s.slice();
    // The middle of the large disc, in units of its attenuation.
    const auto& image = *s.pane().picture()->image;
    const double middle = image.pixels[static_cast<std::size_t>(image.rows / 2 * image.cols + image.cols / 2)];
    QVERIFY2(std::abs(middle / disc.attenuation - 1) < 0.2, qPrintable(QString::number(middle)));
    QVERIFY2(s.caption().contains("window 1"), qPrintable(s.caption()));
    QTRY_VERIFY(s.label("Windows").contains("shown after"));
    test::keep_picture(s.window, "stream-live");    // resources/docs/pictures/live-scan.png
    QVERIFY(s.send(FrameKind::view, 2 * hop, -9));  // the small disc moves
    QVERIFY(s.shows(2));
    const std::vector<float> third = s.slice();
    QVERIFY(largest_difference(first, third) > 0.3 * disc.attenuation);
    QTRY_VERIFY(s.label("Windows").contains("shown after"));
    test::keep_picture(s.window, "stream-windows");

    // The law: a run on the record gives the same slice.
    s.stream().close();
    QVERIFY(banner->isVisible());
    QTRY_VERIFY(s.has_message("Recorded"));
    const Result<void> used = use_last_window(s.document, s.folder.filePath("r.windows.csv"));
    QVERIFY2(used.ok(), used.ok() ? "" : used.error().message().c_str());
    const auto& params = s.document.graph().nodes.at("load").params;
    QCOMPARE(std::get<int64_t>(params.at("first_view")), 2 * hop);
    QCOMPARE(std::get<int64_t>(params.at("last_view")), 2 * hop + disc.views - 1);
    QVERIFY(s.shows(-1));
    QVERIFY2(are_same(third, s.slice()), qPrintable(QString::number(largest_difference(third, s.slice()))));
  }

  // Three slices, their labels and the 3D view.
  void every_pane_shows_the_newest_window() {
    std::map<QString, live::Picture> newest;  // by view
    WindowStudio s;
    QObject::connect(&s.session, &LiveSession::picture_ready, &s.window,
                     [&](const QString& view, const live::Picture& picture) {
                       if (picture.image) newest[view] = picture;
                     });
    Graph graph = pipeline(disc.axis);
    graph.nodes["threshold"] = {"segment.threshold", 1, {}};
    graph.links.push_back({"fbp", "volume", "threshold", "volume"});
    QVERIFY(s.begin(graph));
    s.selection.set_one("threshold");
    const auto all_show = [&](int64_t index) {
      int planes = 0, labels = 0, boxes = 0;
      for (const auto& [view, picture] : newest) {
        if (picture.window.index != index) continue;
        if (picture.request.port == "labels")
          ++labels;
        else if (picture.slices > 1)
          ++boxes;
        else
          ++planes;
      }
      return planes >= 3 && labels >= 3 && boxes >= 1;
    };
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, disc.views));
    QVERIFY(test::wait_for_work([&] { return all_show(0); }));
    QVERIFY(s.send(FrameKind::view, hop, -9));
    QVERIFY(test::wait_for_work([&] { return all_show(1); }));
    for (const auto& [view, picture] : newest)
      QVERIFY2(picture.image->pixels.size() <= std::size_t{128 * 128 * 128}, qPrintable(view));
    // The threshold of the first window holds for the second, until it is measured again.
    QTRY_VERIFY(s.stream().has_measured());
    newest.clear();
    QVERIFY(s.press("Measure again"));
    QVERIFY(test::wait_for_work([&] {
      return std::any_of(newest.begin(), newest.end(), [](const auto& one) {
        return one.second.request.port == "labels" && one.second.window.index == 1;
      });
    }));
  }

  void windows_wait_for_flats_and_say_what_is_lost() {
    WindowStudio s;
    QVERIFY(s.begin(pipeline(disc.axis)));
    s.next = references;
    QVERIFY(s.send(FrameKind::view, disc.views));
    QTRY_COMPARE(s.label("Windows"), QString("waiting for flats"));
    QVERIFY(s.send(FrameKind::flat, 2));
    QVERIFY(s.send(FrameKind::view, disc.views));
    s.next += 8;  // a fifth of a window is lost
    // The newest window that is complete has the gap in it.
    QVERIFY(s.send(FrameKind::view, disc.views / 2 + stream::Windows::patience));
    QTRY_VERIFY2(s.caption().contains("of its views lost"), qPrintable(s.caption()));
    // The camera stops: the slice gets old.
    QTRY_VERIFY2(s.caption().contains(" old"), qPrintable(s.caption()));
    QTRY_COMPARE(s.stream().state(), StreamState::silent);
    test::keep_picture(s.window, "stream-windows-lost");
  }

  void the_slices_on_screen_are_sent_to_other_programs() {
    WindowStudio s;
    const QString address = QStringLiteral("ipc://%1/planes").arg(s.folder.path());
    QVERIFY(s.begin(pipeline(disc.axis), address));
    std::mutex mutex;
    std::map<int64_t, std::vector<std::vector<float>>> sent;  // by window
    auto subscriber = stream::Receiver::open({address.toStdString(), stream::ReceiverSocket::subscribe},
                                             {[&](const stream::Message& message, const stream::Wire&) {
                                                const auto& plane = std::get<stream::Frame>(message);
                                                std::vector<float> pixels(plane.pixels.size() / sizeof(float));
                                                std::memcpy(pixels.data(), plane.pixels.data(), plane.pixels.size());
                                                const std::lock_guard lock(mutex);
                                                sent[plane.number.value_or(-1)].push_back(std::move(pixels));
                                              },
                                              [](const Error& error) { qWarning("%s", error.message().c_str()); }});
    QVERIFY(subscriber.ok());
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, disc.views));
    int64_t window = 0;
    QVERIFY(s.shows(window));
    const auto arrived = [&] {
      const std::lock_guard lock(mutex);
      const auto found = sent.find(window);
      return found != sent.end() && std::any_of(found->second.begin(), found->second.end(), [&](const auto& pixels) {
               return largest_difference(pixels, s.slice()) == 0;
             });
    };
    // Those of the first windows may have been sent before it had subscribed.
    constexpr int most = 20, wait_ms = 1000;
    for (int i = 0; i < most && !QTest::qWaitFor(arrived, wait_ms); ++i) {
      QVERIFY(s.send(FrameKind::view, hop));
      QVERIFY(s.shows(++window));
    }
    QVERIFY(arrived());
    QTRY_VERIFY(s.label("Slices").contains("sent"));
  }

  void another_scan_begins_other_windows() {
    WindowStudio s;
    QVERIFY(s.begin(pipeline(disc.axis)));
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, disc.views + hop));
    QVERIFY(s.shows(1));
    const std::vector<float> before = s.slice();
    const double newest = s.pane().picture()->window.newest;
    // New darks: a scan of its own, whose windows begin again.
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, disc.views, -9));
    QTRY_COMPARE(s.label("Scan"), QString("2: new darks"));
    QVERIFY(test::wait_for_work([&] {
      const auto& picture = s.pane().picture();
      return picture && picture->window.index == 0 && picture->window.newest > newest && picture->final;
    }));
    QVERIFY(largest_difference(before, s.slice()) > 0.3 * disc.attenuation);
    QCOMPARE(s.stream().status().missing.size(), std::size_t{0});
  }

  void a_pinned_window_stays_next_to_those_that_follow() {
    WindowStudio s;
    QVERIFY(s.begin(pipeline(disc.axis)));
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, disc.views));
    QVERIFY(s.shows(0));
    QTest::keyClick(&s.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    ImagePane* pinned = nullptr;
    for (ImagePane* p : s.views().visible_panes())
      if (p->kind_text() == QLatin1String("Pinned")) pinned = p;
    QVERIFY(pinned != nullptr && pinned->picture());
    const std::vector<float> before = pinned->picture()->image->pixels;
    QVERIFY(pinned->position_text().contains("window 1"));
    QVERIFY(s.send(FrameKind::view, hop, -9));
    QVERIFY(s.shows(1));
    QCOMPARE(largest_difference(pinned->picture()->image->pixels, before), 0.0);
    QVERIFY(largest_difference(s.slice(), before) > 0);
    for (const char* theme : {"dark", "light"}) {
      Theme::instance().set(QLatin1String(theme));
      for (const QSize& size : {QSize(1000, 700), QSize(1920, 1200)}) {
        s.window.resize(size);
        test::keep_picture(s.window, QStringLiteral("stream-pinned-%1-%2").arg(QLatin1String(theme)).arg(size.width()));
      }
    }
    Theme::instance().set(QStringLiteral("dark"));
    QVERIFY(s.press("Unpin"));
    QVERIFY(!s.views().has_pinned_window());
  }

  void marked_parameters_are_followed_and_kept_as_a_step() {
    WindowStudio s;
    Graph graph = pipeline(0);
    graph.nodes["entropy"] = {"objective.entropy", 1, {}};
    graph.links.push_back({"fbp", "volume", "entropy", "volume"});
    QVERIFY(s.begin(graph));
    s.stream().set_follows(true);
    QVERIFY(!s.stream().follows());  // nothing is marked
    QVERIFY(s.stream().failure().contains("Nothing is marked"));
    learn::Settings settings;
    settings.targets.resize(1);
    settings.targets[0].node = settings.targets[0].name = "axis";
    settings.objective = {"entropy", "loss"};
    s.document.edit("mark", [&](Graph& g) { g = learn::with_settings(std::move(g), settings); });
    s.stream().set_follows(true);
    QVERIFY2(s.stream().follows(), qPrintable(s.stream().failure()));
    s.stream().begin_record(s.folder.filePath("r.nx"));
    QVERIFY(s.send_references());
    QVERIFY(s.send(FrameKind::view, disc.views));
    QVERIFY(s.shows(0));
    // Learning is on the window before, once the next one is there.
    for (int i = 0; i < 12 && !s.stream().followed(); ++i) {
      QVERIFY(s.send(FrameKind::view, hop));
      QTest::qWait(300);
    }
    QTRY_VERIFY(s.stream().followed().has_value());
    const double axis = s.stream().followed()->found.front().value.front();
    QVERIFY2(std::abs(axis - disc.axis) < 0.5, qPrintable(QString::number(axis)));
    QTRY_VERIFY(s.dock().plots().plot("axis.axis") != nullptr);
    const int steps = s.document.undo_stack().index();
    QVERIFY(s.press("Keep the values"));
    QCOMPARE(s.document.undo_stack().index(), steps + 1);
    const auto value = [&] { return std::get<Number>(s.document.graph().nodes.at("axis").params.at("axis")).value; };
    QVERIFY(std::abs(value() - disc.axis) < 0.5);
    s.document.undo_stack().undo();
    QCOMPARE(value(), 0.0);
    test::keep_picture(s.window, "stream-followed");

    // The law: a run on the record, with the value of the window's row, gives the slice of that window.
    QVERIFY(s.send(FrameKind::view, hop));
    const int64_t last = (s.next - references - disc.views) / hop;
    QVERIFY(s.shows(last));
    const std::vector<float> live = s.slice();
    s.stream().close();
    QTRY_VERIFY(s.has_message("Recorded"));
    const Result<void> used = use_last_window(s.document, s.folder.filePath("r.windows.csv"));
    QVERIFY2(used.ok(), used.ok() ? "" : used.error().message().c_str());
    QVERIFY(std::abs(value() - disc.axis) < 0.5);
    QVERIFY(s.shows(-1));
    QVERIFY2(are_same(live, s.slice()), qPrintable(QString::number(largest_difference(live, s.slice()))));
  }
};

TL_TEST_CASE(StreamWindowsTest)

}  // namespace tl::ui::stream_windows_test

#include "windows.moc"
