// Newcomer: a simulated user of the main window with only a mouse and a keyboard. Every event is sent to a window at a
// screen position, as by the system: a button covered by something else, a key in a widget without focus, or an
// unhandled double click ends the task with a message that says so.
#pragma once

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QListView>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <QWindow>
#include <functional>

#include "tests/support/gui/window.h"
#include "widgets/theme/theme.h"

namespace tl::test {

// Why a task cannot go on.
struct Stuck {
  QString why;
};

// The largest number of actions that a careful user needs for a task.
struct Budget {
  int clicks = 0, keys = 0;
};

class Newcomer {
 public:
  explicit Newcomer(QWidget& window) : window_(window) {}

  // A double click counts as two, a drag and a turn of the wheel as one each.
  [[nodiscard]] int clicks() const { return clicks_; }
  // A file name counts as one, however long the path to the test's folder is.
  [[nodiscard]] int keys() const { return keys_; }
  void add_work(const Budget& elsewhere) {
    clicks_ += elsewhere.clicks;
    keys_ += elsewhere.keys;
  }

  static void expect(bool condition, const QString& what) {
    if (!condition) throw Stuck{what};
  }
  template <class Condition>
  static void wait_for(const QString& what, const Condition& condition) {
    if (!test::wait_for_work(condition))
      throw Stuck{QStringLiteral("waited in vain: %1; %2").arg(what, keyboard_state())};
  }

  // The mouse.
  void click(QWidget& on, const QPoint& at, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers keys = {}) {
    ++clicks_;
    QTest::mouseClick(window_under(on, at), button, keys, place_in_window(on, at));
  }
  void click(QWidget& on) {
    bring_into_view(on);
    click(on, on.rect().center());
  }
  void double_click(QWidget& on, const QPoint& at) {
    clicks_ += 2;
    QTest::mouseDClick(window_under(on, at), Qt::LeftButton, {}, place_in_window(on, at));
  }
  void drag(QWidget& on, const QPoint& from, const QPoint& to) {
    ++clicks_;
    constexpr int moves = 8;
    QWindow* window = window_under(on, from);
    QTest::mouseMove(window, place_in_window(on, from));
    QTest::mousePress(window, Qt::LeftButton, {}, place_in_window(on, from));
    for (int i = 1; i <= moves; ++i) QTest::mouseMove(window, place_in_window(on, from + (to - from) * i / moves));
    QTest::mouseRelease(window, Qt::LeftButton, {}, place_in_window(on, to));
  }
  // Moves the mouse there without pressing a button: tools over a view then appear.
  void point_at(QWidget& on, const QPoint& at) {
    QTest::mouseMove(window_under(on, at), place_in_window(on, at));
    handle_queued_events();
  }
  // Clicks the button with that name or text.
  void press(const QString& name) { press_in(window_, name); }
  void press_in(QWidget& where, const QString& name) {
    QAbstractButton* button = nullptr;
    wait_for(QStringLiteral("a button \"%1\" that can be pressed").arg(name),
             [&] { return (button = find_button(where, name)) != nullptr && button->isEnabled(); });
    click(*button);
  }
  // Opens a list and clicks one of its lines.
  void choose_in_list(QWidget& where, const QString& name, const QString& item) {
    QComboBox* box = named<QComboBox>(where, name);
    const int row = box->findText(item);
    expect(row >= 0, QStringLiteral("\"%1\" is not in the list \"%2\"").arg(item, name));
    click(*box);
    wait_for(QStringLiteral("the list \"%1\" opens").arg(name), [&] { return box->view()->isVisible(); });
    // Qt treats a button that is released sooner as the end of the click that opened the list.
    QTest::qWait(QApplication::doubleClickInterval() + 50);
    const QModelIndex index = box->model()->index(row, box->modelColumn());
    box->view()->scrollTo(index);
    click(*box->view()->viewport(), box->view()->visualRect(index).center());
    wait_for(QStringLiteral("\"%1\" is chosen").arg(item),
             [&] { return !box->view()->isVisible() && box->currentText() == item; });
  }

  // Presses a key, which goes to the widget with the focus.
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    ++keys_;
    QTest::keyClick(keyboard_window(), key, modifiers);
  }
  void type(const QString& text) {
    for (const QChar& c : text) {
      ++keys_;
      QTest::keyClick(keyboard_window(), c.toLatin1());
    }
  }
  void type_file_name(const QString& path) {
    ++keys_;
    for (const QChar& c : path) QTest::keyClick(keyboard_window(), c.toLatin1());
  }

  // Performs an action that opens a menu, a question or a file dialog that blocks until it is closed, and answers it by
  // `answer`.
  void with_dialog(const std::function<void()>& open, const std::function<void(QWidget&)>& answer) {
    std::optional<Stuck> stuck;
    bool is_answered = false;
    const QPointer<QWidget> before = QApplication::activeWindow();
    QTimer look;
    look.setInterval(20);
    QObject::connect(&look, &QTimer::timeout, &look, [&] {
      QWidget* dialog = QApplication::activePopupWidget();
      if (dialog == nullptr) dialog = QApplication::activeModalWidget();
      if (dialog == nullptr || !dialog->isVisible()) return;
      look.stop();
      // No exception may leave through the event loop.
      try {
        activate(*dialog);
        answer(*dialog);
        is_answered = true;
      } catch (const Stuck& s) {
        stuck = s;
        dialog->close();
      }
    });
    look.start();
    open();
    if (!stuck) wait_for(QStringLiteral("a menu or a dialog opens"), [&] { return is_answered || stuck; });
    if (stuck) throw Stuck(*stuck);
    if (before != nullptr && before->isVisible()) activate(*before);
  }
  // Performs an action that opens a file dialog, and types a file name into it.
  void name_a_file(const std::function<void()>& open, const QString& path) {
    with_dialog(open, [this, path](QWidget& dialog) {
      expect(qobject_cast<QFileDialog*>(&dialog) != nullptr, QStringLiteral("no file dialog opened"));
      const QPointer<QWidget> still(&dialog);
      type_file_name(path);
      key(Qt::Key_Return);
      // The dialog lists its folder in its own thread, and does not close before it has found the file.
      wait_for(QStringLiteral("the file dialog takes the name"), [&] {
        if (still != nullptr && still->isVisible() && QApplication::activeModalWidget() == still)
          QTest::keyClick(keyboard_window(), Qt::Key_Return);
        return still == nullptr || !still->isVisible();
      });
    });
  }
  void choose_in_menu(const std::function<void()>& open, const QString& item) {
    with_dialog(open, [this, item](QWidget& popup) {
      auto* menu = qobject_cast<QMenu*>(&popup);
      expect(menu != nullptr, QStringLiteral("no menu opened"));
      for (QAction* action : menu->actions())
        if (action->text().remove('&') == item) return click(*menu, menu->actionGeometry(action).center());
      throw Stuck{QStringLiteral("\"%1\" is not in the menu").arg(item)};
    });
  }
  // There is no window manager that would activate a new window, or afterwards the previous one.
  static void activate(QWidget& window) {
    if (window.windowType() == Qt::Popup) return;
    window.raise();
    window.activateWindow();
    wait_for(QStringLiteral("the window comes up"), [&] { return window.isActiveWindow(); });
  }

  // The visible widget of that name.
  template <class Widget>
  static Widget* named(QWidget& where, const QString& name) {
    Widget* found = nullptr;
    wait_for(QStringLiteral("\"%1\" is visible").arg(name), [&] {
      for (Widget* w : where.findChildren<Widget*>())
        if (w->isVisible() && w->accessibleName() == name) found = w;
      return found != nullptr;
    });
    return found;
  }

 private:
  static QAbstractButton* find_button(QWidget& where, const QString& name) {
    for (QAbstractButton* b : where.findChildren<QAbstractButton*>())
      if (b->isVisible() && (b->accessibleName() == name || b->text().remove('&') == name)) return b;
    return nullptr;
  }
  static QPoint place_in_window(const QWidget& on, const QPoint& at) { return on.mapTo(on.window(), at); }
  // The window of the widget, as soon as the widget is the one under the mouse there.
  static QWindow* window_under(QWidget& on, const QPoint& at) {
    QWidget* window = on.window();
    expect(on.isVisible(), QStringLiteral("%1 is not visible").arg(words_for(&on)));
    expect(on.rect().contains(at), QStringLiteral("a position outside %1").arg(words_for(&on)));
    const QPoint place = place_in_window(on, at);
    const auto under = [&]() -> QWidget* {
      QWidget* child = window->childAt(place);
      return child == nullptr ? window : child;
    };
    constexpr int layout_ms = 2000;  // a layout may be pending
    const bool is_reached = QTest::qWaitFor([&] { return &on == under() || on.isAncestorOf(under()); }, layout_ms);
    expect(is_reached,
           QStringLiteral("the mouse does not reach %1: %2 lies there").arg(words_for(&on), words_for(under())));
    return window->windowHandle();
  }
  static QString words_for(const QWidget* w) {
    const auto* button = qobject_cast<const QAbstractButton*>(w);
    const QString name = !w->accessibleName().isEmpty() ? w->accessibleName()
                         : button != nullptr            ? button->text()
                                                        : QString();
    return QStringLiteral("%1 \"%2\"").arg(QLatin1String(w->metaObject()->className()), name);
  }
  // Popups receive the keyboard while they are open, dialogs before the main window.
  [[nodiscard]] QWindow* keyboard_window() const {
    QWidget* widget = QApplication::activePopupWidget();
    if (widget == nullptr) widget = QApplication::activeModalWidget();
    if (widget == nullptr) widget = QApplication::activeWindow();
    return (widget == nullptr ? &window_ : widget)->windowHandle();
  }
  // Turns the wheel over the scrolled area until the widget is in sight.
  void bring_into_view(QWidget& on) {
    QScrollArea* area = nullptr;
    for (QWidget* w = on.parentWidget(); w != nullptr && area == nullptr; w = w->parentWidget())
      area = qobject_cast<QScrollArea*>(w);
    if (area == nullptr) return;
    QWidget* port = area->viewport();
    const auto distance = [&] {
      const QRect shown(on.mapTo(port, QPoint(0, 0)), on.size());
      return shown.top() < 0 ? shown.top() : std::max(0, shown.bottom() - port->height() + 1);
    };
    constexpr int max_turns = 30;
    handle_queued_events();  // a widget that was just shown gets its layout
    for (int turns = 0; distance() != 0 && turns < max_turns; ++turns) {
      ++clicks_;
      const QPointF at = port->mapTo(port->window(), port->rect().center());
      QWheelEvent turn(at, port->window()->mapToGlobal(at), {}, {0, distance() > 0 ? -120 : 120}, Qt::NoButton,
                       Qt::NoModifier, Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(port->window()->windowHandle(), &turn);
      handle_queued_events();
    }
  }

  QWidget& window_;
  int clicks_ = 0, keys_ = 0;
};

// A new home folder without settings, and dialogs that mouse and keys can reach.
struct NewHome {
  QTemporaryDir folder;
  // False if the folder could not be made.
  [[nodiscard]] bool enter() const {
    qputenv("HOME", folder.path().toLocal8Bit());
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    ui::Theme::instance().set(QStringLiteral("dark"));
    return folder.isValid();
  }
};

// Performs a task, prints the number of actions, and fails if it could not be done within the budget. The screenshot at
// its end is saved as "newcomer-NAME".
inline void do_task(const char* name, const Budget& budget, QWidget& window,
                    const std::function<void(Newcomer&)>& task) {
  Newcomer newcomer(window);
  try {
    task(newcomer);
  } catch (const Stuck& stuck) {
    keep_picture(window, QStringLiteral("newcomer-%1-stuck").arg(QLatin1String(name)), 0);
    QFAIL(qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(name), stuck.why)));
  }
  keep_picture(window, QStringLiteral("newcomer-%1").arg(QLatin1String(name)));
  qInfo("%s: %d clicks, %d keys (at most %d and %d)", name, newcomer.clicks(), newcomer.keys(), budget.clicks,
        budget.keys);
  QVERIFY2(newcomer.clicks() <= budget.clicks && newcomer.keys() <= budget.keys, name);
}

}  // namespace tl::test
