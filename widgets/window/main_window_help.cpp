// The main window's help and preferences.
#include <QMenu>
#include <QStackedWidget>

#include "widgets/canvas/canvas.h"
#include "widgets/inspector/inspector.h"
#include "widgets/queue/runs_area.h"
#include "widgets/theme/explain_button.h"
#include "widgets/training/learning_dock.h"
#include "widgets/views/views_area.h"
#include "widgets/window/action_search.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/files/pipeline_templates.h"
#include "widgets/window/guide/tour.h"
#include "widgets/window/header_bar.h"
#include "widgets/window/help/about_dialog.h"
#include "widgets/window/help/help_window.h"
#include "widgets/window/main_window.h"
#include "widgets/window/preferences.h"

namespace tl::ui {

void MainWindow::add_help_actions(QMenu& menu) {
  add(menu, tr("User guide"), QKeySequence::HelpContents, [this] { open_help(HelpPage::guide); });
  add(menu, tr("Shortcuts"), {}, [this] { open_help(HelpPage::shortcuts); });
  set_synonyms(*add(menu, tr("Tour of the window"), {}, [this] { start_tour(); }),
               {tr("introduction"), tr("first steps"), tr("tutorial"), tr("help")});
  add(menu, tr("Node reference"), {}, [this] { open_help(HelpPage::nodes); });
  menu.addSeparator();
  add(menu, tr("About Tomoloom"), {}, [this] {
    auto* about = new AboutDialog(session_.device_name(), this);
    about->setAttribute(Qt::WA_DeleteOnClose);
    about->show();
  });
}

// Made when first wanted: the reference of all nodes is a long text.
HelpWindow& MainWindow::help_window() {
  if (help_ == nullptr) help_ = new HelpWindow(actions() + canvas_->graph_actions().all(), this);
  return *help_;
}

void MainWindow::open_help(HelpPage page) { help_window().open_page(page); }

bool MainWindow::event(QEvent* event) {
  if (event->type() != ExplainEvent::kind()) return QMainWindow::event(event);
  help_window().explain(static_cast<const ExplainEvent*>(event)->words());
  event->accept();
  return true;
}

// With the example if there is no pipeline yet; afterwards the previous workspace is shown again.
void MainWindow::start_tour() {
  if (findChild<Tour*>() != nullptr) return;
  if (session_.document().graph().nodes.empty()) files_->open_template(example_template);
  if (pages_->currentWidget() != main_) show_main_page();
  set_mode(Mode::free);
  const Workspace before = workspaces_->current();
  const auto in = [this](Workspace where) { return [this, where] { workspaces_->show(where); }; };
  auto* tour = new Tour(
      *this,
      {{canvas_, tr("The pipeline"),
        tr("Cards are steps, links are data. Tab adds a step after the selected one; a click on a value changes it."),
        in(Workspace::weave)},
       {inspector_, tr("The form of a step"),
        tr("All parameters of the selected step, with units, found values and their verdicts."), in(Workspace::weave)},
       {views_, tr("Views"),
        tr("Slices of the selected step, live: each change shows at once, coarse, then sharp. The wheel steps through "
           "slices; the buttons over a view measure and paint."),
        in(Workspace::see)},
       {learning_dock_, tr("Learning"),
        tr("Parameters with a nabla are found by gradients, with an uncertainty and a verdict."), in(Workspace::learn)},
       {runs_area_, tr("Runs"),
        tr("Many scans in a queue, and below it the history: every result can be opened, compared and exported."),
        in(Workspace::runs)},
       {header_,
        tr("Run, and find anything"),
        tr("Run all (F5) writes the outputs; the forecast says time and memory before. Ctrl+K finds every action and "
           "step by its words. F1 opens the guide."),
        {}}});
  connect(tour, &Tour::left, this, [this, tour, before] {
    tour->deleteLater();
    workspaces_->show(before);
  });
  tour->begin();
}

void MainWindow::open_preferences() {
  auto* dialog = new Preferences(settings_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &Preferences::theme_wanted, this, &MainWindow::set_theme);
  dialog->show();
}

}  // namespace tl::ui
