// Painting as a person does it, with the mouse in a real window: every tool,
// what other planes show of it, undo and redo, locked labels, and the file of
// strokes next to the pipeline.
#include "tests/support/gui/painting.h"

#include "core/graph/graph_json.h"
#include "tests/support/test_case.h"
#include "widgets/views/compare_area.h"
#include "widgets/views/panes/compare_pane.h"

namespace tl::ui::views_painting_test {

namespace {

using test::Newcomer;
using test::Painting;

// The words of what went wrong fail the test.
template <class Task>
void with_words(Painting& s, const char* name, const Task& task) {
  try {
    task();
  } catch (const test::Stuck& stuck) {
    test::keep_picture(s.window, QStringLiteral("painting-%1-stuck").arg(QLatin1String(name)), 0);
    QFAIL(qPrintable(stuck.why));
  }
  test::keep_picture(s.window, QStringLiteral("painting-%1").arg(QLatin1String(name)));
}

const QString one = QStringLiteral("class 1"), two = QStringLiteral("class 2"), nothing;

}  // namespace

class ViewsPaintingTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QVERIFY(home_.isValid());
    qputenv("HOME", home_.path().toLocal8Bit());
  }

  // The first stroke makes the node; it is shown across the slice too; one
  // stroke is one step.
  void a_stroke_is_shown_on_every_plane_and_taken_back() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "brush", [&] {
      SlicePane &xy = s.slice(0), &xz = s.slice(1);
      s.take(xy, QStringLiteral("Brush on this slice"));
      s.set_size(9);
      const int steps = s.document.undo_stack().count();
      s.drag(xy, {-20, 0, 0}, {20, 0, 0});
      QCOMPARE(s.document.undo_stack().count(), steps + 1);
      QCOMPARE(s.document.undo_stack().undoText(), QStringLiteral("Paint class 1"));
      QCOMPARE(s.stroke(), int64_t{1});
      QCOMPARE(Painting::label_at(xy, {0, 2, 0}),
               one);  // at once, by the preview
      Painting::see(xz, {10, 0, 0.5}, one);
      Painting::see(xy, {-15, 3, 0}, one);
      QVERIFY(Painting::label_at(xy, {0, 8, 0}) == nothing && Painting::label_at(xz, {10, 0, 4}) == nothing);
      s.drag(xz, {0, 0, 10}, {10, 0, 20});
      Painting::see(xz, {5, 0, 15}, one);
      s.user->key(Qt::Key_Z, Qt::ControlModifier);
      Painting::see(xz, {5, 0, 15}, nothing);
      Painting::see(xz, {10, 0, 0.5}, one);
      s.user->key(Qt::Key_Z, Qt::ControlModifier);
      QCOMPARE(s.document.graph().nodes.size(), std::size_t{2});  // the node came with the first stroke
      Painting::see(xy, {0, 0, 0}, nothing);
      s.user->key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
      s.user->key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
      Painting::see(xz, {5, 0, 15}, one);
      QCOMPARE(s.stroke(), int64_t{2});
    });
  }

  void the_eraser_and_locked_labels() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "eraser", [&] {
      SlicePane& xy = s.slice(0);
      s.take(xy, QStringLiteral("Brush on this slice"));
      s.set_size(11);
      s.drag(xy, {-20, 10, 0}, {20, 10, 0});
      s.user->key(Qt::Key_2);
      QCOMPARE(s.views->state().label_view().current, int64_t{2});
      s.drag(xy, {0, -20, 0}, {0, 0, 0});
      LabelView view = s.views->state().label_view();
      view.locked = {1};
      s.views->state().set_label_view(view);
      s.drag(xy, {10, -20, 0}, {10, 25, 0});  // over the locked one
      Painting::see(xy, {10, 10, 0}, one);
      Painting::see(xy, {10, 20, 0}, two);
      const int64_t ones = s.voxels_of(1);
      s.take(xy, QStringLiteral("Eraser"));
      s.drag(xy, {10, 30, 0}, {10, -25, 0});
      Painting::see(xy, {10, 20, 0}, nothing);
      Painting::see(xy, {10, 10, 0}, one);
      QCOMPARE(s.voxels_of(1), ones);
      Painting::see(xy, {0, -10, 0}, two);
      // Alt+click picks the label under the cursor.
      s.user->click(xy, Painting::at(xy, {-10, 10, 0}), Qt::LeftButton, Qt::AltModifier);
      QCOMPARE(s.views->state().label_view().current, int64_t{1});
    });
  }

  void lasso_and_fill() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "lasso", [&] {
      SlicePane& xy = s.slice(0);
      s.take(xy, QStringLiteral("Lasso: paint the enclosed area"));
      const QPoint corners[] = {Painting::at(xy, {-25, -20, 0}), Painting::at(xy, {25, -20, 0}),
                                Painting::at(xy, {25, 20, 0}), Painting::at(xy, {-25, 20, 0})};
      QTest::mousePress(&xy, Qt::LeftButton, {}, corners[0]);
      for (const QPoint& corner : corners) QTest::mouseMove(&xy, corner);
      QTest::mouseRelease(&xy, Qt::LeftButton, {}, corners[3]);
      Painting::see(xy, {20, 15, 0}, one);
      Painting::see(xy, {0, 0, 0}, one);
      QVERIFY(Painting::label_at(xy, {28, 0, 0}) == nothing);
      QVERIFY(std::abs(s.voxels_of(1) - 50 * 40) < 150);
      s.take(xy, QStringLiteral("Fill the connected region of one label on this slice"));
      s.user->key(Qt::Key_2);
      const int64_t inside = s.voxels_of(1);
      s.user->click(xy, Painting::at(xy, {3, 3, 0}));
      Painting::see(xy, {-20, -15, 0}, two);
      QCOMPARE(s.voxels_of(2), inside);
      QCOMPARE(s.document.undo_stack().undoText(), QStringLiteral("Fill with class 2"));
    });
  }

  void interpolation_between_painted_slices() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "interpolate", [&] {
      SlicePane &xy = s.slice(0), &xz = s.slice(1);
      s.take(xy, QStringLiteral("Brush on this slice"));
      s.set_size(15);
      xy.step(-8);
      s.user->click(xy, Painting::at(xy, {-5, 0, 0}));
      xy.step(16);
      s.user->click(xy, Painting::at(xy, {5, 0, 0}));
      QCOMPARE(s.stroke(), int64_t{2});
      Painting::see(xz, {0, 0, 0.5}, nothing);
      s.user->press_in(xy, QStringLiteral("Interpolate the label between painted slices"));
      Painting::see(xz, {0, 0, 0.5}, one);
      Painting::see(xz, {3, 0, 5.5}, one);
      QCOMPARE(s.stroke(), int64_t{3});
      QCOMPARE(s.document.undo_stack().undoText(), QStringLiteral("Interpolate class 1"));
      s.user->press_in(xy, QStringLiteral("Interpolate the label between painted slices"));
      Newcomer::wait_for(QStringLiteral("that there is nothing left"),
                         [&] { return s.has_message(QStringLiteral("Nothing to interpolate")); });
    });
  }

  void the_ball_and_oblique_planes() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "oblique", [&] {
      SlicePane &xy = s.slice(0), &xz = s.slice(1);
      s.take(xy, QStringLiteral("Ball through neighbouring slices"));
      s.set_size(21);
      s.user->click(xy, Painting::at(xy, {-20, 0, 0}));
      Painting::see(xz, {-20, 0, 8}, one);
      QVERIFY(Painting::label_at(xz, {-20, 0, 13}) == nothing);
      s.views->cell(2).set_kind(PaneKind::oblique);
      SlicePane& oblique = s.slice(2);
      Newcomer::wait_for(QStringLiteral("the oblique slice"), [&] { return oblique.is_current(); });
      s.take(oblique, QStringLiteral("Brush on this slice"));
      s.user->key(Qt::Key_2);
      s.drag(oblique, {10, 10, 5}, {20, 20, 5});
      Painting::see(oblique, {15, 15, 5}, two);
      QVERIFY(s.voxels_of(2) > 300);
      xz.setFocus();
      s.user->key(Qt::Key_Escape);
      QVERIFY(!xy.paints());
    });
  }

  // Foam and pores differ: a stroke over both stays in one.
  void a_threshold_keeps_strokes_to_similar_values() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "threshold", [&] {
      SlicePane& xy = s.slice(0);
      s.take(xy, QStringLiteral("Brush on this slice"));
      s.set_size(60);
      s.user->click(xy, Painting::at(xy, {0, 0, 0}));
      const int64_t all = s.voxels_of(1);
      s.user->key(Qt::Key_Z, Qt::ControlModifier);
      s.user->press_in(xy, QStringLiteral("Brush and ball only on grey values near "
                                          "the one under the first click; { "
                                          "and } change how near"));
      QVERIFY(s.painter().settings().thresholded);
      s.user->click(xy, Painting::at(xy, {0, 0, 0}));
      const int64_t some = s.voxels_of(1);
      QVERIFY2(some > 0 && some < 9 * all / 10, qPrintable(QStringLiteral("%1 of %2").arg(some).arg(all)));
      s.user->key(Qt::Key_Z, Qt::ControlModifier);
      const int64_t before = s.stroke();
      s.take(xy, QStringLiteral("Ball through neighbouring slices"));
      s.set_size(24);
      s.user->click(xy, Painting::at(xy, {0, 0, 0}));
      Newcomer::wait_for(QStringLiteral("the ball is painted"), [&] { return s.stroke() > before; });
      constexpr double full = 4.0 / 3 * 3.1416 * 12 * 12 * 12;
      QVERIFY(s.voxels_of(1) > 0 && static_cast<double>(s.voxels_of(1)) < 0.95 * full);
    });
  }

  // Undo while the button is down: the stroke goes over what is there then, and none is lost.
  void what_changes_during_a_stroke_counts() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "during", [&] {
      SlicePane& xy = s.slice(0);
      s.take(xy, QStringLiteral("Brush on this slice"));
      s.drag(xy, {-20, 10, 0}, {20, 10, 0});
      s.drag(xy, {-20, -10, 0}, {20, -10, 0});
      QTest::mousePress(&xy, Qt::LeftButton, {}, Painting::at(xy, {0, 25, 0}));
      s.document.undo_stack().undo();
      QTest::mouseRelease(&xy, Qt::LeftButton, {}, Painting::at(xy, {0, 25, 0}));
      QCOMPARE(s.stroke(), int64_t{3});
      Painting::see(xy, {0, 25, 0}, one);
      Painting::see(xy, {0, 10, 0}, one);
      Painting::see(xy, {0, -10, 0}, nothing);
      const auto labels = strokes::PaintedLabels::open(s.strokes_file()).or_throw();
      QCOMPARE(labels->file().parent(3).or_throw(), int64_t{1});
    });
  }

  void the_wheel_and_keys_change_the_size() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "size", [&] {
      SlicePane& xy = s.slice(0);
      s.take(xy, QStringLiteral("Eraser"));
      s.set_size(10);
      s.user->key(Qt::Key_BracketRight);
      QCOMPARE(s.painter().settings().size, 11);
      s.user->key(Qt::Key_BracketLeft);
      s.user->key(Qt::Key_BracketLeft);
      QCOMPARE(s.painter().settings().size, 9);
      const double scale = xy.scale().width();
      const QPointF middle(xy.rect().center());
      QWheelEvent turn(middle, xy.mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                       Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(&xy, &turn);
      QCOMPARE(s.painter().settings().size, 10);
      QCOMPARE(xy.scale().width(), scale);
      // The wheel alone steps through slices as ever.
      const QString before = xy.position_text();
      QWheelEvent step(middle, xy.mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                       false);
      QCoreApplication::sendEvent(&xy, &step);
      QVERIFY(xy.position_text() != before);
      // W puts the tool away and takes it up again; a measuring tool takes its
      // place.
      s.user->key(Qt::Key_W);
      QVERIFY(!xy.paints());
      s.user->key(Qt::Key_W);
      QVERIFY(s.painter().settings().tool == PaintTool::eraser);
      s.user->key(Qt::Key_D);
      QVERIFY(!xy.paints() && xy.tool() == MeasureKind::distance);
    });
  }

  void compared_slices_are_painted_too() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "compare", [&] {
      s.window.workspaces().show(Workspace::compare);
      ComparePane& left = s.views->compare_area()->left();
      Newcomer::wait_for(QStringLiteral("the compared slice"), [&] { return left.is_current(); });
      s.take(left, QStringLiteral("Brush on this slice"));
      s.drag(left, {-10, 0, 0}, {10, 0, 0});
      Painting::see(left, {0, 0, 0}, one);
      QCOMPARE(s.stroke(), int64_t{1});
    });
  }

  // Strokes go next to the pipeline when it is saved, and come along under
  // another name.
  void strokes_are_stored_next_to_the_pipeline() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "saved", [&] {
      SlicePane& xy = s.slice(0);
      s.take(xy, QStringLiteral("Brush on this slice"));
      s.drag(xy, {-10, 0, 0}, {10, 0, 0});
      s.drag(xy, {-10, 9, 0}, {10, 9, 0});
      const std::string unsaved = s.strokes_file();
      const QString first = s.folder.filePath(QStringLiteral("tooth.json"));
      QVERIFY(test::answer_file_dialog(s.window, first, [&] { QVERIFY(s.window.files().save_as()); }));
      QCOMPARE(s.strokes_file(), s.folder.filePath(QStringLiteral("tooth.strokes")).toStdString());
      QVERIFY(QFileInfo::exists(QString::fromStdString(unsaved)));
      QVERIFY(!s.document.is_modified());
      QFile text(first);
      QVERIFY(text.open(QIODevice::ReadOnly));
      QVERIFY(text.readAll().contains("\"file\": \"tooth.strokes\""));
      // Undo goes on as before, in the new file.
      s.document.undo_stack().undo();
      QCOMPARE(s.stroke(), int64_t{1});
      QCOMPARE(s.strokes_file(), s.folder.filePath(QStringLiteral("tooth.strokes")).toStdString());
      Painting::see(xy, {0, 9, 0}, nothing);
      s.drag(xy, {-10, -9, 0}, {10, -9, 0});
      QCOMPARE(s.stroke(), int64_t{3});
      const QString second = s.folder.filePath(QStringLiteral("copy.json"));
      QVERIFY(test::answer_file_dialog(s.window, second, [&] { QVERIFY(s.window.files().save_as()); }));
      QCOMPARE(s.strokes_file(), s.folder.filePath(QStringLiteral("copy.strokes")).toStdString());
      // The first pipeline has the labels that it was saved with.
      const Graph saved = load_pipeline(first.toStdString(), Registry::all()).or_throw();
      QCOMPARE(std::get<int64_t>(saved.nodes.at("painted").params.at("stroke")), int64_t{2});
    });
  }

  // Labels that another node makes lie over the slice: the painted ones take
  // their place. A number without a class is reported, once.
  void painted_labels_are_shown_whatever_was() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "instead", [&] {
      SlicePane& xy = s.slice(0);
      s.selection.set_one(QStringLiteral("phantom"));
      Painting::see(xy, {0, 0, 0}, QStringLiteral("pore"));
      s.take(xy, QStringLiteral("Brush on this slice"));
      s.user->key(Qt::Key_7);
      s.user->click(xy, Painting::at(xy, {0, 0, 0}));
      Painting::see(xy, {0, 0, 0}, QStringLiteral("label 7"));
      QCOMPARE(s.selection.current(), QStringLiteral("painted"));
      QVERIFY(s.has_message(QStringLiteral("label 7 is not among the classes of painted")));
    });
  }

  void a_missing_file_is_named_and_nothing_is_lost() {
    Painting s;
    QVERIFY(s.begin());
    with_words(s, "missing", [&] {
      SlicePane& xy = s.slice(0);
      s.document.edit(QStringLiteral("Labels of a colleague"), [](Graph& g) {
        g.nodes["painted"] = {"segment.painted", 1, {{"file", std::string("gone.strokes")}, {"stroke", int64_t{4}}}};
        g.links.push_back({"smooth", "volume", "painted", "volume"});
      });
      s.take(xy, QStringLiteral("Brush on this slice"));
      const int steps = s.document.undo_stack().count();
      s.drag(xy, {-10, 0, 0}, {10, 0, 0});
      QVERIFY(s.has_message(QStringLiteral("gone.strokes")));
      QCOMPARE(s.document.undo_stack().count(), steps);
      QVERIFY(Painting::label_at(xy, {0, 0, 0}) == nothing);
    });
  }

 private:
  QTemporaryDir home_;
};

TL_TEST_CASE(ViewsPaintingTest)

}  // namespace tl::ui::views_painting_test

#include "painting.moc"
