// RandomUser: a simulated user who does anything that can be done in the studio, in any order, the same for the same
// seed: adds, links, deletes, undoes, changes values, runs, cancels, opens, resizes, switches themes and workspaces.
#pragma once

#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPointer>
#include <QRandomGenerator>
#include <QUndoStack>

#include "tests/support/gui/studio.h"
#include "widgets/canvas/canvas.h"
#include "widgets/export/export_dialog.h"
#include "widgets/history/history_page.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/node_form.h"
#include "widgets/queue/queue_session.h"
#include "widgets/queue/runs_area.h"
#include "widgets/theme/theme.h"
#include "widgets/views/views_area.h"

namespace tl::test {

class RandomUser final : public QObject {
 public:
  // `files`: files that it opens occasionally; they may be broken.
  RandomUser(Studio& studio, quint32 seed, QStringList files)
      : studio_(studio), random_(seed), files_(std::move(files)), canvas_(studio.window.findChild<ui::Canvas*>()) {
    // Open questions and menus are closed with Escape.
    connect(&leave_, &QTimer::timeout, this, [] {
      QWidget* open = QApplication::activePopupWidget();
      if (open == nullptr) open = QApplication::activeModalWidget();
      if (open == nullptr) return;
      if (auto* box = qobject_cast<QMessageBox*>(open)) {
        for (QAbstractButton* b : box->buttons())
          if (box->buttonRole(b) == QMessageBox::DestructiveRole) return b->click();
      }
      QTest::keyClick(open, Qt::Key_Escape);
    });
    leave_.start(20);
  }

  // One action; gives its name.
  QString act() {
    using Does = void (RandomUser::*)();
    struct Action {
      const char* name;
      int weight;
      Does does;
    };
    static constexpr std::array<Action, 22> actions = {{{"add", 14, &RandomUser::add},
                                                        {"link", 14, &RandomUser::link},
                                                        {"choose", 8, &RandomUser::choose},
                                                        {"change", 16, &RandomUser::change},
                                                        {"delete", 4, &RandomUser::remove},
                                                        {"undo", 8, &RandomUser::undo},
                                                        {"redo", 5, &RandomUser::redo},
                                                        {"drag", 6, &RandomUser::drag},
                                                        {"copy and paste", 3, &RandomUser::paste},
                                                        {"canvas key", 6, &RandomUser::canvas_key},
                                                        {"view key", 8, &RandomUser::view_key},
                                                        {"wheel", 5, &RandomUser::wheel},
                                                        {"workspace", 4, &RandomUser::workspace},
                                                        {"resize", 3, &RandomUser::resize},
                                                        {"theme", 1, &RandomUser::theme},
                                                        {"run", 4, &RandomUser::run},
                                                        {"stop", 3, &RandomUser::stop},
                                                        {"open", 3, &RandomUser::open},
                                                        {"save", 1, &RandomUser::save},
                                                        {"queue", 6, &RandomUser::queue},
                                                        {"history", 4, &RandomUser::history},
                                                        {"export", 4, &RandomUser::export_something}}};
    int sum = 0;
    for (const Action& a : actions) sum += a.weight;
    int at = below(sum);
    for (const Action& a : actions) {
      at -= a.weight;
      if (at >= 0) continue;
      (this->*a.does)();
      return QLatin1String(a.name);
    }
    return {};
  }

 private:
  int below(int n) { return n <= 0 ? 0 : static_cast<int>(random_.bounded(n)); }
  [[nodiscard]] const Graph& graph() const { return studio_.document.graph(); }
  QString any_node() {
    if (graph().nodes.empty()) return {};
    auto at = graph().nodes.begin();
    std::advance(at, below(static_cast<int>(graph().nodes.size())));
    return QString::fromStdString(at->first);
  }

  void add() {
    const auto& types = studio_.document.registry().types();
    const NodeType& type = types[static_cast<std::size_t>(below(static_cast<int>(types.size())))];
    canvas_->add_here(QString::fromStdString(type.id));
    const QString added = studio_.selection.current();
    if (!added.isEmpty() && !graph().nodes.contains(added.toStdString())) qFatal("a node that is gone is selected");
    // Scans small enough for a test.
    for (const auto& [name, size] : {std::pair{"views", 24}, {"rows", 12}, {"cols", 32}})
      if (type.inputs.empty() && type.param(name) != nullptr)
        canvas_->editor().set_parameter(added, QLatin1String(name), int64_t{size});
  }
  void link() {
    const QString from = any_node(), to = any_node();
    if (from.isEmpty()) return;
    const NodeType* type = studio_.document.registry().find(graph().nodes.at(from.toStdString()).type);
    if (type == nullptr || type->outputs.empty()) return;
    const std::string port =
        type->outputs[static_cast<std::size_t>(below(static_cast<int>(type->outputs.size())))].name;
    const auto inputs =
        edit::fitting_inputs(graph(), studio_.document.registry(), from.toStdString(), port, to.toStdString());
    const std::string end =
        inputs.empty() ? "nothing" : inputs[static_cast<std::size_t>(below(static_cast<int>(inputs.size())))];
    canvas_->editor().link({from.toStdString(), port, to.toStdString(), end});
  }
  void choose() {
    if (const QString node = any_node(); !node.isEmpty()) studio_.selection.set_one(node);
  }
  // Types into a field of the form, sense or nonsense.
  void change() {
    ui::NodeForm* form = studio_.window.inspector().form();
    if (form == nullptr || form->type().params.empty()) return;
    const auto& params = form->type().params;
    const ParamDecl& decl = params[static_cast<std::size_t>(below(static_cast<int>(params.size())))];
    ui::ParamField* field = form->field(QString::fromStdString(decl.name));
    if (auto* box = field->findChild<QComboBox*>()) {
      box->setFocus();
      QTest::keyClick(box, below(2) == 0 ? Qt::Key_Down : Qt::Key_Up);
      return;
    }
    auto* line = field->findChild<QLineEdit*>();
    if (line == nullptr || !line->isVisible()) return;
    static const QStringList texts = {"0", "1", "3", "-2.5", "16", "0.4", "auto", "1e3 um", "nonsense", "", "12 kV"};
    line->setFocus();
    line->selectAll();
    QString text = texts[below(static_cast<int>(texts.size()))];
    if (decl.path == PathRole::output) text = studio_.folder.filePath(QStringLiteral("out_%1.tif").arg(below(3)));
    if (decl.path == PathRole::input) text = files_[below(static_cast<int>(files_.size()))];
    QTest::keyClicks(line, text);
    QTest::keyClick(line, below(5) == 0 ? Qt::Key_Escape : Qt::Key_Return);
  }
  void remove() {
    choose();
    key(below(2) == 0 ? Qt::Key_Delete : Qt::Key_X, Qt::NoModifier);
  }
  void undo() { key(Qt::Key_Z, Qt::ControlModifier); }
  void redo() { key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); }
  void key(int code, Qt::KeyboardModifiers keys) {
    QTest::keyClick(&canvas_->view(), static_cast<Qt::Key>(code), keys);
  }

  void drag() {
    QWidget* port = canvas_->view().viewport();
    const auto place = [&] { return QPoint(below(port->width()), below(port->height())); };
    const QPoint from = place(), to = place();
    const Qt::MouseButton button = below(4) == 0 ? Qt::MiddleButton : Qt::LeftButton;
    QTest::mousePress(port, button, {}, from);
    for (int i = 1; i <= 3; ++i) QTest::mouseMove(port, from + (to - from) * i / 3);
    QTest::mouseRelease(port, button, {}, to);
  }
  void paste() {
    choose();
    key(Qt::Key_C, Qt::ControlModifier);
    key(Qt::Key_V, below(2) == 0 ? Qt::ControlModifier : Qt::ControlModifier | Qt::ShiftModifier);
  }
  void canvas_key() {
    static constexpr std::array<std::pair<int, int>, 9> keys = {{{Qt::Key_B, Qt::ControlModifier},
                                                                 {Qt::Key_M, Qt::ControlModifier},
                                                                 {Qt::Key_D, Qt::ControlModifier},
                                                                 {Qt::Key_L, 0},
                                                                 {Qt::Key_Home, 0},
                                                                 {Qt::Key_F, 0},
                                                                 {Qt::Key_C, Qt::AltModifier},
                                                                 {Qt::Key_G, Qt::ControlModifier},
                                                                 {Qt::Key_Right, 0}}};
    const auto& [code, modifiers] = keys.at(static_cast<std::size_t>(below(static_cast<int>(keys.size()))));
    key(code, Qt::KeyboardModifiers(modifiers));
  }
  QWidget* any_pane() {
    auto* views = studio_.window.findChild<ui::ViewsArea*>();
    QWidget* pane = views->cell(static_cast<std::size_t>(below(ui::ViewsArea::cells))).pane();
    return pane->isVisible() ? pane : nullptr;
  }
  void view_key() {
    static constexpr std::array keys = {Qt::Key_X, Qt::Key_Y,      Qt::Key_Z,  Qt::Key_O,     Qt::Key_A, Qt::Key_F,
                                        Qt::Key_L, Qt::Key_R,      Qt::Key_Up, Qt::Key_D,     Qt::Key_B, Qt::Key_Plus,
                                        Qt::Key_T, Qt::Key_Delete, Qt::Key_P,  Qt::Key_Return};
    if (QWidget* pane = any_pane())
      QTest::keyClick(pane, keys.at(static_cast<std::size_t>(below(static_cast<int>(keys.size())))));
  }
  void wheel() {
    QWidget* pane = any_pane();
    if (pane == nullptr) return;
    const QPointF middle = QRectF(pane->rect()).center();
    QWheelEvent event(middle, pane->mapToGlobal(middle), {}, {0, below(2) == 0 ? 120 : -120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(pane, &event);
  }
  void workspace() {
    QTest::keyClick(&studio_.window, static_cast<Qt::Key>(Qt::Key_1 + below(5)), Qt::ControlModifier);
  }
  void resize() { studio_.window.resize(960 + below(900), 600 + below(560)); }
  void theme() { ui::Theme::instance().set(ui::Theme::names()[below(static_cast<int>(ui::Theme::names().size()))]); }
  void run() {
    choose();
    if (below(2) == 0)
      QTest::keyClick(&studio_.window, Qt::Key_F5);
    else
      key(Qt::Key_Return, Qt::ControlModifier);
  }
  void stop() { QTest::keyClick(&studio_.window, Qt::Key_Period, Qt::ControlModifier); }
  void open() {
    if (below(5) == 0) return studio_.window.files().start_new();
    if (below(3) == 0) return studio_.window.files().open_template(QStringLiteral("example"));
    studio_.window.files().open(files_[below(static_cast<int>(files_.size()))]);
  }
  void save() { (void)studio_.document.save(studio_.folder.filePath(QStringLiteral("random.json"))); }

  // Adds scans, good and bad ones, orders, holds, changes, retries, removes, starts, pauses and stops.
  void queue() {
    ui::QueueSession& queue = studio_.window.queue();
    QTest::keyClick(&studio_.window, Qt::Key_5, Qt::ControlModifier);
    ui::QueueTable& table = studio_.window.runs().queue().table();
    if (queue.rows().size() < 12 && below(3) == 0) queue.add({files_[below(static_cast<int>(files_.size()))]});
    const int rows = table.model()->rowCount();
    if (rows > 0) table.setCurrentIndex(table.model()->index(below(rows), 0));
    static constexpr std::array<std::pair<int, int>, 8> keys = {{{Qt::Key_Up, Qt::AltModifier},
                                                                 {Qt::Key_Down, Qt::AltModifier},
                                                                 {Qt::Key_Space, 0},
                                                                 {Qt::Key_R, 0},
                                                                 {Qt::Key_F2, 0},
                                                                 {Qt::Key_Delete, 0},
                                                                 {Qt::Key_Return, 0},
                                                                 {Qt::Key_F5, 0}}};
    const auto& [code, modifiers] = keys.at(static_cast<std::size_t>(below(static_cast<int>(keys.size()))));
    QWidget& to = code == Qt::Key_F5 ? static_cast<QWidget&>(studio_.window) : static_cast<QWidget&>(table);
    QTest::keyClick(&to, static_cast<Qt::Key>(code), Qt::KeyboardModifiers(modifiers));
    if (below(6) == 0) queue.cancel();
  }
  // Views cards, opens and deletes some, searches.
  void history() {
    QTest::keyClick(&studio_.window, Qt::Key_5, Qt::ControlModifier);
    auto* page = studio_.window.findChild<ui::HistoryPage*>();
    if (page == nullptr || !page->isVisible()) return;
    if (auto* search = page->findChild<QLineEdit*>(); search != nullptr && below(4) == 0) {
      search->clear();
      QTest::keyClicks(search, below(2) == 0 ? QStringLiteral("scan") : QStringLiteral(""));
      return;
    }
    QListView* cards = &page->cards();
    if (cards->model()->rowCount() == 0) return;
    cards->setCurrentIndex(cards->model()->index(below(cards->model()->rowCount()), 0));
    static constexpr std::array keys = {Qt::Key_Return, Qt::Key_Down, Qt::Key_Up, Qt::Key_Delete, Qt::Key_Space};
    QTest::keyClick(cards, keys.at(static_cast<std::size_t>(below(static_cast<int>(keys.size())))));
  }
  // Chooses a format, and exports if possible. The dialog is closed soon, while the export continues.
  void export_something() {
    choose();
    QTest::keyClick(&studio_.window, Qt::Key_E, Qt::ControlModifier);
    const QPointer<ui::ExportDialog> dialog = studio_.window.findChild<ui::ExportDialog*>();
    if (dialog == nullptr || !dialog->isVisible() || dialog->session().formats().empty()) return;
    const auto& formats = dialog->session().formats();
    dialog->session().choose_format(formats[static_cast<std::size_t>(below(static_cast<int>(formats.size())))].id);
    const QString file = studio_.folder.filePath(QStringLiteral("export_%1").arg(below(4)));
    dialog->session().change([&](exports::Settings& s) {
      s.file = file.toStdString();
      s.bin = 1 + below(2);
    });
    handle_queued_events();
    if (dialog == nullptr) return;  // left meanwhile
    for (QAbstractButton* b : dialog->findChildren<QAbstractButton*>())
      if (b->text() == QStringLiteral("Export") && b->isEnabled() && below(3) > 0) return b->click();
  }

  Studio& studio_;
  QRandomGenerator random_;
  QStringList files_;
  ui::Canvas* canvas_;
  QTimer leave_;
};

}  // namespace tl::test
