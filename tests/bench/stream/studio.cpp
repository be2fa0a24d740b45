// The studio in use while frames come: how long images take, how long the window stalls, how its memory grows.
#include <unistd.h>
#include <QStandardPaths>
#include <clocale>
#include <fstream>
#include <map>
#include <thread>

#include "core/stream/sender.h"
#include "core/stream/wires/wires.h"
#include "tests/bench/bench.h"
#include "tests/bench/stream/stream_cases.h"
#include "tests/support/gui/studio.h"
#include "tests/support/gui/watched_application.h"
#include "widgets/session/stream_session.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/image_pane.h"
#include "widgets/views/views_area.h"

namespace tl::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Sends frames at a rate, for so long, on a thread of its own.
class Detector {
 public:
  Detector(const SentScan& scan, const StudioUse& use, const std::string& address)
      : thread_([this, scan, use, address] { send(scan, use, address); }) {}
  ~Detector() { thread_.join(); }
  Detector(const Detector&) = delete;
  Detector& operator=(const Detector&) = delete;
  [[nodiscard]] int64_t sent() const { return sent_; }
  [[nodiscard]] bool is_done() const { return done_; }

 private:
  void send(const SentScan& scan, const StudioUse& use, const std::string& address) {
    const stream::Wire& wire = *stream::wire_of_name("array").or_throw();
    const auto sender =
        stream::Sender::open(address, stream::SenderSocket::push, stream::SocketEnd::connects).or_throw();
    const Clock::time_point begin = Clock::now();
    const auto frames = static_cast<int64_t>(use.rate * use.seconds);
    for (; sent_ < frames; ++sent_) {
      std::this_thread::sleep_until(begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                                static_cast<double>(sent_.load()) / use.rate)));
      if (!sender->send(wire.encode(scan.frame(sent_)), {}).ok()) stop("sending failed");
    }
    done_ = true;
  }

  std::atomic<int64_t> sent_{0};
  std::atomic<bool> done_{false};
  std::thread thread_;  // last: it uses the others
};

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  int64_t pages = 0, resident = 0;
  file >> pages >> resident;
  return 1e-6 * static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double middle_between(const std::vector<double>& values, double begin, double end) {
  const auto at = [&](double share) {
    return values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
  };
  std::vector<double> part(at(begin), at(end));
  if (part.empty()) return 0;
  std::sort(part.begin(), part.end());
  return part[part.size() / 2];
}

// The first image of each window in each view: from the arrival of the window's last frame until it is painted [s].
class ImageAges {
 public:
  explicit ImageAges(ui::LiveSession& session) {
    QObject::connect(&session, &ui::LiveSession::picture_ready, &session,
                     [this](const QString& view, const live::Picture& picture) {
                       if (picture.window.index < 0 || !picture.image || last_[view] == picture.window.index + 1)
                         return;
                       last_[view] = picture.window.index + 1;
                       // After the events that are queued now, among them those that paint.
                       QTimer::singleShot(0, qApp, [this, newest = picture.window.newest] {
                         const double now =
                             std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
                         ages_.push_back(now - newest);
                       });
                     });
  }
  [[nodiscard]] std::size_t count() const { return ages_.size(); }
  [[nodiscard]] double at(double share) {
    if (ages_.empty()) stop("no image of a window came");
    std::sort(ages_.begin(), ages_.end());
    return ages_[static_cast<std::size_t>(share * static_cast<double>(ages_.size() - 1))];
  }
  void forget() { ages_.clear(); }

 private:
  std::map<QString, int64_t> last_;
  std::vector<double> ages_;
};

// What a person does meanwhile: rotates the oblique plane, steps through slices, changes a parameter.
void use_the_window(test::Studio& studio, ui::ViewsArea& views, int64_t step) {
  constexpr int64_t between_parameters = 20;
  QTest::keyClick(views.cell(2).pane(), Qt::Key_Right, Qt::AltModifier);
  QTest::keyClick(views.cell(0).pane(), step % 2 == 0 ? Qt::Key_Up : Qt::Key_Down);
  if (step % between_parameters == 0)
    studio.document.edit("cutoff", [&](Graph& g) {
      const bool is_lower = step / between_parameters % 2 == 0;
      g.nodes["fbp"].params["cutoff"] = Number{is_lower ? 0.8 : 1.0, Unit::nyquist};
    });
}

}  // namespace

void time_studio(const SentScan& scan, const StudioUse& use, StreamTable& table) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "xcb");
  int argc = 1;
  std::string name = "bench_stream";
  char* argv[] = {name.data(), nullptr};
  test::WatchedApplication app(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  std::setlocale(LC_ALL, "C");
  ui::Theme::instance().set(QStringLiteral("dark"));
  test::Studio studio;
  studio.window.resize(1440, 900);
  if (!studio.open()) stop("there is no window");
  studio.document.reset(SentScan::pipeline());
  studio.window.show_main_page();
  studio.window.workspaces().show(ui::Workspace::see);
  auto& views = *studio.window.findChild<ui::ViewsArea*>();
  constexpr ui::PaneKind kinds[] = {ui::PaneKind::xz, ui::PaneKind::yz, ui::PaneKind::oblique, ui::PaneKind::volume};
  for (std::size_t i = 0; i < std::size(kinds); ++i) views.cell(i).set_kind(kinds[i]);
  QTest::keyClick(&studio.window, Qt::Key_F10);  // the dock of the stream
  ui::StreamSession& stream = studio.window.stream();
  stream.set_windows({scan.views, scan.hop});
  const std::string address = "ipc://" + studio.folder.filePath("frames").toStdString();
  stream.open({QString::fromStdString(address), stream::ReceiverSocket::pull, stream::SocketEnd::binds});
  if (!stream.is_open()) stop(stream.failure().toStdString());
  ImageAges ages(studio.session);
  std::vector<double> memory;  // one per step after it has settled
  int64_t sent = 0;
  {
    constexpr int step_ms = 100;
    constexpr std::size_t images_at_start = 40;
    const Detector detector(scan, use, address);
    const Clock::time_point begin = Clock::now();
    bool started = false;
    for (int64_t step = 0; !detector.is_done(); ++step) {
      QTest::qWait(step_ms);
      // What happens once, when the first windows come, is not of interest.
      if (!started && ages.count() >= images_at_start) {
        started = true;
        ages.forget();
        app.forget();
      }
      if (started) use_the_window(studio, views, step);
      if (std::chrono::duration<double>(Clock::now() - begin).count() >= use.settled) memory.push_back(resident_mb());
    }
    sent = detector.sent();
  }
  const stream::StreamStatus& status = stream.status();
  char remark[160];
  std::snprintf(remark, sizeof remark, "median %.0f ms, %zu images; %lld windows passed over; %lld of %lld frames",
                1e3 * ages.at(0.5), ages.count(), static_cast<long long>(stream.skipped_windows()),
                static_cast<long long>(status.counts.taken()), static_cast<long long>(sent));
  table.add(
      {"last frame of a hop to image, p95", 1e3 * ages.at(0.95), "ms", 500, 250, StreamTable::Better::less, remark});
  double processor = 0, wall = 0;
  for (const auto& stall : app.stalls()) {
    processor = std::max(processor, stall.processor_ms);
    wall = std::max(wall, stall.wall_ms);
  }
  std::snprintf(remark, sizeof remark, "%s; by the clock %.1f ms",
                app.stalls().empty() ? "" : app.stalls().front().what.toUtf8().constData(), wall);
  table.add({"longest stall of the window", processor, "ms", 50, {}, StreamTable::Better::less, remark});
  const double before = middle_between(memory, 0, 0.1), after = middle_between(memory, 0.9, 1);
  std::snprintf(remark, sizeof remark, "%.0f MB after %.0f s, %.0f MB after %.0f s", before, use.settled, after,
                use.seconds);
  table.add(
      {"memory grows by", before > 0 ? 100 * (after / before - 1) : 0, "%", 2, {}, StreamTable::Better::less, remark});
  stream.close();
  studio.session.stop();
  studio.document.undo_stack().setClean();
  studio.window.close();
}

}  // namespace tl::bench
