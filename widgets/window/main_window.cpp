// MainWindow: builds the window of one document from its parts and connects them; handles keys, drops and closing.
#include "widgets/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDateTime>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "widgets/canvas/canvas.h"
#include "widgets/inspector/inspector.h"
#include "widgets/jobs/job_page.h"
#include "widgets/learning/learning_panel.h"
#include "widgets/learning/learning_start.h"
#include "widgets/queue/runs_area.h"
#include "widgets/session/learning_session.h"
#include "widgets/session/pruning_session.h"
#include "widgets/session/stream_session.h"
#include "widgets/session/sweep_session.h"
#include "widgets/session/training_session.h"
#include "widgets/stream/stream_dock.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/training/learning_dock.h"
#include "widgets/views/labels/class_table_panel.h"
#include "widgets/views/table/table_panel.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/volume_thread.h"
#include "widgets/window/action_search.h"
#include "widgets/window/dock_folds.h"
#include "widgets/window/files/autosave.h"
#include "widgets/window/files/background_work.h"
#include "widgets/window/files/data_dock.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/files/pipeline_templates.h"
#include "widgets/window/files/report_flow.h"
#include "widgets/window/files/scan_banner.h"
#include "widgets/window/files/scan_watcher.h"
#include "widgets/window/guide/guide_panel.h"
#include "widgets/window/header_bar.h"
#include "widgets/window/hint_bar.h"
#include "widgets/window/message_panel.h"
#include "widgets/window/notices.h"
#include "widgets/window/run_flows.h"
#include "widgets/window/state/settings.h"
#include "widgets/window/status_line.h"
#include "widgets/window/welcome_page.h"

namespace tl::ui {
namespace {

constexpr QSize first_size(1440, 900);
constexpr QSize min_size(960, 600);
constexpr qint64 double_escape_ms = 600;
const QString left_dock = QStringLiteral("left"), right_dock = QStringLiteral("right"),
              canvas_dock = QStringLiteral("canvas");

}  // namespace

MainWindow::MainWindow(LiveSession& session, Selection& selection, Settings& settings, QWidget* parent)
    : QMainWindow(parent),
      session_(session),
      selection_(selection),
      settings_(settings),
      watcher_(new ScanWatcher(session, scans_, this)),
      autosave_(new Autosave(session.document(), {}, this)),
      background_(new BackgroundWork({}, this)),
      files_(new FileFlows(session, settings, messages_, autosave_->records(), this)),
      runs_(new RunFlows(session, messages_, this)),
      menu_(new QMenu(this)),
      docks_(new DockFolds(settings, this)),
      pages_(new QStackedWidget(this)),
      main_(splitter(Qt::Horizontal, this)),
      centre_(splitter(Qt::Vertical, this)),
      welcome_(new WelcomePage(settings, this)),
      learning_session_(new LearningSession(session, this)),
      training_session_(new TrainingSession(session, this)),
      pruning_session_(new PruningSession(*training_session_, selection, this)),
      sweep_session_(new SweepSession(session, this)),
      stream_session_(new StreamSession(session, this)),
      queue_session_(new QueueSession(session, this)),
      search_(new ActionSearch(session.document().registry(), this)) {
  VolumeThread::load_drivers();
  session_.set_switches(settings_.switches());
  setAcceptDrops(true);
  centre_->setObjectName(QStringLiteral("centre"));
  setMinimumSize(min_size);
  resize(first_size);
  build_centre();
  reports_ = new ReportFlow({session_, messages_, *canvas_, *views_}, this);
  connect(reports_, &ReportFlow::wrote, this, &MainWindow::show_report);
  workspaces_ = new Workspaces({main_, centre_, left_, right_}, settings_, this);
  add_docks();
  build_menu();
  connect(search_, &ActionSearch::node_wanted, this, [this](const QString& type) {
    go_to(*canvas_, Workspace::weave);
    canvas_->add_here(type);
  });
  header_ = new HeaderBar(
      session_, {workspaces_->actions(), search_action_, run_action_, stop_action_, preferences_action_, menu_}, this);
  message_panel_ = new MessagePanel(messages_, this);
  auto* status = new StatusLine(session_, messages_, this);
  auto* whole = new QWidget(this);
  auto* column = spaced(new QVBoxLayout(whole), 0);
  column->addWidget(header_);
  column->addWidget(new ScanBanner(session_.document(), *stream_session_, this));
  column->addWidget(pages_, 1);
  notices_ = new Notices(*pages_, *centre_);
  column->addWidget(notices_->end_of_run());
  column->addWidget(new HintBar(session_, selection_, this));
  column->addWidget(message_panel_);
  column->addWidget(status);
  setCentralWidget(whole);
  connect(status, &StatusLine::messages_wanted, this,
          [this] { message_panel_->isVisible() ? message_panel_->hide() : message_panel_->open(); });
  connect(views_, &ViewsArea::hovered, status, &StatusLine::show_hover);
  views_->restore_arrangements(settings_.layout(QStringLiteral("panes")));
  connect(views_, &ViewsArea::arrangement_changed, this,
          [this] { settings_.set_layout(QStringLiteral("panes"), views_->arrangements()); });
  connect(workspaces_, &Workspaces::about_to_arrange, this, &MainWindow::arrange_learning);
  connect(workspaces_, &Workspaces::changed, this, &MainWindow::arrange_views);
  connect_session();
  connect_learning();
  connect_queue();
  show_progress_of_jobs(*status);
  connect_notices();
  connect_stream();
  restoreGeometry(settings_.layout(QStringLiteral("window")));
  show_title();
  show_welcome();
}
// An editor that has the keyboard focus commits its value when it loses it: this must not happen while widgets are
// destroyed.
MainWindow::~MainWindow() {
  if (QWidget* editing = focusWidget(); editing != nullptr) editing->clearFocus();
}

// The Learn workspace shows slice, plots and parameters: the plots replace the canvas.
void MainWindow::arrange_learning(Workspace workspace) {
  const bool learns = workspace == Workspace::learn && mode_ == Mode::free;
  arrange_runs();
  canvas_->setVisible(!learns && !shows_runs() && mode_ == Mode::free && docks_->is_shown(canvas_dock));
  plots_area_->setVisible(learns);
  histogram_section_->setVisible(!learns);
  show_data_sections();
  arrange_plots(learns ? CurvesPosition::elsewhere : CurvesPosition::dock);
  show_learning_section();
}

// Shows the table of the node on screen and the classes of its labels, if there are any.
void MainWindow::show_data_sections() {
  const bool learns = workspaces_ != nullptr && workspaces_->current() == Workspace::learn && mode_ == Mode::free;
  table_section_->setVisible(!learns && table_->has_table());
  classes_section_->setVisible(!learns && !views_->state().labels().empty());
}

void MainWindow::connect_session() {
  connect(&session_, &LiveSession::switches_changed, this, [this] { settings_.set_switches(session_.switches()); });
  connect(welcome_, &WelcomePage::open_wanted, files_, &FileFlows::open_dialog);
  connect(welcome_, &WelcomePage::example_wanted, this, [this] { files_->open_template(example_template); });
  connect(welcome_, &WelcomePage::new_wanted, files_, &FileFlows::start_new);
  connect(welcome_, &WelcomePage::file_wanted, files_, &FileFlows::open);
  connect(welcome_, &WelcomePage::template_wanted, files_, &FileFlows::open_template);
  for (const Workspace workspace : all_workspaces) {
    QAction* action = workspaces_->actions().at(static_cast<int>(workspace));
    connect(action, &QAction::triggered, this, [this, workspace] {
      if (pages_->currentWidget() != main_) show_main_page();  // also from the welcome page: the history is in Runs
      workspaces_->show(workspace);
    });
    if (workspace == Workspace::runs) connect(welcome_, &WelcomePage::runs_wanted, action, &QAction::trigger);
  }
  connect(files_, &FileFlows::entered, this, &MainWindow::show_main_page);
  connect_export();
  connect(files_, &FileFlows::entered, watcher_, &ScanWatcher::read_failed_again);
  connect(watcher_, &ScanWatcher::outside_links_refused, files_, &FileFlows::ask_about_outside_links);
  connect(&session_.document(), &Document::title_changed, this, &MainWindow::show_title);
  connect(&session_.document(), &Document::was_reset, &messages_, &MessageModel::begin_pipeline);
  connect(&selection_, &Selection::changed, this, &MainWindow::show_step_picture);
  connect(files_, &FileFlows::opening, runs_, &RunFlows::wait_for_pipeline);
  connect(files_, &FileFlows::not_opened, runs_, &RunFlows::stay_with_pipeline);
  connect(files_, &FileFlows::entered, runs_, &RunFlows::pipeline_is_there);
  files_->set_unfinished_work([this](Leaving what) { return unfinished_work(what); });
  connect_background();
  connect(guide_, &GuidePanel::open_wanted, files_, &FileFlows::open_dialog);
  connect(guide_, &GuidePanel::run_wanted, runs_, &RunFlows::run_all);
  connect(guide_, &GuidePanel::leave_wanted, this, [this] { set_mode(Mode::free); });
  connect(canvas_, &Canvas::form_wanted, this, [this](const QString& node) {
    selection_.set_one(node);
    inspector_->focus_form();
  });
  connect(canvas_, &Canvas::stop_wanted, this, &MainWindow::stop);
  messages_.set_titles([this](const QString& node) { return session_.document().card_title(node); });
  connect(canvas_, &Canvas::refused, this, [this](const QString& why) { messages_.add(LogLevel::warning, {}, why); });
  connect(&session_, &LiveSession::message, this,
          [this](live::MessageLevel level, const QString& node, const QString& text) {
            if (level != LogLevel::debug) messages_.add(level, node, text);
          });
}

void MainWindow::show_title() {
  const Document& document = session_.document();
  setWindowTitle(QStringLiteral("%1[*] - Tomoloom").arg(document.title()));
  setWindowModified(document.is_modified());
}

void MainWindow::show_welcome() {
  welcome_->refresh();
  welcome_->offer_recovery(autosave_->records().left_copies());
  pages_->setCurrentWidget(welcome_);
  header_->set_workspaces_enabled(false);
}

void MainWindow::show_main_page() {
  main_->resize(pages_->size());  // arrangements need the page's final size
  pages_->setCurrentWidget(main_);
  header_->set_workspaces_enabled(true);
  workspaces_->restore_last();
  choose_node(NodeChoice::last);
  // Sets the keyboard focus: to the canvas in the workspace Weave (an empty one says that Tab adds a node), else to a
  // view.
  const bool is_empty = session_.document().graph().nodes.empty();
  const bool weaves = is_empty || workspaces_->current() == Workspace::weave;
  QWidget* first = shows_runs()                     ? static_cast<QWidget*>(&runs_area_->queue().table())
                   : weaves && canvas_->isVisible() ? static_cast<QWidget*>(canvas_)
                                                    : views_->active_cell().pane();
  first->setFocus(Qt::OtherFocusReason);
}

// last: the node before the outputs, whose form is usually needed first; measuring: a node that finds a value.
void MainWindow::choose_node(NodeChoice choice) {
  const Graph& graph = session_.document().graph();
  const Result<std::vector<std::string>> order = topological_order(graph);
  selection_.clear();
  if (!order.ok()) return;
  QString chosen;
  for (const std::string& id : order.value()) {
    const NodeType* type = session_.document().registry().find(graph.nodes.at(id).type);
    if (type == nullptr || type->is_output) continue;
    if (choice == NodeChoice::last || static_cast<bool>(type->measure)) chosen = QString::fromStdString(id);
  }
  if (!chosen.isEmpty()) selection_.set_one(chosen);
}

void MainWindow::arrange_views() {
  const Workspace now = workspaces_->current();
  const ViewsLayout layout = now == Workspace::see       ? ViewsLayout::see
                             : now == Workspace::compare ? ViewsLayout::compare
                                                         : ViewsLayout::small;
  views_->set_layout(mode_ == Mode::guided ? ViewsLayout::small : layout);
  if (mode_ == Mode::guided) views_->fill(0);
  canvas_->refit();
}

void MainWindow::set_mode(Mode mode) {
  const bool guided = mode == Mode::guided;
  guided_action_->setChecked(guided);
  if (mode == mode_) return;
  if (guided && pages_->currentWidget() != main_) show_main_page();
  if (guided) workspaces_->remember();  // the arrangement with the canvas
  mode_ = mode;
  left_pages_->setCurrentIndex(guided ? 1 : 0);
  show_left();
  arrange_learning(workspaces_->current());
  arrange_views();
  if (guided && guide_->steps().rowCount() > 0) selection_.set_one(guide_->steps().node(0));
  show_step_picture();
}

// In guided mode: projections for a step that outputs a scan, a slice for a step that computes or measures a volume.
void MainWindow::show_step_picture() {
  if (mode_ != Mode::guided) return;
  const auto& nodes = session_.document().graph().nodes;
  const auto node = nodes.find(selection_.current().toStdString());
  const NodeType* type = node == nodes.end() ? nullptr : session_.document().registry().find(node->second.type);
  if (type == nullptr) return;
  const bool scan = !type->outputs.empty() && is_scan(type->outputs.front().type);
  views_->show_for_now(0, scan && !static_cast<bool>(type->measure) ? PaneKind::projections : PaneKind::xy);
}

void MainWindow::add_docks() {
  using WhenNarrow = DockFolds::WhenNarrow;
  docks_->add({left_dock, tr("Left dock"), Qt::Key_F7, WhenNarrow::folds, [this] { show_left(); }});
  docks_->add({right_dock, tr("Right dock"), Qt::Key_F8, WhenNarrow::stays,
               [this] { right_->setVisible(docks_->is_shown(right_dock) && !shows_runs()); }});
  docks_->add(
      {canvas_dock, tr("Canvas"), Qt::Key_F9, WhenNarrow::stays, [this] { arrange_learning(workspaces_->current()); }});
  show_left();
  right_->setVisible(docks_->is_shown(right_dock));
}

// The steps of guided mode are always shown.
void MainWindow::show_left() { left_pages_->setVisible(mode_ == Mode::guided || docks_->is_shown(left_dock)); }

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  docks_->set_window_width(width());
}

void MainWindow::set_theme(const QString& name) {
  Theme::instance().set(name);
  settings_.set_theme(name);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) {
    QMainWindow::keyPressEvent(event);
    return;
  }
  const qint64 now = QDateTime::currentMSecsSinceEpoch();
  if (now - last_escape_ms_ < double_escape_ms) stop();
  last_escape_ms_ = now;
}

void MainWindow::stop() {
  session_.stop();
  learning_->start().stop_waiting();
  for (JobPage* page : jobs_) page->job().cancel();
  queue_session_->cancel();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile()) event->acceptProposedAction();
}
void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  if (shows_runs()) {
    runs_area_->queue().table().queue_model().dropMimeData(event->mimeData(), Qt::CopyAction, -1, -1, {});
    return;
  }
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) files << url.toLocalFile();
  if (files.size() == 1) return files_->open(files.front());
  if (files.isEmpty()) return;
  // There are several files then; one of them may be opened, all may be queued.
  show_main_page();
  messages_.add(LogLevel::info, {}, tr("%1 files are listed under Data").arg(data_->list(files)));
}

}  // namespace tl::ui
