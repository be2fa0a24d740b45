// Workspaces: four arrangements of the same docks; switching computes nothing, and each is remembered as it was left.
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

enum class Workspace { weave, see, learn, compare };
inline constexpr std::array<Workspace, 4> all_workspaces = {Workspace::weave, Workspace::see, Workspace::learn,
                                                            Workspace::compare};
QString workspace_name(Workspace workspace);  // in settings: "weave"

class Workspaces final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    QSplitter *main, *centre, *left, *right;  // main holds left dock, centre and right dock; centre views and canvas
  };
  Workspaces(const Parts& parts, Settings& settings, QWidget* window);
  [[nodiscard]] Workspace current() const { return current_; }
  [[nodiscard]] QList<QAction*> actions() const;
  void show(Workspace workspace);
  void remember();      // into the settings
  void restore_last();  // the workspace in which the studio was left
  void reset();         // all arrangements as they were at first

 Q_SIGNALS:
  void about_to_arrange(tl::ui::Workspace workspace);  // parts may still be shown and hidden
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
