// Movies of the 3D view: frames and files are complete or absent, can be cancelled, and show what they should.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/studio.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/volume_movie.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui::volume_movie_test {

class VolumeMovieTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_turntable_goes_round();
  void the_slices_run_through_the_box();
  void frames_are_numbered_images();
  void a_cancelled_movie_leaves_nothing();
  void a_movie_that_is_dropped_leaves_nothing();
  void inputs_and_other_folders_are_not_replaced();
  void mp4_needs_ffmpeg();
  void action_and_button_ask_for_a_movie();
};

namespace {

using test::patience_ms;

struct MovieScene {
  MovieScene() : state(source) {
    source.set_grid(VolumeGrid::cubic(24, 24, 24, 0.1));
    source.value = [](Vec3 p) { return norm(p - Vec3{0.5, 0, 0}) < 0.6 ? 1.0F : 0.0F; };
    state.set_levels({"fbp", "volume"}, {0, 1}, LevelsMode::manual);
    pane = std::make_unique<VolumePane>(source, state, "3d");
    pane->resize(200, 160);
  }
  void show() {
    QVERIFY(test::open_window(*pane));
    QTRY_VERIFY_WITH_TIMEOUT(pane->is_settled(), patience_ms);
  }
  [[nodiscard]] std::unique_ptr<VolumeMovie> begin(MovieFormat format, int frames, const QString& path) const {
    MoviePlan plan;
    plan.shape = {format, pane->size(), frames, 25};
    auto parts = pane->movie_parts(plan.shape.size);
    if (!parts) return nullptr;
    return std::make_unique<VolumeMovie>(VolumeMovie::Source{parts->voxels, parts->scene, parts->overlay}, plan, path,
                                         pane->export_rules());
  }
  // Waits for the end; its result.
  static Result<void> end_of(VolumeMovie& movie) {
    Result<void> result = ok();
    bool is_over = false;
    QObject::connect(&movie, &VolumeMovie::ended, &movie, [&](const Result<void>& r) {
      result = r;
      is_over = true;
    });
    if (!QTest::qWaitFor([&] { return is_over; }, patience_ms)) return unavailable("the movie did not end");
    return result;
  }
  [[nodiscard]] Result<void> save(MovieFormat format, int frames, const QString& path) const {
    const auto movie = begin(format, frames, path);
    return movie == nullptr ? Result<void>(unavailable("there is no image yet")) : end_of(*movie);
  }
  test::FakePictures source;
  ViewState state;
  std::unique_ptr<VolumePane> pane;
};

const QDir::Filters everything = QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot;

}  // namespace

void VolumeMovieTest::a_turntable_goes_round() {
  VolumeScene first;
  MoviePlan plan;
  plan.shape = {MovieFormat::frames, {320, 240}, 36, 25};
  QCOMPARE(movie_scene(first, plan, 0).turn, first.turn);
  QVERIFY(std::abs(movie_scene(first, plan, 9).turn - first.turn - 0.5 * pi) < 1e-12);
  // The next one after the last is the first again.
  QVERIFY(std::abs(movie_scene(first, plan, 35).turn - first.turn - 2 * pi * 35 / 36) < 1e-12);
  QVERIFY(movie_scene(first, plan, 3).detail == VolumeDetail::still);
}

void VolumeMovieTest::the_slices_run_through_the_box() {
  VolumeScene first;
  first.clip = {0, 1, 0, 1, 0.2, 0.8};
  MoviePlan plan;
  plan.path = MoviePath::slices_z;
  plan.shape = {MovieFormat::frames, {320, 240}, 11, 25};
  double before = 1;
  for (int i = 0; i < 11; ++i) {
    const VolumeScene scene = movie_scene(first, plan, i);
    QVERIFY(scene.clip[5] < before && scene.clip[5] > scene.clip[4]);
    QCOMPARE(scene.slice_at[2], scene.clip[5]);
    before = scene.clip[5];
  }
  QCOMPARE(movie_scene(first, plan, 0).clip[5], 0.8);
  QVERIFY(before < 0.22);
  // With a camera below the volume it is opened from below.
  first.rise = -0.4;
  QCOMPARE(movie_scene(first, plan, 0).clip[4], 0.2);
  QVERIFY(movie_scene(first, plan, 10).clip[4] > 0.78);
}

void VolumeMovieTest::frames_are_numbered_images() {
  const QTemporaryDir folder;
  MovieScene s;
  s.show();
  const Result<void> saved = s.save(MovieFormat::frames, 10, folder.filePath("turn"));
  QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().message().c_str());
  const QStringList names = QDir(folder.filePath("turn")).entryList(everything, QDir::Name);
  QCOMPARE(names.size(), 10);
  QCOMPARE(names.first(), QString("turn_00000.png"));
  const QImage first(folder.filePath("turn/turn_00000.png")), half(folder.filePath("turn/turn_00005.png"));
  QCOMPARE(first.size(), QSize(200, 160));
  QVERIFY(first != half);  // the ball is off the axis
  QCOMPARE(QDir(folder.path()).entryList(everything), QStringList{"turn"});
}

void VolumeMovieTest::a_cancelled_movie_leaves_nothing() {
  for (const MovieFormat format : {MovieFormat::frames, MovieFormat::mp4}) {
    if (format == MovieFormat::mp4 && ffmpeg_program().isEmpty()) {
      qInfo("MP4 is left out: ffmpeg is not installed");
      continue;
    }
    const QTemporaryDir folder;
    MovieScene s;
    s.show();
    const auto movie = s.begin(format, 2500, folder.filePath("long"));
    QVERIFY(movie != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder.path()).entryList(everything).isEmpty(), patience_ms);
    movie->cancel();
    const Result<void> result = MovieScene::end_of(*movie);
    QVERIFY(!result.ok() && result.error().kind == ErrorKind::cancelled);
    QVERIFY(QDir(folder.path()).entryList(everything).isEmpty());
  }
}

void VolumeMovieTest::a_movie_that_is_dropped_leaves_nothing() {
  const QTemporaryDir folder;
  MovieScene s;
  s.show();
  auto movie = s.begin(MovieFormat::frames, 2500, folder.filePath("long"));
  QVERIFY(movie != nullptr);
  QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder.path()).entryList(everything).isEmpty(), patience_ms);
  movie.reset();
  QVERIFY(QDir(folder.path()).entryList(everything).isEmpty());
}

void VolumeMovieTest::inputs_and_other_folders_are_not_replaced() {
  const QTemporaryDir folder;
  QDir(folder.path()).mkdir("mine");
  QFile mine(folder.filePath("mine/mine_00000.png"));
  QVERIFY(mine.open(QIODevice::WriteOnly));
  mine.write("x");
  mine.close();
  MovieScene s;
  s.show();
  QVERIFY(!s.save(MovieFormat::frames, 5, folder.filePath("mine")).ok());
  QCOMPARE(QDir(folder.filePath("mine")).entryList(everything), QStringList{"mine_00000.png"});
  QVERIFY(!s.save(MovieFormat::frames, 5, folder.filePath("absent/turn")).ok());
}

void VolumeMovieTest::mp4_needs_ffmpeg() {
  const QTemporaryDir folder;
  MovieScene s;
  s.show();
  const Result<void> saved = s.save(MovieFormat::mp4, 10, folder.filePath("turn.mp4"));
  if (ffmpeg_program().isEmpty()) {
    QVERIFY(!saved.ok() && saved.error().kind == ErrorKind::unavailable);
    QVERIFY(QDir(folder.path()).entryList(everything).isEmpty());
    return;
  }
  QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().message().c_str());
  QFile file(folder.filePath("turn.mp4"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.read(12).contains("ftyp"));
}

void VolumeMovieTest::action_and_button_ask_for_a_movie() {
  MovieScene s;
  ViewsArea views(s.source);
  views.set_layout(ViewsLayout::see);
  views.resize(900, 700);
  QVERIFY(test::open_window(views));
  QList<ViewExport> wanted;
  QObject::connect(&views, &ViewsArea::export_wanted, &views, [&](ViewExport what) { wanted << what; });
  for (QAction* action : views.volume_actions())
    if (action->text().startsWith("Save a movie")) action->trigger();
  QCOMPARE(wanted, QList<ViewExport>{ViewExport::movie});
  VolumePane* volume = views.visible_volume();
  QVERIFY(volume != nullptr);
  Q_EMIT volume->movie_wanted();
  QTest::keyClick(volume, Qt::Key_S);
  QTest::keyClick(volume, Qt::Key_S, Qt::ShiftModifier);
  QCOMPARE(wanted,
           (QList<ViewExport>{ViewExport::movie, ViewExport::movie, ViewExport::annotated, ViewExport::pixels}));
}

TL_TEST_CASE(VolumeMovieTest)

}  // namespace tl::ui::volume_movie_test

#include "volume_movie.moc"
