// Screenshots: takes images of one running window in every workspace and theme, and of the steps of the guide.
#include "widgets/window/screenshots.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "widgets/inspector/dialogs/sweep_view.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/special_tools.h"
#include "widgets/session/learning_session.h"
#include "widgets/theme/theme.h"
#include "widgets/views/compare_area.h"
#include "widgets/views/panes/before_pane.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/volume_pane.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/files/pipeline_templates.h"
#include "widgets/window/main_window.h"

namespace tl::ui {
namespace {

constexpr int settle_ms = 1200;     // ms for layouts and thumbnails
constexpr int patience_ms = 30000;  // ms at most for computed images

void wait(int ms) {
  QEventLoop loop;
  QTimer::singleShot(ms, &loop, &QEventLoop::quit);
  loop.exec();
}
template <class Done>
void wait_until(const Done& done) {
  constexpr int look_ms = 50;
  for (int waited = 0; waited < patience_ms && !done(); waited += look_ms) wait(look_ms);
}

class Photographer {
 public:
  Photographer(MainWindow& window, const ScreenshotRequest& request) : window_(window), request_(request) {}

  Result<void> every_theme() {
    for (const QString& theme : Theme::names()) {
      Theme::instance().set(theme);
      window_.show_welcome();
      wait(settle_ms);
      TL_TRY(write(window_, QStringLiteral("welcome")));
      begin();
      for (const Workspace workspace : all_workspaces) {
        if (workspace == Workspace::learn) continue;
        window_.choose_node(NodeChoice::last);
        window_.workspaces().show(workspace);
        if (workspace == Workspace::compare) compare_something();
        settle();
        TL_TRY(write(window_, workspace_name(workspace)));
      }
      learn_something();
      settle();
      TL_TRY(write(window_, workspace_name(Workspace::learn)));
    }
    return ok();
  }

  // The steps from a scan to a volume, for the user guide.
  Result<void> guide() {
    begin();
    window_.workspaces().show(Workspace::see);
    window_.choose_node(NodeChoice::last);
    settle();
    TL_TRY(save(window_.grab(), QStringLiteral("guide-1-dropped")));
    window_.workspaces().show(Workspace::weave);
    window_.choose_node(NodeChoice::measuring);
    settle();
    TL_TRY(save(window_.grab(), QStringLiteral("guide-2-axis")));
    auto* tools = window_.inspector().findChild<SpecialTools*>();
    if (tools != nullptr && tools->isVisible()) {
      AxisDialog& dialog = tools->open_axis(AxisDialog::Page::overlay);
      wait_until([&] { return dialog.overlay().has_pictures(); });
      TL_TRY(save(dialog.grab(), QStringLiteral("guide-3-overlay")));
      dialog.open_page(AxisDialog::Page::sweep);
      wait_until([&] { return dialog.sweep().best() >= 0; });
      TL_TRY(save(dialog.grab(), QStringLiteral("guide-4-sweep")));
      dialog.close();
    }
    window_.set_mode(MainWindow::Mode::guided);
    window_.choose_node(NodeChoice::measuring);
    settle();
    TL_TRY(save(window_.grab(), QStringLiteral("guide-5-guided")));
    window_.set_mode(MainWindow::Mode::free);
    return ok();
  }

 private:
  void begin() {
    if (request_.scan.isEmpty()) {
      window_.files().open_template(example_template);
      return;
    }
    bool entered = false;
    const auto connection =
        QObject::connect(&window_.files(), &FileFlows::entered, &window_, [&entered] { entered = true; });
    window_.files().open(request_.scan);
    wait_until([&] { return entered; });
    QObject::disconnect(connection);
  }
  // Runs learning of the rotation axis on the simulated example.
  void learn_something() {
    window_.files().open_template(learning_example_template);
    window_.choose_node(NodeChoice::last);
    window_.workspaces().show(Workspace::learn);
    settle();
    window_.learning().start();
    wait_until([&] { return !window_.learning().is_busy(); });
  }
  // Compares the shown volume with another value of the node's first number that has a range, 20 % into the range.
  void compare_something() {
    auto* views = window_.findChild<ViewsArea*>();
    const Output volume = views->state().volume();
    const auto& nodes = views->source().graph().nodes;
    const auto node = nodes.find(volume.node.toStdString());
    const NodeType* type = node == nodes.end() ? nullptr : views->source().registry().find(node->second.type);
    if (type == nullptr || views->compare_area() == nullptr) return;
    for (const ParamDecl& decl : type->params) {
      if (decl.kind != ParamKind::number || !decl.low || !decl.high) continue;
      constexpr double part = 0.2;  // of the range
      const double at = std::round(100 * (*decl.low + part * (*decl.high - *decl.low))) / 100;
      const ParamValue value = Number{at, decl.unit};
      (void)views->compare_area()->compare_value(volume, volume.node, QString::fromStdString(decl.name),
                                                 QString::fromStdString(to_text(value)));
      wait_until([&] { return views->compare_area()->right().is_current(); });
      return;
    }
  }
  // Waits until all visible images are sharp.
  void settle() {
    auto* views = window_.findChild<ViewsArea*>();
    wait(settle_ms / 4);
    wait_until([&] { return is_sharp(); });
    wait_until([&] { return !is_working(*views); });
    wait(settle_ms);
    wait_until([&] { return !is_working(*views); });  // thumbnails, too
  }
  [[nodiscard]] bool is_sharp() const {
    const auto images = window_.findChildren<ImagePane*>();
    const auto volumes = window_.findChildren<VolumePane*>();
    return std::all_of(images.begin(), images.end(),
                       [](const ImagePane* pane) {
                         // shows a stored image, requests none
                         const bool keeps = qobject_cast<const BeforePane*>(pane) != nullptr;
                         return keeps || !pane->isVisible() || pane->is_current();
                       }) &&
           std::all_of(volumes.begin(), volumes.end(),
                       [](const VolumePane* pane) { return !pane->isVisible() || pane->is_settled(); });
  }
  [[nodiscard]] static bool is_working(ViewsArea& views) {
    const auto& nodes = views.source().graph().nodes;
    return std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
      const live::State state = views.source().status(QString::fromStdString(node.first)).state;
      return state == live::State::running || state == live::State::queued;
    });
  }
  Result<void> save(const QPixmap& picture, const QString& name) {
    const QString file = QStringLiteral("%1/%2.png").arg(request_.folder, name);
    if (!picture.save(file)) return io_error("the image cannot be written", file.toStdString());
    return ok();
  }
  Result<void> write(QWidget& widget, const QString& name) {
    const int percent = qRound(100 * widget.devicePixelRatioF());
    return save(widget.grab(), QStringLiteral("%1-%2-%3").arg(name, Theme::instance().name()).arg(percent));
  }
  MainWindow& window_;
  const ScreenshotRequest& request_;
};

}  // namespace

Result<void> write_screenshots(MainWindow& window, const ScreenshotRequest& request) {
  if (!QDir().mkpath(request.folder)) return io_error("the folder cannot be made", request.folder.toStdString());
  window.resize(request.size);
  window.show();
  const QString before = Theme::instance().name();
  Photographer photographer(window, request);
  Result<void> written = photographer.every_theme();
  // Only in this configuration: the guide has images of one size, in light colours.
  if (written.ok() && window.devicePixelRatioF() == 1 && request.size == ScreenshotRequest().size) {
    Theme::instance().set(QStringLiteral("light"));
    written = photographer.guide();
  }
  Theme::instance().set(before);
  return written;
}

}  // namespace tl::ui
