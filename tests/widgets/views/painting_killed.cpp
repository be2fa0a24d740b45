// Kill -9 while somebody paints: the next start offers the pipeline with its strokes. The one that is killed is a
// process of its own: this program, which paints as long as a variable of the environment says where.
#include <QProcess>
#include <algorithm>
#include <cstdio>

#include "tests/support/gui/painting.h"
#include "tests/support/test_case.h"
#include "widgets/window/files/autosave.h"

namespace tl::ui::views_painting_killed_test {

namespace {

using test::Painting;
using test::Studio;

constexpr const char* killed_variable = "TL_PAINTER_TO_BE_KILLED";

// In the process that will be killed: strokes without a pause, until the end comes.
[[noreturn]] void paint_until_killed() {
  Painting s;
  if (s.begin()) {
    try {
      s.take(s.slice(0), QStringLiteral("Brush on this slice"));
      s.set_size(5);
      for (int n = 0; n < 100000; ++n) {
        const double y = -40 + n % 80;
        s.drag(s.slice(0), {-30, y, 0}, {static_cast<double>(-10 + n / 80 % 40), y, 0});
        std::printf("%lld\n", static_cast<long long>(s.stroke()));
        std::fflush(stdout);
        QTest::qWait(20);
      }
    } catch (const test::Stuck& stuck) {
      std::printf("stuck: %s\n", qPrintable(stuck.why));
    }
  }
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace

class ViewsPaintingKilledTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (!qEnvironmentVariableIsSet(killed_variable)) return;
    qputenv("HOME", qgetenv(killed_variable));
    paint_until_killed();
  }

  // Kill -9 while somebody paints without a pause: the next start offers all but what was painted in the last 2 s.
  void a_kill_loses_two_seconds_at_most() {
    const QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QString::fromLatin1(killed_variable), home.path());
    QProcess other;
    other.setProcessEnvironment(environment);
    other.setProcessChannelMode(QProcess::MergedChannels);
    other.start(QCoreApplication::applicationFilePath(), {QStringLiteral("painting_killed")});
    QVERIFY(other.waitForStarted());
    struct Done {
      qint64 at_ms;
      int64_t stroke;
    };
    std::vector<Done> done;
    QElapsedTimer clock;
    clock.start();
    std::optional<qint64> first;
    QVERIFY(QTest::qWaitFor(
        [&] {
          other.waitForReadyRead(20);
          while (other.canReadLine()) {
            const QByteArray line = other.readLine().trimmed();
            bool is_number = false;
            const auto stroke = static_cast<int64_t>(line.toLongLong(&is_number));
            if (is_number) done.push_back({clock.elapsed(), stroke});
            if (line.startsWith("stuck")) return true;
          }
          if (!done.empty() && !first) first = clock.elapsed();
          return first && clock.elapsed() > *first + 5000 && done.size() > 10;
        },
        test::patience_ms));
    other.kill();
    QVERIFY(other.waitForFinished());
    const qint64 killed = clock.elapsed();
    // Painted more than two seconds before, as far as this process knows. On a busy machine saving takes longer, as
    // strokes do.
    qint64 slowest = 0;
    for (std::size_t i = 1; i < done.size(); ++i) slowest = std::max(slowest, done[i].at_ms - done[i - 1].at_ms);
    int64_t least = 0;
    for (const Done& d : done)
      if (d.at_ms < killed - 2500 - 2 * slowest) least = d.stroke;
    QVERIFY2(least > 5, qPrintable(QStringLiteral("%1 strokes").arg(done.size())));
    qputenv("HOME", home.path().toLocal8Bit());
    Studio next;
    const auto copies = next.window.findChild<Autosave*>()->records().left_copies();
    QVERIFY2(copies.size() == 1, "the next start offers the unsaved pipeline");
    next.window.files().recover(copies.front());
    const Graph& graph = next.document.graph();
    QVERIFY(graph.nodes.count("painted") == 1);
    const auto stroke = std::get<int64_t>(graph.nodes.at("painted").params.at("stroke"));
    QVERIFY2(stroke >= least, qPrintable(QStringLiteral("%1 of %2").arg(stroke).arg(least)));
    const auto labels =
        strokes::PaintedLabels::open(std::get<std::string>(graph.nodes.at("painted").params.at("file"))).or_throw();
    QVERIFY(!labels->at(stroke).or_throw()->bricks().empty());
  }
};

TL_TEST_CASE(ViewsPaintingKilledTest)

}  // namespace tl::ui::views_painting_killed_test

#include "painting_killed.moc"
