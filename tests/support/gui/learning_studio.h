// The studio with a small scan in its learning workspace, for tests of the learning dock.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include <cmath>

#include "tests/support/gui/window.h"
#include "widgets/canvas/canvas.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/node_form.h"
#include "widgets/learning/learning_panel.h"
#include "widgets/window/main_window.h"
#include "widgets/window/state/settings.h"

namespace tl::ui {

using test::patience_ms;

inline constexpr double true_axis = 3;

inline Graph scan(double degrees, int64_t views = 120, int64_t cols = 96) {
  Graph g;
  g.title = "Learning";
  g.nodes["simulate"] = {"input.simulate_scan",
                         1,
                         {{"views", views},
                          {"rows", int64_t{8}},
                          {"cols", cols},
                          {"range", Number{degrees, Unit::deg}},
                          {"photons", Number{1e4, {}}},
                          {"axis", Number{true_axis, Unit::px}}}};
  g.nodes["flat_field"] = {"correct.flat_field", 1, {}};
  g.nodes["axis"] = {"geometry.set", 1, {{"axis", Number{0, Unit::px}}}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"simulate", "projections", "flat_field", "projections"},
             {"flat_field", "projections", "axis", "projections"},
             {"axis", "projections", "fbp", "projections"}};
  return g;
}

struct LearningStudio {
  QTemporaryDir folder;
  Document document;
  LiveSession session{document};
  Selection selection;
  Settings settings{folder.filePath("studio.ini")};
  MainWindow window{session, selection, settings};

  [[nodiscard]] bool open(const Graph& graph, Workspace workspace = Workspace::learn) {
    window.resize(1440, 900);
    if (!test::open_window(window)) return false;
    document.reset(graph);
    window.show_main_page();
    window.workspaces().show(workspace);
    selection.set_one("axis");
    return test::wait_for_work([&] { return session.info("fbp", "volume") != nullptr; });
  }
  // Clicks the nabla symbol of a parameter of the selected node.
  void mark(const QString& param) {
    ParamField* field = window.inspector().form()->field(param);
    window.inspector().ensureWidgetVisible(field);
    QCoreApplication::processEvents();
    for (QToolButton* b : field->findChildren<QToolButton*>())
      if (b->isCheckable()) QTest::mouseClick(b, Qt::LeftButton);
  }
  [[nodiscard]] QPushButton* button(const QString& text) {
    for (QPushButton* b : window.learning_panel().findChildren<QPushButton*>())
      if (b->text() == text && b->isVisibleTo(&window)) return b;
    return nullptr;
  }
  [[nodiscard]] bool press(const QString& text) {
    QPushButton* b = button(text);
    if (b == nullptr || !b->isEnabled()) return false;
    window.learning_panel().ensureWidgetVisible(b);
    QCoreApplication::processEvents();
    QTest::mouseClick(b, Qt::LeftButton);
    return true;
  }
  [[nodiscard]] bool reaches(JobState state) {
    return test::wait_for_work([&] { return window.learning().state() == state; });
  }
  [[nodiscard]] double axis() const {
    const auto& params = document.graph().nodes.at("axis").params;
    const auto found = params.find("axis");
    return found == params.end() ? std::nan("") : std::get<Number>(found->second).value;
  }
  template <class T>
  [[nodiscard]] T* part() {
    return window.findChild<T*>();
  }
};

}  // namespace tl::ui
