// MainWindow: builds the menu: all actions with names and shortcuts; the action search lists the same actions.
#include <QActionGroup>
#include <QApplication>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QSplitter>
#include <QStackedWidget>

#include "widgets/canvas/canvas.h"
#include "widgets/canvas/outline/node_list.h"
#include "widgets/canvas/outline/outline_view.h"
#include "widgets/inspector/inspector.h"
#include "widgets/learning/gradient_check_panel.h"
#include "widgets/learning/learning_panel.h"
#include "widgets/learning/learning_start.h"
#include "widgets/queue/runs_area.h"
#include "widgets/session/learning_session.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"
#include "widgets/training/learning_dock.h"
#include "widgets/views/histogram/histogram_panel.h"
#include "widgets/views/labels/class_table_panel.h"
#include "widgets/views/table/table_panel.h"
#include "widgets/views/views_area.h"
#include "widgets/window/action_search.h"
#include "widgets/window/dock_folds.h"
#include "widgets/window/files/autosave.h"
#include "widgets/window/files/data_dock.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/files/pipeline_templates.h"
#include "widgets/window/files/report_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_panel.h"
#include "widgets/window/run_flows.h"
#include "widgets/window/state/settings.h"

namespace tl::ui {

QAction* MainWindow::add(QMenu& menu, const QString& name, const QKeySequence& keys,
                         const std::function<void()>& does) {
  QAction* action = menu.addAction(name);
  if (!keys.isEmpty()) action->setShortcut(keys);
  addAction(action);  // so that the shortcut works while the menu is closed
  connect(action, &QAction::triggered, this, does);
  return action;
}

void MainWindow::build_menu() {
  add_file_actions(*menu_->addMenu(tr("&File")));
  add_edit_actions(*menu_->addMenu(tr("&Edit")));
  add_run_actions(*menu_->addMenu(tr("&Run")));
  add_view_actions(*menu_->addMenu(tr("&View")));
  add_help_actions(*menu_->addMenu(tr("&Help")));
  menu_->addSeparator();
  search_action_ = add(*menu_, tr("Find an action…"), QKeySequence(Qt::CTRL | Qt::Key_K), [this] { search_->open(); });
  add(*menu_, tr("Messages"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), [this] { message_panel_->open(); });
  menu_->addSeparator();
  add(*menu_, tr("Quit"), QKeySequence::Quit, [this] { close(); });
}

void MainWindow::add_file_actions(QMenu& menu) {
  add(menu, tr("New pipeline"), QKeySequence::New, [this] { files_->start_new(); });
  add(menu, tr("Open…"), QKeySequence::Open, [this] { files_->open_dialog(); });
  QMenu* recent = menu.addMenu(tr("Open recent"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fill_recent(*recent); });
  QMenu* from = templates_ = menu.addMenu(tr("New from template"));
  connect(canvas_, &Canvas::template_wanted, this, [this](const QPoint& at) { templates_->popup(at); });
  for (const PipelineTemplate& t : pipeline_templates())
    add(*from, t.title, {}, [this, name = t.name] { files_->open_template(name); });
  menu.addSeparator();
  add(menu, tr("Save"), QKeySequence::Save, [this] { files_->save(); });
  add(menu, tr("Save as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { files_->save_as(); });
  set_synonyms(*add(menu, tr("Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), [this] { open_export(); }),
               {tr("save volume"), tr("TIFF"), tr("image"), tr("picture"), tr("movie"), tr("mesh"), tr("STL"),
                tr("table"), tr("CSV"), tr("parameters"), tr("report"), tr("crop"), tr("binning"), tr("16 bit")});
  menu.addSeparator();
  add(menu, tr("Welcome page"), {}, [this] { show_welcome(); });
}

void MainWindow::fill_recent(QMenu& menu) {
  menu.clear();
  for (const QString& path : settings_.recent()) {
    QAction* action = menu.addAction(QFileInfo(path).fileName(), this, [this, path] { files_->open(path); });
    action->setToolTip(path);
  }
  if (menu.isEmpty()) menu.addAction(tr("No recent files"))->setEnabled(false);
}

void MainWindow::add_edit_actions(QMenu& menu) {
  // The canvas owns these actions. They are added to the window too, so that undo and redo work wherever the focus is.
  const GraphActions& graph = canvas_->graph_actions();
  addActions({graph.undo, graph.redo, graph.run_to});
  menu.addActions({graph.undo, graph.redo});
  menu.addSeparator();
  menu.addActions({graph.cut, graph.copy, graph.paste, graph.duplicate, graph.remove, graph.select_all});
  menu.addSeparator();
  menu.addActions({graph.palette, graph.bypass, graph.mute, graph.frame, graph.rename, graph.collapse});
  menu.addSeparator();
  menu.addActions({graph.arrange, graph.fit_all, graph.fit_selection});
  menu.addSeparator();
  preferences_action_ =
      add(menu, tr("Preferences…"), QKeySequence(Qt::CTRL | Qt::Key_Comma), [this] { open_preferences(); });
  set_synonyms(*preferences_action_,
               {tr("settings"), tr("options"), tr("language"), tr("threads"), tr("memory"), tr("font size")});
}

void MainWindow::add_run_actions(QMenu& menu) {
  run_action_ = add(menu, tr("Run all"), QKeySequence(Qt::Key_F5), [this] { run_or_toggle_queue(); });
  run_action_->setIcon(glyph_icon(Glyph::run));
  add(menu, tr("Run all with an empty cache"), QKeySequence(Qt::SHIFT | Qt::Key_F5),
      [this] { runs_->run_all_again(); });
  menu.addAction(canvas_->graph_actions().run_to);
  stop_action_ = add(menu, tr("Stop"), QKeySequence(Qt::CTRL | Qt::Key_Period), [this] { stop(); });
  stop_action_->setIcon(glyph_icon(Glyph::stop));
  set_synonyms(*add(menu, tr("Run in the queue"), QKeySequence(Qt::CTRL | Qt::Key_F5), [this] { run_in_queue(); }),
               {tr("background"), tr("batch"), tr("later")});
  set_synonyms(*add(menu, tr("Queue of scans"), {}, [this] { go_to(runs_area_->queue(), Workspace::runs); }),
               {tr("batch"), tr("many scans"), tr("series"), tr("night"), tr("table of scans"), tr("CSV")});
  set_synonyms(*add(menu, tr("Queue the selected scans"), {}, [this] { data_->queue_selected(); }),
               {tr("data"), tr("add to the queue"), tr("batch")});
  menu.addSeparator();
  add(menu, tr("Learn"), QKeySequence(Qt::Key_F6), [this] { learning_->start().learn(); });
  add(menu, tr("Take the best so far"), QKeySequence(Qt::SHIFT | Qt::Key_F6),
      [this] { learning_session_->take_best(); });
  set_synonyms(
      *add(menu, tr("Train a network"), {}, [this] { show_job(*training_); }),
      {tr("segmentation"), tr("deep learning"), tr("CNN"), tr("labels"), tr("strokes"), tr("machine learning")});
  set_synonyms(*add(menu, tr("Prune a network"), {}, [this] { show_job(*pruning_); }),
               {tr("smaller network"), tr("faster network"), tr("compress"), tr("LEAN"), tr("filters")});
  set_synonyms(*add(menu, tr("Sweep parameters"), {}, [this] { show_job(*sweep_); }),
               {tr("series of values"), tr("grid of values"), tr("try values"), tr("montage")});
  add(menu, tr("Look at the landscape of the objective"), {}, [this] {
    workspaces_->show(Workspace::learn);
    learning_dock_->show_page(*learning_);
    learning_->open_landscape();
  });
  add(menu, tr("Check the gradients of the chosen node"), {}, [this] {
    workspaces_->show(Workspace::learn);
    learning_dock_->show_page(*learning_);
    learning_->open_checks();
    learning_->checks().check_selected_node();
  });
  add_stream_actions(menu);
  menu.addSeparator();
  menu.addAction(canvas_->graph_actions().free_cache);
}

void MainWindow::add_view_actions(QMenu& menu) {
  menu.addActions(workspaces_->actions());
  guided_action_ = add(menu, tr("Guided mode"), QKeySequence(Qt::Key_F4),
                       [this] { set_mode(mode_ == Mode::guided ? Mode::free : Mode::guided); });
  guided_action_->setCheckable(true);
  menu.addSeparator();
  menu.addActions(docks_->actions());
  add(menu, tr("Reset the workspaces"), {}, [this] {
    workspaces_->reset();
    docks_->read();
    views_->restore_arrangements({});
  });
  menu.addSeparator();
  menu.addMenu(tr("3D view"))->addActions(views_->volume_actions());
  QMenu* themes = menu.addMenu(tr("Theme"));
  auto* group = new QActionGroup(this);
  for (const QString& name : Theme::names()) {
    QAction* action = add(*themes, tr("%1 theme").arg(Theme::title(name)), {}, [this, name] { set_theme(name); });
    set_synonyms(*action, {tr("colours"), tr("contrast"), tr("appearance")});
    action->setCheckable(true);
    action->setChecked(name == Theme::instance().name());
    group->addAction(action);
  }
  QMenu* scales = menu.addMenu(tr("Scale"));
  auto* sizes = new QActionGroup(this);
  for (const int percent : Settings::scales()) {
    QAction* action = add(*scales, tr("Scale %1 %").arg(percent), {}, [this, percent] {
      settings_.set_scale_percent(percent);
      messages_.add(LogLevel::info, {}, tr("Scale %1 % takes effect at the next start.").arg(percent));
    });
    action->setCheckable(true);
    action->setChecked(percent == settings_.scale_percent());
    sizes->addAction(action);
  }
  add_go_to_actions(*menu.addMenu(tr("Go to")));
  menu.addAction(canvas_->graph_actions().minimap);
  menu.addActions(canvas_->graph_actions().switches);
  menu.addSeparator();
  QAction* full = add(menu, tr("Full screen"), QKeySequence(Qt::Key_F11),
                      [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  full->setCheckable(true);
}

// The docks and the canvas by name, for the keyboard.
void MainWindow::add_go_to_actions(QMenu& menu) {
  const auto go = [&](QWidget* place, Workspace where, const QString& name, const QStringList& words) {
    QAction* action = add(menu, name, {}, [this, place, where] { go_to(*place, where); });
    set_synonyms(*action, words + QStringList{tr("dock"), tr("panel"), tr("show"), tr("focus")});
  };
  using enum Workspace;
  go(findChild<DataTree*>(), weave, tr("Go to the data"), {tr("scans"), tr("files")});
  go(findChild<NodeList*>(), weave, tr("Go to the list of nodes"), {tr("add a node"), tr("palette"), tr("library")});
  go(findChild<OutlineView*>(), weave, tr("Go to the outline"), {tr("tree"), tr("list of the pipeline"), tr("steps")});
  go(canvas_, weave, tr("Go to the canvas"), {tr("graph"), tr("node editor"), tr("pipeline")});
  go(views_, see, tr("Go to the views"), {tr("slices"), tr("images")});
  go(inspector_, weave, tr("Go to the inspector"), {tr("form"), tr("parameters"), tr("settings"), tr("properties")});
  go(learning_dock_, learn, tr("Go to learning"), {tr("optimiser"), tr("gradients"), tr("loss")});
  go(classes_, see, tr("Go to the classes"), {tr("labels"), tr("colours"), tr("segmentation"), tr("legend")});
  go(table_, see, tr("Go to the table"), {tr("objects"), tr("rows"), tr("regions"), tr("spreadsheet")});
  go(findChild<HistogramPanel*>(), see, tr("Go to the histogram"), {tr("grey levels"), tr("contrast")});
}

// Gives the keyboard focus to the first widget of a panel that accepts it; a hidden panel is shown in its workspace.
void MainWindow::go_to(QWidget& place, Workspace where) {
  if (pages_->currentWidget() != main_) show_main_page();
  if (!place.isVisible()) set_mode(Mode::free);
  if (!place.isVisible()) workspaces_->show(where);
  QWidget* first = place.focusProxy() != nullptr ? place.focusProxy() : &place;
  while ((first->focusPolicy() & Qt::TabFocus) == 0 || !first->isVisible()) {
    first = first->nextInFocusChain();
    if (!place.isAncestorOf(first)) return;
  }
  first->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace tl::ui
