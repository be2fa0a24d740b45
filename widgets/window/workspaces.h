// Workspaces: five arrangements of the same docks. Switching computes nothing; each arrangement is saved.
#pragma once

#include <QObject>
#include <QString>
#include <array>

class QAction;
class QActionGroup;
class QSplitter;
class QWidget;

namespace tl::ui {

class Settings;

enum class Workspace { weave, see, learn, compare, runs };
inline constexpr std::array<Workspace, 5> all_workspaces = {Workspace::weave, Workspace::see, Workspace::learn,
                                                            Workspace::compare, Workspace::runs};
QString workspace_name(Workspace workspace);  // key in the settings: "weave"

class Workspaces final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    // main holds left dock, centre and right dock; centre holds views and canvas
    QSplitter *main, *centre, *left, *right;
  };
  Workspaces(const Parts& parts, Settings& settings, QWidget* window);
  [[nodiscard]] Workspace current() const { return current_; }
  [[nodiscard]] QList<QAction*> actions() const;
  void show(Workspace workspace);
  void remember();      // saves the current arrangement in the settings
  void restore_last();  // shows the workspace that was current at the last exit
  void reset();         // restores the default arrangements

 Q_SIGNALS:
  // emitted before sizes are set: parts may still be shown or hidden
  void about_to_arrange(tl::ui::Workspace workspace);
  void changed(tl::ui::Workspace workspace);

 private:
  void arrange(Workspace workspace);
  void arrange_docks();
  Parts parts_;
  Settings& settings_;
  QActionGroup* group_;
  Workspace current_ = Workspace::weave;
  bool shown_ = false;
};

}  // namespace tl::ui
