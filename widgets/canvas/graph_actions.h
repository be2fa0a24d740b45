// GraphActions: all actions on the pipeline as QActions, for menus, shortcuts and the action search.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>

#include "widgets/canvas/graph_editor.h"
#include "widgets/session/live_session.h"

namespace tl::ui {

// Other words by which the action search finds an action: a property with a list of texts.
void set_synonyms(QAction& action, const QStringList& words);
QStringList synonyms_of(const QAction& action);

// Each action has a text, shortcuts and a name (QAction::objectName), and works while the focus is in a widget to which
// it was added. Views connect actions that only they can perform (palette, fitting, renaming...).
class GraphActions final : public QObject {
  Q_OBJECT
 public:
  GraphActions(GraphEditor& editor, LiveSession& session, QObject* parent = nullptr);

  [[nodiscard]] const QList<QAction*>& all() const { return all_; }
  void add_to(QWidget& widget);  // adds all of them

  QAction *palette, *remove, *remove_reconnect, *copy, *cut, *paste, *paste_linked, *duplicate, *undo, *redo;
  QAction *bypass, *mute, *frame, *rename, *collapse, *select_all;
  QAction *align_left, *align_centre, *align_right, *align_top, *align_middle, *align_bottom, *spread_across,
      *spread_down;
  QAction *arrange, *fit_selection, *fit_all, *zoom_in, *zoom_out, *snap, *minimap;
  QAction *open_form, *run_to, *free_cache, *free_node, *pin;
  QList<QAction*> switches;  // checkable, in the order of switch_actions()

 private:
  QAction* make(const char* name, const QString& text, const QList<QKeySequence>& keys = {});
  void make_all();
  void make_switches();
  void connect_edits();
  void update();
  void update_cache();
  GraphEditor& editor_;
  LiveSession& session_;
  QList<QAction*> all_;
};

}  // namespace tl::ui
