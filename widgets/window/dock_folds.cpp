// DockFolds: one checkable action per dock.
#include "widgets/window/dock_folds.h"

#include <QAction>
#include <QWidget>
#include <algorithm>

#include "widgets/window/state/settings.h"

namespace tl::ui {

DockFolds::DockFolds(Settings& settings, QWidget* window) : QObject(window), settings_(settings), window_(window) {}

QAction* DockFolds::add(const Dock& dock) {
  auto* action = new QAction(dock.name, window_);
  action->setCheckable(true);
  action->setShortcut(dock.keys);
  window_->addAction(action);
  const std::size_t index = docks_.size();
  connect(action, &QAction::triggered, this, [this, index] { toggle(index); });
  docks_.push_back({dock, action, settings_.is_dock_shown(dock.key)});
  action->setChecked(shown(docks_.back()));
  return action;
}

bool DockFolds::shown(const State& state) const {
  const bool may_fold = narrow_ && state.dock.when_narrow == WhenNarrow::folds;
  return may_fold ? state.wanted_narrow : state.wanted;
}

bool DockFolds::is_shown(const QString& key) const {
  const auto found = std::find_if(docks_.begin(), docks_.end(), [&](const State& s) { return s.dock.key == key; });
  return found == docks_.end() || shown(*found);
}

QList<QAction*> DockFolds::actions() const {
  QList<QAction*> all;
  for (const State& s : docks_) all << s.action;
  return all;
}

void DockFolds::toggle(std::size_t index) {
  State& state = docks_[index];
  const bool now = !shown(state);
  if (narrow_ && state.dock.when_narrow == WhenNarrow::folds) {
    state.wanted_narrow = now;
  } else {
    state.wanted = now;
    settings_.set_dock(state.dock.key, now ? Settings::DockUse::shown : Settings::DockUse::folded);
  }
  state.action->setChecked(now);
  state.dock.apply();
}

void DockFolds::set_window_width(int width) {
  const bool narrow = width < narrow_window;
  if (narrow == narrow_) return;
  narrow_ = narrow;
  apply_all();
}

void DockFolds::read() {
  for (State& s : docks_) {
    s.wanted = settings_.is_dock_shown(s.dock.key);
    s.wanted_narrow = false;
  }
  apply_all();
}

void DockFolds::apply_all() {
  for (const State& s : docks_) {
    s.action->setChecked(shown(s));
    s.dock.apply();
  }
}

}  // namespace tl::ui
