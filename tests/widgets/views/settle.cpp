// What the window shows of the work in the background: views become sharp by themselves, the status line says what is
// computed, a first change is kept, *Before* keeps its promise, and nothing of a pipeline leaks into the next.
#include <QLabel>
#include <QSignalSpy>
#include <set>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/before_pane.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/volume_pane.h"
#include "widgets/window/files/autosave.h"

namespace tl::ui::views_settle_test {

using test::Studio;

class ViewsSettleTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    Theme::instance().set(QStringLiteral("dark"));
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  }
  void views_become_sharp_after_a_run();
  void the_first_change_is_kept();
  void before_shows_the_slice_without_the_newest_step();
  void before_of_labels_shows_labels();
  void before_shows_the_slice_before_learning();
  void a_new_pipeline_begins_empty();
  void what_needs_a_muted_node_reads_muted();
};

namespace {

using test::patience_ms;

Graph scan_of(const QString& file) {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {{"file", file.toStdString()}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["axis"] = {"geometry.set", 1, {{"axis", Number{0, Unit::px}}}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["save"] = {"output.save_volume", 1, {{"file", std::string("disc.tif")}}};
  g.links = {{"load", "projections", "flat", "projections"},
             {"flat", "projections", "axis", "projections"},
             {"axis", "projections", "fbp", "projections"},
             {"fbp", "volume", "save", "volume"}};
  return g;
}

// A studio that shows a scan of discs.
struct DiscStudio : Studio {
  [[nodiscard]] bool open_scan(const test::DiscScan& scan) {
    const QString file = folder.filePath(QStringLiteral("disc.nxs"));
    test::write_disc_scan(file.toStdString(), scan);
    if (!open()) return false;
    document.reset(scan_of(file));
    window.show_main_page();
    selection.set_one(QStringLiteral("fbp"));
    return true;
  }
  [[nodiscard]] ViewsArea& views() { return *window.findChild<ViewsArea*>(); }
  [[nodiscard]] ImagePane& pane(std::size_t cell) { return *views().cell(cell).image_pane(); }
  [[nodiscard]] QString activity() { return window.findChild<QLabel*>(QStringLiteral("activity"))->text(); }
  void set_axis(double px) {
    document.edit(QStringLiteral("Axis %1").arg(px), [px](Graph& g) {
      g.nodes["axis"].params["axis"] = Number{px, Unit::px};
    });
  }
};

}  // namespace

// Before: the 3D view asked for the whole volume, saw its node run for that very image, asked for a small box
// instead, which cancelled it, saw the node at rest, and so on for ever, ahead of the sharp images of the others.
void ViewsSettleTest::views_become_sharp_after_a_run() {
  DiscStudio studio;
  test::DiscScan scan;
  scan.views = 180, scan.rows = 96, scan.cols = 192;
  QVERIFY(studio.open_scan(scan));
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Done in"), patience_ms);
  QVERIFY(test::answer_file_dialog(studio.window, studio.folder.filePath("report.html"),
                                   [&] { QVERIFY(studio.press("Report…")); }));
  QTRY_VERIFY(QFile::exists(studio.folder.filePath("report.html")));
  QSignalSpy pictures(&studio.session, &LiveSession::picture_ready);
  QTest::keyClick(&studio.window, Qt::Key_2, Qt::ControlModifier);
  const auto sharp = [&] {
    for (std::size_t cell = 0; cell < 3; ++cell)
      if (!studio.pane(cell).is_current()) return false;
    return studio.activity() == QStringLiteral("idle");
  };
  QTRY_VERIFY_WITH_TIMEOUT(sharp(), patience_ms);
  for (const auto& [id, node] : studio.document.graph().nodes)
    QVERIFY2(studio.session.status(QString::fromStdString(id)).state == live::State::current, id.c_str());
  // The 3D view asked once: its images have one ticket.
  std::set<uint64_t> tickets;
  for (const auto& of : pictures)
    if (const auto p = of.at(1).value<live::Picture>(); p.slices > 1) tickets.insert(p.request.ticket);
  QCOMPARE(tickets.size(), std::size_t{1});
  test::keep_picture(studio.window, QStringLiteral("settled"));
  studio.document.undo_stack().setClean();
}

void ViewsSettleTest::the_first_change_is_kept() {
  DiscStudio studio;
  QVERIFY(studio.open_scan({}));
  auto* autosave = studio.window.findChild<Autosave*>();
  autosave->discard();
  studio.set_axis(2);
  QTRY_VERIFY_WITH_TIMEOUT(autosave->has_copy(), patience_ms);
  studio.document.undo_stack().undo();
  QVERIFY(!autosave->has_copy());
}

void ViewsSettleTest::before_shows_the_slice_without_the_newest_step() {
  DiscStudio studio;
  QVERIFY(studio.open_scan({}));
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  const auto before = [&]() -> const std::optional<live::Picture>& { return studio.pane(3).picture(); };
  const auto pixels = [](const std::optional<live::Picture>& p) { return p ? p->image->pixels : std::vector<float>(); };
  const auto settled = [&] { return studio.pane(0).is_current(); };
  QVERIFY(qobject_cast<BeforePane*>(&studio.pane(3)) != nullptr);
  QTRY_VERIFY_WITH_TIMEOUT(settled(), patience_ms);
  QVERIFY(!before());
  const auto at_0 = pixels(studio.pane(0).picture());
  studio.set_axis(3);
  QVERIFY(pixels(before()) == at_0);
  QTRY_VERIFY_WITH_TIMEOUT(settled() && pixels(studio.pane(0).picture()) != at_0, patience_ms);
  const auto at_3 = pixels(studio.pane(0).picture());
  // A node that is inserted has another output; the slice before it stays.
  studio.document.edit("Insert", [](Graph& g) {
    g.nodes["smooth"] = {"filter.gaussian", 1, {}};
    g.links.push_back({"fbp", "volume", "smooth", "volume"});
  });
  studio.selection.set_one("smooth");
  QVERIFY(pixels(before()) == at_3);
  test::keep_picture(studio.window, QStringLiteral("before-insert"));
  studio.document.undo_stack().undo();
  studio.selection.set_one("fbp");
  QVERIFY(pixels(before()) == at_0);
  // After the first step is undone, too, there is no step to leave out.
  studio.document.undo_stack().undo();
  QVERIFY(!before());
  studio.document.undo_stack().redo();
  QVERIFY(pixels(before()) == at_0);
  // Another workspace, and back.
  QTest::keyClick(&studio.window, Qt::Key_2, Qt::ControlModifier);
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  QVERIFY(pixels(before()) == at_0);
  studio.document.undo_stack().setClean();
}

// A step that changes labels alone: the labels before it lie over the slice, which is the same.
void ViewsSettleTest::before_of_labels_shows_labels() {
  DiscStudio studio;
  QVERIFY(studio.open_scan({}));
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  studio.document.edit("Add", [](Graph& g) {
    g.nodes["threshold"] = {"segment.threshold", 1, {}};
    g.links.push_back({"fbp", "volume", "threshold", "volume"});
  });
  studio.selection.set_one("threshold");
  const auto labelled = [&](std::size_t cell) {
    constexpr int points = 24;
    const ImagePane& pane = studio.pane(cell);
    int count = 0;
    for (int y = 1; y < points; ++y)
      for (int x = 1; x < points; ++x)
        if (pane.value_text(QPointF(pane.width() * x / points, pane.height() * y / points)).contains("label")) ++count;
    return count;
  };
  // What was never shown sharp is not kept.
  bool labels_are_sharp = false;
  const auto* slice = qobject_cast<SlicePane*>(&studio.pane(0));
  QVERIFY(slice != nullptr);
  const auto listening = connect(&studio.session, &LiveSession::picture_ready, this,
                                 [&](const QString& view, const live::Picture& picture) {
                                   if (view == slice->labels_view() && picture.final) labels_are_sharp = true;
                                 });
  QTRY_VERIFY_WITH_TIMEOUT(labelled(0) > 0 && labels_are_sharp && studio.pane(0).is_current(), patience_ms);
  disconnect(listening);
  studio.document.edit("Nothing", [](Graph& g) {
    g.nodes["threshold"].params["method"] = std::string("manual");
    g.nodes["threshold"].params["value"] = Number{1e6, Unit::none};
  });
  QTRY_VERIFY_WITH_TIMEOUT(labelled(0) == 0, patience_ms);
  QTRY_VERIFY_WITH_TIMEOUT(labelled(3) > 0, patience_ms);
  test::keep_picture(studio.window, QStringLiteral("before-labels"));
  studio.document.undo_stack().setClean();
}

void ViewsSettleTest::before_shows_the_slice_before_learning() {
  test::FakePictures source;
  ViewsArea views(source);
  QVERIFY(test::open_window(views));
  const ImagePane& live = *views.cell(0).image_pane();
  const ImagePane& before = *views.cell(3).image_pane();
  QVERIFY(live.picture() && !before.picture());
  live::Picture learned = *live.picture();
  learned.image = std::make_shared<const live::Image>(*learned.image);
  learned.values = live::PictureValues::learned;
  const auto as_set = live.picture()->image;
  Q_EMIT source.picture_ready(live.view(), learned);
  QVERIFY(live.picture()->image == learned.image);
  QVERIFY(before.picture() && before.picture()->image == as_set);
  // Rejected: the pipeline as it is, and no step to leave out.
  learned.values = live::PictureValues::as_set;
  Q_EMIT source.picture_ready(live.view(), learned);
  QVERIFY(!before.picture());
}

void ViewsSettleTest::a_new_pipeline_begins_empty() {
  DiscStudio studio;
  test::DiscScan scan;
  scan.rows = 16;
  QVERIFY(studio.open_scan(scan));
  QTest::keyClick(&studio.window, Qt::Key_2, Qt::ControlModifier);
  auto* volume = qobject_cast<VolumePane*>(studio.views().cell(3).pane());
  QVERIFY(volume != nullptr);
  QTRY_VERIFY_WITH_TIMEOUT(!volume->image().isNull() && studio.session.status("fbp").seconds >= 0, patience_ms);
  studio.window.messages().add(LogLevel::error, {}, "of the former pipeline");
  QCOMPARE(studio.window.messages().count(LogLevel::error), 1);
  // A pipeline whose nodes have the same names.
  studio.window.files().open_template("example");
  QVERIFY(volume->image().isNull());
  QVERIFY(studio.session.status("fbp").seconds < 0);
  QVERIFY(studio.session.info("fbp", "volume") == nullptr);
  QCOMPARE(studio.window.messages().count(LogLevel::error), 0);
  // What was under way is answered for the new one.
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.info("fbp", "volume") != nullptr && studio.pane(0).is_current(), patience_ms);
  studio.window.files().start_new();
  QVERIFY(studio.window.messages().last() == nullptr);
  QTRY_COMPARE_WITH_TIMEOUT(studio.activity(), QStringLiteral("idle"), patience_ms);
}

void ViewsSettleTest::what_needs_a_muted_node_reads_muted() {
  DiscStudio studio;
  QVERIFY(studio.open_scan({}));
  studio.document.edit("Mute", [](Graph& g) { g.nodes["flat"].use = NodeUse::muted; });
  const auto word = [&](const QString& id) { return studio.window.canvas().scene().node(id)->card().state_text; };
  QTRY_COMPARE_WITH_TIMEOUT(word("fbp"), QStringLiteral("muted"), patience_ms);
  QCOMPARE(word("flat"), QStringLiteral("muted"));
  test::keep_picture(studio.window, QStringLiteral("muted"));
  studio.document.undo_stack().setClean();
}

TL_TEST_CASE(ViewsSettleTest)

}  // namespace tl::ui::views_settle_test

#include "settle.moc"
