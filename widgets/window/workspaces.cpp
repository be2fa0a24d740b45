// Workspaces: arranges the docks of the window in five ways, and keeps default and saved splitter sizes.
#include "widgets/window/workspaces.h"

#include <QActionGroup>
#include <QSplitter>

#include "widgets/window/state/settings.h"

namespace tl::ui {
namespace {

constexpr int left_width = 264, right_width = 346, learn_width = 400;  // px
constexpr int whole = 1000;                                            // splitters scale sizes to the space available

QString workspace_title(Workspace workspace) {
  switch (workspace) {
    case Workspace::weave: return Workspaces::tr("Weave");
    case Workspace::see: return Workspaces::tr("See");
    case Workspace::learn: return Workspaces::tr("Learn");
    case Workspace::compare: return Workspaces::tr("Compare");
    case Workspace::runs: return Workspaces::tr("Runs");
  }
  return {};
}

// Sizes of the right dock are saved separately for Learn, which shows learning instead of the selected node.
QString right_key(Workspace workspace) {
  return workspace == Workspace::learn ? QStringLiteral("learn/right") : QStringLiteral("right");
}
QList<int> right_sizes(Workspace workspace) {
  return workspace == Workspace::learn ? QList<int>{3 * whole / 8, 5 * whole / 8, 1, 1, 1}
                                       : QList<int>{whole, whole / 2, whole / 2, whole / 2, 1};
}

// The views' fraction of the height, in thousandths.
int share_of_views(Workspace workspace) {
  switch (workspace) {
    case Workspace::weave: return 360;
    case Workspace::see: return 700;
    case Workspace::learn: return 640;
    case Workspace::compare: return 780;
    case Workspace::runs: break;  // no views are shown
  }
  return whole / 2;
}

}  // namespace

QString workspace_name(Workspace workspace) {
  static const std::array<QString, all_workspaces.size()> names = {QStringLiteral("weave"), QStringLiteral("see"),
                                                                   QStringLiteral("learn"), QStringLiteral("compare"),
                                                                   QStringLiteral("runs")};
  return names.at(static_cast<std::size_t>(workspace));
}

Workspaces::Workspaces(const Parts& parts, Settings& settings, QWidget* window)
    : QObject(window), parts_(parts), settings_(settings), group_(new QActionGroup(this)) {
  int digit = Qt::Key_1;
  for (const Workspace workspace : all_workspaces) {
    auto* action = new QAction(workspace_title(workspace), window);
    action->setCheckable(true);
    action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(digit++)));
    action->setToolTip(tr("Workspace %1 (%2)").arg(workspace_title(workspace), action->shortcut().toString()));
    group_->addAction(action);
    window->addAction(action);  // the window shows the workspace, possibly after another page
  }
}

QList<QAction*> Workspaces::actions() const { return group_->actions(); }

void Workspaces::remember() {
  if (!shown_) return;
  const QString name = workspace_name(current_);
  settings_.set_layout(name + QStringLiteral("/main"), parts_.main->saveState());
  settings_.set_layout(name + QStringLiteral("/centre"), parts_.centre->saveState());
  settings_.set_layout(QStringLiteral("left"), parts_.left->saveState());
  settings_.set_layout(right_key(current_), parts_.right->saveState());
  settings_.set_workspace(name);
}

// The left dock is the same in every workspace.
void Workspaces::arrange_docks() {
  if (!parts_.left->restoreState(settings_.layout(QStringLiteral("left")))) parts_.left->setSizes({220, 330, 260});
}

void Workspaces::arrange(Workspace workspace) {
  const QString name = workspace_name(workspace);
  const int right = workspace == Workspace::learn ? learn_width : right_width;
  if (!parts_.main->restoreState(settings_.layout(name + QStringLiteral("/main"))))
    parts_.main->setSizes({left_width, std::max(whole / 2, parts_.main->width() - left_width - right), right});
  if (!parts_.right->restoreState(settings_.layout(right_key(workspace))))
    parts_.right->setSizes(right_sizes(workspace));
  if (!parts_.centre->restoreState(settings_.layout(name + QStringLiteral("/centre"))))
    parts_.centre->setSizes(
        {share_of_views(workspace), whole - share_of_views(workspace), whole - share_of_views(workspace)});
}

void Workspaces::show(Workspace workspace) {
  remember();
  shown_ = true;
  current_ = workspace;
  Q_EMIT about_to_arrange(workspace);
  arrange(workspace);
  group_->actions().at(static_cast<int>(workspace))->setChecked(true);
  Q_EMIT changed(workspace);
}

void Workspaces::restore_last() {
  remember();
  arrange_docks();
  for (const Workspace workspace : all_workspaces)
    if (workspace_name(workspace) == settings_.workspace()) {
      show(workspace);
      return;
    }
  show(Workspace::see);
}

void Workspaces::reset() {
  settings_.forget_layouts();
  arrange_docks();
  arrange(current_);
}

}  // namespace tl::ui
