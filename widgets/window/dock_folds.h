// DockFolds: docks that are folded away and back, each with one key. The choice is kept in the settings.
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

class QAction;
class QWidget;

namespace tl::ui {

class Settings;

// GUI thread only.
class DockFolds final : public QObject {
  Q_OBJECT
 public:
  // stays: shown in a window of any width. folds: folded in a narrow window until the user shows it there.
  enum class WhenNarrow { stays, folds };
  struct Dock {
    QString key;   // in the settings
    QString name;  // of the action
    QKeySequence keys;
    WhenNarrow when_narrow = WhenNarrow::stays;
    std::function<void()> apply;  // shows or hides it according to is_shown()
  };
  static constexpr int narrow_window = 1180;  // px, below it

  DockFolds(Settings& settings, QWidget* window);
  QAction* add(const Dock& dock);  // checkable; checked while the dock is shown
  [[nodiscard]] bool is_shown(const QString& key) const;
  [[nodiscard]] QList<QAction*> actions() const;
  void set_window_width(int width);
  void read();  // after the settings changed

 private:
  struct State {
    Dock dock;
    QAction* action;
    bool wanted = true, wanted_narrow = false;
  };
  [[nodiscard]] bool shown(const State& state) const;
  void toggle(std::size_t index);
  void apply_all();
  Settings& settings_;
  QWidget* window_;
  std::vector<State> docks_;
  bool narrow_ = false;
};

}  // namespace tl::ui
