// A simulated user who paints labels in the panes of a studio, with the mouse.
#pragma once

#include <algorithm>
#include <optional>

#include "core/strokes/painted_labels.h"
#include "tests/support/gui/newcomer.h"
#include "tests/support/gui/studio.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/slice_pane.h"
#include "widgets/views/state/painter.h"
#include "widgets/views/views_area.h"

namespace tl::test {

inline constexpr double painted_voxel = 0.01;  // mm

inline Graph volume_to_paint() {
  Graph g;
  g.nodes["phantom"] = {"input.labelled_phantom", 1, {{"width", int64_t{96}}, {"height", int64_t{64}}}};
  g.nodes["smooth"] = {"filter.gaussian", 1, {}};
  g.links.push_back({"phantom", "volume", "smooth", "volume"});
  return g;
}

// A simulated user who paints in the panes of a studio. Positions are voxels from the centre of the volume.
struct Painting : Studio {
  ui::ViewsArea* views = nullptr;
  std::optional<Newcomer> user;

  [[nodiscard]] bool begin() {
    ui::Theme::instance().set(QStringLiteral("dark"));
    if (!open()) return false;
    document.reset(volume_to_paint());
    window.show_main_page();
    window.workspaces().show(ui::Workspace::see);
    selection.set_one(QStringLiteral("smooth"));
    views = window.findChild<ui::ViewsArea*>();
    user.emplace(window);
    return QTest::qWaitFor([&] { return slice(0).is_current() && slice(1).is_current(); }, test::patience_ms);
  }
  [[nodiscard]] ui::SlicePane& slice(std::size_t cell) {
    return *qobject_cast<ui::SlicePane*>(views->cell(cell).pane());
  }
  [[nodiscard]] ui::Painter& painter() { return views->state().painter(); }
  static QPoint at(const ui::SlicePane& pane, Vec3 voxels) {
    return pane.to_widget(pane.plane()->to_pane(painted_voxel * voxels)).toPoint();
  }
  // The label shown by a pane at that position.
  static QString label_at(const ui::SlicePane& pane, Vec3 voxels) {
    const QString text = pane.value_text(QPointF(at(pane, voxels)));
    return text.contains(QStringLiteral(" · ")) ? text.section(QStringLiteral(" · "), 0, 0) : QString();
  }
  static void see(const ui::SlicePane& pane, Vec3 voxels, const QString& label) {
    Newcomer::wait_for(QStringLiteral("\"%1\" at %2 %3 %4 in %5, which shows \"%6\"")
                           .arg(label)
                           .arg(voxels.x)
                           .arg(voxels.y)
                           .arg(voxels.z)
                           .arg(pane.kind_text(), pane.value_text(QPointF(at(pane, voxels)))),
                       [&] { return label_at(pane, voxels) == label; });
  }
  void drag(ui::SlicePane& pane, Vec3 from, Vec3 to) { user->drag(pane, at(pane, from), at(pane, to)); }
  // Selects a tool by its button in the bar of a pane, to which the mouse moves first.
  void take(ui::SlicePane& pane, const QString& button) {
    user->point_at(pane, at(pane, {20, 20, 0}));
    if (!pane.paints()) user->press_in(pane, QStringLiteral("Paint labels"));
    user->press_in(pane, button);
  }
  void set_size(int size) {
    ui::PaintSettings s = painter().settings();
    s.size = size;
    painter().set_settings(s);
  }
  [[nodiscard]] int64_t stroke() const {
    for (const auto& [id, node] : document.graph().nodes)
      if (node.type == "segment.painted")
        if (const auto set = node.params.find("stroke"); set != node.params.end())
          return std::get<int64_t>(set->second);
    return -1;
  }
  [[nodiscard]] std::string strokes_file() const {
    for (const auto& [id, node] : document.graph().nodes)
      if (node.type == "segment.painted") return std::get<std::string>(node.params.at("file"));
    return {};
  }
  // Number of voxels in the file's strokes, as counted by the pipeline.
  [[nodiscard]] int64_t voxels_of(uint16_t number) const {
    const auto labels = strokes::PaintedLabels::open(strokes_file()).or_throw()->at(stroke()).or_throw();
    int64_t count = 0;
    for (const auto& [brick, content] : labels->bricks())
      count += std::count(content->numbers.begin(), content->numbers.end(), number);
    return count;
  }
  void current(int64_t number) {
    ui::LabelView view = views->state().label_view();
    view.current = number;
    views->state().set_label_view(view);
  }
};

}  // namespace tl::test
