// LiveSession: events of the compute thread arrive on the GUI thread, newest first; destruction is clean.
#include "widgets/session/live_session.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QThread>

#include "tests/support/test_case.h"

namespace tl::ui::live_session_test {

class LiveSessionTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void signals_arrive_on_the_gui_thread();
  void two_hundred_slider_moves_end_with_the_newest();
  void a_run_without_outputs_says_so();
  void another_pipeline_brings_its_own_images();
  void outputs_that_exist_are_named();
  void closed_while_it_computes();
};

namespace {

using test::patience_ms;

Graph scan_graph() {
  Graph g;
  g.nodes["scan"] = {"input.simulate_scan", 1, {{"views", int64_t{90}}, {"rows", int64_t{8}}, {"cols", int64_t{128}}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "fbp", "projections"}};
  return g;
}

live::PictureRequest request_of(const std::string& node, const std::string& port, uint64_t ticket) {
  live::PictureRequest r;
  r.node = node;
  r.port = port;
  r.ticket = ticket;
  return r;
}

live::EngineOptions options() {
  live::EngineOptions o;
  o.memory = int64_t{1} << 30;
  return o;
}

}  // namespace

void LiveSessionTest::signals_arrive_on_the_gui_thread() {
  Document document;
  LiveSession session(document, options());
  QVERIFY(session.device_name().startsWith("CPU"));
  bool elsewhere = false;
  int sharp = 0;
  connect(&session, &LiveSession::picture_ready, &session, [&](const QString& view, const live::Picture& picture) {
    elsewhere = elsewhere || QThread::currentThread() != thread();
    QCOMPARE(view, QString("a"));
    QVERIFY(!picture.error);
    sharp += picture.final ? 1 : 0;
  });
  QSignalSpy infos(&session, &LiveSession::infos_changed);
  document.reset(scan_graph());
  QTRY_VERIFY_WITH_TIMEOUT(session.info("fbp", "volume") != nullptr, patience_ms);
  QCOMPARE(std::get<VolumeInfo>(*session.info("fbp", "volume")).grid.nx, int64_t{128});
  QCOMPARE(session.info("fbp", "no such port"), nullptr);
  session.request("a", request_of("fbp", "volume", 1));
  QTRY_COMPARE_WITH_TIMEOUT(sharp, 1, patience_ms);
  QVERIFY(!elsewhere);
  QTRY_COMPARE_WITH_TIMEOUT(session.status("fbp").state, live::State::partial, patience_ms);
  QTRY_VERIFY_WITH_TIMEOUT(!session.thumbnail("fbp").isNull(), patience_ms);
  QVERIFY(session.thumbnail("fbp").width() <= 188);
  QTRY_VERIFY_WITH_TIMEOUT(session.cache_use().used > 0, patience_ms);
  session.forget("a");
  document.edit("Delete", [](Graph& g) { g = Graph(); });
  QTRY_VERIFY_WITH_TIMEOUT(session.info("fbp", "volume") == nullptr, patience_ms);
  QVERIFY(session.thumbnail("fbp").isNull());
}

void LiveSessionTest::two_hundred_slider_moves_end_with_the_newest() {
  Document document;
  LiveSession session(document, options());
  document.reset(scan_graph());
  live::Picture last;
  int pictures = 0;
  connect(&session, &LiveSession::picture_ready, &session, [&](const QString&, const live::Picture& picture) {
    last = picture;
    ++pictures;
  });
  session.request("a", request_of("fbp", "volume", 1));
  QTRY_VERIFY_WITH_TIMEOUT(last.image != nullptr && last.final, patience_ms);
  const auto set_value = [&](int i) {
    document.edit("Cutoff",
                  [i](Graph& g) {
                    g.nodes["fbp"].params["cutoff"] = Number{0.2 + 0.004 * i, Unit::nyquist};
                  },
                  {"cutoff"});
  };
  const auto first = last;  // of the default, which is the last value
  const auto same = [&] { return last.final && last.image != nullptr && last.image->pixels == first.image->pixels; };
  set_value(0);
  QTRY_VERIFY_WITH_TIMEOUT(last.final && !same(), patience_ms);
  pictures = 0;
  for (int i = 1; i <= 200; ++i) set_value(i);
  QTRY_VERIFY_WITH_TIMEOUT(same() && session.status("fbp").state == live::State::partial, patience_ms);
  // No older image comes late: one within this time fails at once.
  QVERIFY(!QTest::qWaitFor([&] { return !same(); }, 200));
  QVERIFY2(pictures < 100, qPrintable(QString::number(pictures)));
}

void LiveSessionTest::a_run_without_outputs_says_so() {
  Document document;
  LiveSession session(document, options());
  document.reset(scan_graph());
  QSignalSpy ends(&session, &LiveSession::run_finished);
  session.run_all();
  QTRY_COMPARE_WITH_TIMEOUT(ends.count(), 1, patience_ms);
  const auto end = ends.at(0).at(0).value<live::RunEnd>();
  QVERIFY(end.error && end.error->kind == ErrorKind::invalid);
  QVERIFY(!session.run_progress().running);
}

void LiveSessionTest::another_pipeline_brings_its_own_images() {
  Document document;
  LiveSession session(document, options());
  document.reset(scan_graph());
  QTRY_VERIFY_WITH_TIMEOUT(!session.thumbnail("scan").isNull(), patience_ms);
  const QImage before = session.thumbnail("scan");
  // The same names, another object; and then the first one once more, which is known and nevertheless shown again.
  Graph other = scan_graph();
  other.nodes["scan"].params["phantom"] = std::string("ellipses");
  for (const Graph& next : {other, scan_graph()}) {
    session.forget_pipeline();
    document.reset(next);
    QVERIFY(session.thumbnail("scan").isNull());
    QTRY_VERIFY_WITH_TIMEOUT(!session.thumbnail("scan").isNull(), patience_ms);
    const auto is_its_own = [&] { return (session.thumbnail("scan") == before) == (next == scan_graph()); };
    QTRY_VERIFY_WITH_TIMEOUT(is_its_own(), patience_ms);
    // None that was under way when the pipeline changed comes late: one within this time fails at once.
    QVERIFY(!QTest::qWaitFor([&] { return !is_its_own(); }, 100));
  }
}

void LiveSessionTest::outputs_that_exist_are_named() {
  const QTemporaryDir folder;
  const QString file = folder.filePath("volume.tif");
  QFile there(file);
  QVERIFY(there.open(QIODevice::WriteOnly));
  there.write("precious");
  there.close();
  Graph g = scan_graph();
  g.nodes["save"] = {"output.save_volume", 1, {{"file", file.toStdString()}}};
  g.links.push_back({"fbp", "volume", "save", "volume"});
  Document document;
  LiveSession session(document, options());
  document.reset(g);
  QSignalSpy ends(&session, &LiveSession::run_finished);
  session.run_all();
  QTRY_COMPARE_WITH_TIMEOUT(ends.count(), 1, patience_ms);
  const auto end = ends.at(0).at(0).value<live::RunEnd>();
  QVERIFY(end.error && end.existing.size() == 1);
  QCOMPARE(QString::fromStdString(end.existing.front().string()), file);
  // Another error of that kind is not a question about replacing.
  document.edit("Broken", [](Graph& b) { b.nodes["fbp"].params["cutoff"] = Number{7, Unit::nyquist}; });
  session.run_all();
  QTRY_COMPARE_WITH_TIMEOUT(ends.count(), 2, patience_ms);
  QVERIFY(ends.at(1).at(0).value<live::RunEnd>().existing.empty());
}

void LiveSessionTest::closed_while_it_computes() {
  // Closed after so many signals: at once, when the graph was checked, and while states, images and the run come.
  for (const int wanted : {0, 1, 2, 4, 6}) {
    Document document;
    Graph g = scan_graph();
    g.nodes["scan"].params["cols"] = int64_t{256};
    g.nodes["scan"].params["rows"] = int64_t{64};
    document.reset(g);
    LiveSession session(document, options());
    int signals_received = 0;
    const auto count = [&signals_received] { ++signals_received; };
    connect(&session, &LiveSession::infos_changed, &session, count);
    connect(&session, &LiveSession::status_changed, &session, count);
    connect(&session, &LiveSession::picture_ready, &session, count);
    connect(&session, &LiveSession::run_changed, &session, count);
    session.request("a", request_of("fbp", "volume", 1));
    session.run_to({"fbp"});
    QTRY_VERIFY_WITH_TIMEOUT(signals_received >= wanted, patience_ms);
  }
}

TL_TEST_CASE(LiveSessionTest)

}  // namespace tl::ui::live_session_test

#include "live_session.moc"
