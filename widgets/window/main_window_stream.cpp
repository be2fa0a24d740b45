// The main window's dock of a live scan: when it is shown, and its messages elsewhere.
#include <QFileInfo>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>

#include "widgets/canvas/graph_actions.h"
#include "widgets/session/stream_session.h"
#include "widgets/stream/stream_dock.h"
#include "widgets/stream/stream_form.h"
#include "widgets/views/panes/image_pane.h"
#include "widgets/views/views_area.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/main_window.h"
#include "widgets/window/notices.h"
#include "widgets/window/state/settings.h"

namespace tl::ui {

void MainWindow::connect_stream() {
  const std::vector<StreamChoice> before = settings_.streams();
  const auto offer = [this](const std::vector<StreamChoice>& choices) {
    QStringList addresses;
    for (const StreamChoice& choice : choices) addresses << choice.address;
    stream_->form().set_addresses(addresses);
  };
  offer(before);
  if (!before.empty()) stream_->form().set_choice(before.front());
  connect(stream_, &StreamDock::opened, this, [this, offer] {
    settings_.add_stream(stream_session_->choice());
    offer(settings_.streams());
  });
  connect(stream_, &StreamDock::pin_wanted, this, &MainWindow::toggle_pinned_window);
  constexpr int looks_between = 5;  // updates of the session between two looks; it sends ten a second
  connect(stream_session_, &StreamSession::changed, this, [this, looks = 0]() mutable {
    if (looks++ % looks_between == 0) views_->update_ages();
  });
  connect(stream_session_, &StreamSession::alarm, this, [this](const QString& text) {
    messages_.add(LogLevel::warning, {}, text);
    if (!stream_->isVisible()) notices_->show_error(text, {{tr("Show the live scan"), [this] { show_stream(); }}});
  });
  connect(stream_session_, &StreamSession::noticed, this,
          [this](const QString& text) { messages_.add(LogLevel::info, {}, text); });
  connect(stream_session_, &StreamSession::record_failed, this, [this](const QString& why) {
    messages_.add(LogLevel::error, {}, why);
    notices_->show_error(why);
  });
  connect(stream_session_, &StreamSession::recorded, this, [this](const QStringList& paths, const QStringList& texts) {
    for (const QString& text : texts) messages_.add(LogLevel::info, {}, text);
    const QString text =
        paths.size() == 1
            ? texts.front()
            : tr("Recorded %1 scans, the last one as %2").arg(paths.size()).arg(QFileInfo(paths.back()).fileName());
    notices_->show_done(text, {{tr("Open the record"), [this, path = paths.back()] { files_->open(path); }}});
  });
  connect(&session_, &LiveSession::picture_ready, this, [this](const QString& view, const live::Picture& picture) {
    if (!stream_session_->is_open()) return;
    for (const ImagePane* pane : views_->visible_panes())
      if (pane->view() == view) stream_session_->send_plane(view, pane->kind_text(), picture);
  });
}

void MainWindow::add_stream_actions(QMenu& menu) {
  menu.addSeparator();
  QAction* shown = add(menu, tr("Live scan"), QKeySequence(Qt::Key_F10), [this] { toggle_stream(); });
  set_synonyms(*shown, {tr("stream"), tr("receive"), tr("detector"), tr("camera"), tr("ZeroMQ"), tr("beamline")});
  QAction* record = add(menu, tr("Record the live scan, or end its record"),
                        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), [this] { stream_->toggle_record(); });
  QAction* pin = add(menu, tr("Pin the present slice of the live scan, or unpin it"),
                     QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] { toggle_pinned_window(); });
  set_synonyms(*pin, {tr("compare"), tr("earlier"), tr("freeze"), tr("stream")});
  set_synonyms(*record, {tr("stream"), tr("save frames"), tr("NXtomo")});
}

void MainWindow::toggle_pinned_window() {
  if (views_->has_pinned_window()) {
    views_->unpin_window();
  } else if (!views_->pin_window()) {
    messages_.add(LogLevel::warning, {}, tr("There is no sharp slice to pin yet."));
  }
  stream_->show_pinned(views_->has_pinned_window());
}

// The shortcut shows the dock and moves the focus to its address; pressed inside the dock, it hides the dock.
void MainWindow::toggle_stream() {
  const bool inside = stream_->isVisible() && stream_->isAncestorOf(focusWidget());
  if (!inside) return show_stream();
  stream_section_->hide();
  show_main_page();
}

// The dock is below the others, with three fifths of the height.
void MainWindow::make_room_for_stream() {
  constexpr int share = 3, of = 5;
  QList<int> sizes = right_->sizes();
  const int last = static_cast<int>(right_->indexOf(stream_section_)), height = right_->height();
  for (int& size : sizes) size = size * (of - share) / of;
  sizes[last] = height * share / of;
  right_->setSizes(sizes);
}

void MainWindow::show_stream() {
  if (pages_->currentWidget() != main_) show_main_page();
  if (mode_ != Mode::free) set_mode(Mode::free);
  if (stream_section_->isHidden()) {
    stream_section_->show();
    make_room_for_stream();
  }
  go_to(*stream_, workspaces_->current());
  stream_->form().focus_address();
}

}  // namespace tl::ui
