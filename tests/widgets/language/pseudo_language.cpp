// Pseudo-language: all pages, docks and dialogs in a language 40 % longer than English: every text comes through the
// translators, none is cut, every widget that is used has a name for screen readers.
#include <QLayout>
#include <QMenu>
#include <QScreen>

#include "core/node/registry.h"
#include "tests/support/gui/pseudo_language.h"
#include "tests/support/gui/studio.h"
#include "tests/support/gui/text_walk.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/special_tools.h"
#include "widgets/theme/theme.h"

namespace tl::ui::pseudo_language_test {

using test::in_pseudo_language;
using test::patience_ms;
using test::PseudoLanguage;
using test::Studio;
using test::TextWalk;

class PseudoLanguageTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void it_is_longer();
  void all_workspaces_data();
  void all_workspaces();
  void all_dialogs_data() { all_workspaces_data(); }
  void all_dialogs();
  void all_forms_of_nodes();
};

namespace {

// What is the same in every language.
void allow_names(TextWalk& walk, const Registry& registry) {
  walk.allow({"Tomoloom", "Deutsch", "English"});
  // Units, planes, elements and materials as NIST names them, programs, formats and types of numbers.
  walk.allow({"XY", "XZ", "YZ", "Nyquist", "Al", "Water", "Liquid", "torch"});
  walk.allow({"um",    "deg",    "keV", "MeV",  "GiB", "float", "uint",   "double", "bool",
              "CUDA",  "GPU",    "CPU", "TIFF", "HDF", "NeXus", "nxtomo", "ONNX",   "safetensors",
              "Slurm", "ZeroMQ", "CSV", "JSON", "PNG", "NumPy", "Zarr"});
  // Keys.
  walk.allow({"Shift", "Alt", "Ctrl", "Space", "Tab", "Esc", "Del", "Enter", "Return", "Home", "End", "Ins"});
  // Ports and parameters by their names in files, which links are written with.
  for (const NodeType& type : registry.types()) {
    for (const auto* ports : {&type.inputs, &type.outputs})
      for (const PortDecl& port : *ports) walk.allow({QString::fromStdString(port.name)});
    for (const ParamDecl& param : type.params) walk.allow({QString::fromStdString(param.name)});
  }
}

void report(const TextWalk& walk) {
  for (const QString& problem : walk.problems()) qWarning("%s", qPrintable(problem));
  QVERIFY2(walk.problems().isEmpty(), qPrintable(QStringLiteral("%1 problems").arg(walk.problems().size())));
}

QAction* action_named(const MainWindow& window, const QString& english) {
  for (QAction* action : window.actions())
    if (action->text().remove('&') == in_pseudo_language(english)) return action;
  return nullptr;
}

// True if the layout has the room that it needs, or the window all that the screen has.
bool is_large_enough(const QWidget& window) {
  if (window.layout() == nullptr) return true;
  const QSize needs = window.layout()->minimumSize().boundedTo(window.screen()->availableSize());
  return window.width() >= needs.width() && window.height() >= needs.height();
}

struct PseudoStudio {
  PseudoLanguage language;
  Studio studio;
  TextWalk walk;
  explicit PseudoStudio(const QSize& size) {
    allow_names(walk, studio.document.registry());
    studio.window.resize(size);
  }
  bool open_example(const QSize& size) {
    if (!studio.open()) return false;
    studio.window.resize(size);
    test::handle_queued_events();
    walk.walk(studio.window, QStringLiteral("welcome"));
    test::keep_picture(studio.window, QStringLiteral("pseudo_welcome_%1").arg(size.width()), 100);
    if (!studio.press(in_pseudo_language(QStringLiteral("Try the example")))) return false;
    for (const auto& [id, node] : studio.document.graph().nodes) walk.allow({QString::fromStdString(id)});
    return QTest::qWaitFor([this] { return studio.session.forecast().seconds >= 0; }, patience_ms);
  }
};

}  // namespace

void PseudoLanguageTest::it_is_longer() {
  for (const char* text :
       {"Open…", "&File", "Preferences…", "Memory that a run may use, including the cache.", "%1 of %2"}) {
    const QString english = QString::fromUtf8(text), pseudo = in_pseudo_language(english);
    const auto letters = [](const QString& s) { return QString(s).remove('&').remove("%1").remove("%2").size(); };
    QVERIFY2(std::abs(letters(pseudo) - 1.4 * letters(english)) <= 1, qPrintable(pseudo));  // rounded
  }
  QCOMPARE(in_pseudo_language("<b>%1</b> &amp; %n"), QString("<b>%1</b> &amp; %n"));
  QVERIFY(in_pseudo_language("&Edit").startsWith("&É"));
}

void PseudoLanguageTest::all_workspaces_data() {
  QTest::addColumn<QSize>("size");
  QTest::newRow("1000x700") << QSize(1000, 700);
  QTest::newRow("1920x1200") << QSize(1920, 1200);
}

void PseudoLanguageTest::all_workspaces() {
  QFETCH(QSize, size);
  PseudoStudio pseudo(size);
  QVERIFY(pseudo.open_example(size));
  MainWindow& window = pseudo.studio.window;
  for (const Workspace workspace : ui::all_workspaces) {
    window.workspaces().show(workspace);
    const QString name = workspace_name(workspace);
    QTest::qWait(50);
    test::handle_queued_events();
    pseudo.walk.walk(window, name);
    test::keep_picture(window, QStringLiteral("pseudo_%1_%2").arg(name).arg(size.width()), 1500);
    // All pages of stacks and tabs.
    for (QTabBar* bar : window.findChildren<QTabBar*>()) {
      if (!bar->isVisible()) continue;
      const int before = bar->currentIndex();
      for (int i = 0; i < bar->count(); ++i) {
        bar->setCurrentIndex(i);
        test::handle_queued_events();
        pseudo.walk.walk(window, QStringLiteral("%1, tab %2").arg(name, bar->tabText(i)));
        test::keep_picture(window, QStringLiteral("pseudo_%1_%2_tab%3").arg(name).arg(size.width()).arg(i), 100);
      }
      bar->setCurrentIndex(before);
    }
  }
  window.workspaces().show(Workspace::weave);
  for (const auto& [id, node] : pseudo.studio.document.graph().nodes) {
    pseudo.studio.selection.set_one(QString::fromStdString(id));
    test::handle_queued_events();
    pseudo.walk.walk(window, QStringLiteral("node %1").arg(QString::fromStdString(id)));
  }
  window.set_mode(MainWindow::Mode::guided);
  test::handle_queued_events();
  pseudo.walk.walk(window, QStringLiteral("guided"));
  test::keep_picture(window, QStringLiteral("pseudo_guided_%1").arg(size.width()), 500);
  QVERIFY(pseudo.walk.texts() > 1000);
  report(pseudo.walk);
}

void PseudoLanguageTest::all_dialogs() {
  QFETCH(QSize, size);
  PseudoStudio pseudo(size);
  QVERIFY(pseudo.open_example(size));
  MainWindow& window = pseudo.studio.window;
  for (QMenu* menu : window.findChildren<QMenu*>())
    if (menu->parent() == &window) pseudo.walk.walk_menu(*menu, QStringLiteral("menu"));
  // What is now in front of the window, or in it.
  const auto walk_new = [&](const QString& name) {
    test::handle_queued_events();
    for (QWidget* top : QApplication::topLevelWidgets()) {
      if (!top->isVisible() || top == &window || qobject_cast<QMenu*>(top) != nullptr) continue;
      if (top->property("role") == "tip" || top->inherits("QTipLabel")) continue;
      // Shown, and as large as its contents ask for: the first size reaches it by the window system.
      QVERIFY(QTest::qWaitForWindowExposed(top, patience_ms));
      QVERIFY2(QTest::qWaitFor([top] { return is_large_enough(*top); }, patience_ms), qPrintable(name));
      pseudo.walk.walk(*top, name);
      test::keep_picture(*top, QStringLiteral("pseudo_%1_%2").arg(name).arg(size.width()), 200);
      top->close();
    }
    test::handle_queued_events();
  };
  for (const char* name :
       {"Preferences…", "Export…", "Find an action…", "Messages", "About Tomoloom", "User guide", "Shortcuts"}) {
    QAction* action = action_named(window, QString::fromUtf8(name));
    QVERIFY2(action != nullptr, name);
    action->trigger();
    walk_new(QString::fromUtf8(name).remove(QChar(0x2026)));
  }
  pseudo.walk.walk(window, QStringLiteral("with messages"));
  auto* tools = window.inspector().findChild<SpecialTools*>();
  for (const auto& [id, node] : pseudo.studio.document.graph().nodes) {
    pseudo.studio.selection.set_one(QString::fromStdString(id));
    test::handle_queued_events();
    for (QPushButton* button : tools->findChildren<QPushButton*>()) {
      if (!button->isVisible() || !button->isEnabled()) continue;
      button->click();
      walk_new(QStringLiteral("tool_%1").arg(button->text().remove(QChar(0x2026))));
    }
  }
  report(pseudo.walk);
}

// The inspector with every node, as wide as in a small window.
void PseudoLanguageTest::all_forms_of_nodes() {
  const PseudoLanguage language;
  Document document;
  Selection selection;
  LiveSession session{document};
  Inspector inspector{session, selection};
  inspector.resize(346, 900);
  QVERIFY(test::open_window(inspector));
  TextWalk walk;
  allow_names(walk, document.registry());
  walk.allow({"node"});
  for (const NodeType& type : document.registry().types()) {
    document.edit(QStringLiteral("add"), [&](Graph& graph) {
      graph.nodes.clear();
      graph.nodes["node"] = GraphNode{type.id, type.version, {}};
    });
    selection.clear();
    selection.set_one(QStringLiteral("node"));
    test::handle_queued_events();
    walk.walk(inspector, QString::fromStdString(type.id));
    test::keep_picture(inspector, QStringLiteral("pseudo_form_%1").arg(QString::fromStdString(type.id)), 0);
  }
  report(walk);
}

TL_TEST_CASE(PseudoLanguageTest)

}  // namespace tl::ui::pseudo_language_test

#include "pseudo_language.moc"
