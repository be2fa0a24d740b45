// The pixel classifier while strokes are painted, as a person does it: strokes, the node after them, more strokes. The
// views stay with the classes, over which the strokes lie.
#include "tests/support/gui/painting.h"
#include "tests/support/test_case.h"
#include "widgets/labels/class_table_model.h"
#include "widgets/views/labels/class_table_panel.h"

namespace tl::ui::views_live_classifier_test {

using test::Newcomer;
using test::Painting;

class ViewsLiveClassifierTest final : public QObject {
  Q_OBJECT
  QTemporaryDir home_;

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(home_.isValid());
    qputenv("HOME", home_.path().toLocal8Bit());
  }
  void strokes_lie_over_the_classes_that_follow_them();
};

void ViewsLiveClassifierTest::strokes_lie_over_the_classes_that_follow_them() {
  Painting s;
  QVERIFY(s.begin());
  try {
    s.take(s.slice(0), QStringLiteral("Brush on this slice"));
    s.set_size(5);
    const auto caption = [&s] {
      QString text;
      for (const CaptionPart& part : s.slice(0).state_caption()) text += part.text;
      return text;
    };
    QVERIFY2(caption().endsWith(QStringLiteral(" · painting class 1")), qPrintable(caption()));
    s.drag(s.slice(0), {-10, 0, 0}, {10, 0, 0});
    s.user->key(Qt::Key_2);
    QVERIFY2(caption().endsWith(QStringLiteral(" · painting class 2")), qPrintable(caption()));
    s.drag(s.slice(0), {-10, 20, 0}, {10, 20, 0});
    QCOMPARE(s.stroke(), int64_t{2});

    // Found by words and added after the strokes, whose node is selected, it takes the volume that they lie on, and is
    // shown.
    s.selection.set_one(QStringLiteral("painted"));
    s.user->key(Qt::Key_K, Qt::ControlModifier);
    s.user->type(QStringLiteral("pixel classifier"));
    s.user->key(Qt::Key_Return);
    Newcomer::wait_for(QStringLiteral("the classifier is in the pipeline"),
                       [&] { return s.document.graph().nodes.count("pixel_classifier") == 1; });
    const Link* volume = s.document.graph().link_into("pixel_classifier", "volume");
    const Link* strokes = s.document.graph().link_into("pixel_classifier", "strokes");
    QVERIFY(volume != nullptr && volume->from_node == "smooth" && volume->from_port == "volume");
    QVERIFY(strokes != nullptr && strokes->from_node == "painted");
    const QString classifier = QStringLiteral("pixel_classifier");
    QCOMPARE(s.selection.current(), classifier);
    const ViewState& state = s.views->state();
    QCOMPARE(state.labels().node, classifier);
    QCOMPARE(state.strokes().node, QStringLiteral("painted"));
    const Vec3 elsewhere{0, -20, 0};
    Newcomer::wait_for(QStringLiteral("the class of a voxel that nobody painted"),
                       [&] { return Painting::label_at(s.slice(0), elsewhere).startsWith(QStringLiteral("class ")); });
    test::keep_picture(s.window, QStringLiteral("live-classifier"));

    // Painting goes on over the classes: at once by the preview, and nothing else is shown or selected.
    const QString was = Painting::label_at(s.slice(0), elsewhere);
    const bool was_one = was == QStringLiteral("class 1");
    const QString now = was_one ? QStringLiteral("class 2") : QStringLiteral("class 1");
    SlicePane& xy = s.slice(0);
    s.user->point_at(xy, Painting::at(xy, elsewhere));
    QVERIFY(xy.paints());
    s.user->click(xy, Painting::at(xy, elsewhere), Qt::LeftButton, Qt::AltModifier);
    QCOMPARE(state.label_view().current, int64_t{was_one ? 1 : 2});
    s.user->key(was_one ? Qt::Key_2 : Qt::Key_1);
    s.drag(xy, elsewhere - Vec3{8, 0, 0}, elsewhere + Vec3{8, 0, 0});
    QCOMPARE(Painting::label_at(xy, elsewhere), now);
    QCOMPARE(s.stroke(), int64_t{3});
    QCOMPARE(s.selection.current(), classifier);
    QCOMPARE(state.labels().node, classifier);
    Painting::see(xy, elsewhere, now);
    s.user->key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(s.stroke(), int64_t{2});
    Painting::see(xy, elsewhere, was);  // as it was classified by two strokes
    QCOMPARE(s.selection.current(), classifier);

    // The classes have the names of the strokes, and are named here.
    auto* list = s.window.findChild<ClassTablePanel*>();
    QVERIFY(list->model().setData(list->model().index(0, ClassTableModel::name_column), QStringLiteral("foam"),
                                  Qt::EditRole));
    QCOMPARE(std::get<std::string>(s.document.graph().nodes.at("painted").params.at("classes")).substr(0, 6),
             std::string("1 foam"));
  } catch (const test::Stuck& stuck) {
    test::keep_picture(s.window, QStringLiteral("live-classifier-stuck"), 0);
    QFAIL(qPrintable(stuck.why));
  }
}

TL_TEST_CASE(ViewsLiveClassifierTest)

}  // namespace tl::ui::views_live_classifier_test

#include "live_classifier.moc"
