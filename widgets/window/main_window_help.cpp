// The main window's help and preferences.
#include <QMenu>

#include "widgets/canvas/canvas.h"
#include "widgets/theme/explain_button.h"
#include "widgets/window/help/about_dialog.h"
#include "widgets/window/help/help_window.h"
#include "widgets/window/main_window.h"
#include "widgets/window/preferences.h"

namespace tl::ui {

void MainWindow::add_help_actions(QMenu& menu) {
  add(menu, tr("User guide"), QKeySequence::HelpContents, [this] { open_help(HelpPage::guide); });
  add(menu, tr("Shortcuts"), {}, [this] { open_help(HelpPage::shortcuts); });
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

void MainWindow::open_preferences() {
  auto* dialog = new Preferences(settings_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &Preferences::theme_wanted, this, &MainWindow::set_theme);
  dialog->show();
}

}  // namespace tl::ui
