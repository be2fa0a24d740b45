// GraphEditor: edits the layout of the pipeline in undo steps: moves, renames, collapses, aligns cards; frames.
#include <QMap>
#include <algorithm>

#include "widgets/canvas/graph_editor.h"
#include "widgets/canvas/placing.h"

namespace tl::ui {
namespace {

constexpr double frame_pad = 20, frame_title = 36;

double aligned_start(Alignment a, const QRectF& r) {
  switch (a) {
    case Alignment::left:
    case Alignment::across: return r.left();
    case Alignment::centre: return r.center().x();
    case Alignment::right: return r.right();
    case Alignment::top:
    case Alignment::down: return r.top();
    case Alignment::middle: return r.center().y();
    case Alignment::bottom: return r.bottom();
  }
  return 0;
}

bool is_horizontal(Alignment a) {
  return a == Alignment::left || a == Alignment::centre || a == Alignment::right || a == Alignment::across;
}

// Aligns cards along a common line, or spreads them with equal gaps between the first and the last.
void align_cards(Layout& layout, const std::map<std::string, QRectF>& areas, Alignment a) {
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [id, area] : areas) order.emplace_back(aligned_start(a, area), id);
  std::sort(order.begin(), order.end());
  const bool spread = a == Alignment::across || a == Alignment::down;
  QRectF all;
  for (const auto& [id, area] : areas) all |= area;
  const double first = order.front().first, last = order.back().first;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double wanted = spread
                              ? first + (last - first) * static_cast<double>(i) / static_cast<double>(order.size() - 1)
                              : aligned_start(a, all);
    const double shift = wanted - order[i].first;
    auto& at = layout.cards[order[i].second].at;
    at = *at + (is_horizontal(a) ? QPointF(shift, 0) : QPointF(0, shift));
  }
}

}  // namespace

void GraphEditor::move(const QMap<QString, QPointF>& places) {
  if (places.isEmpty()) return;
  const QString what = places.size() == 1 ? title(places.firstKey()) : tr("%1 nodes").arg(places.size());
  edit(tr("Move %1").arg(what),
       [&](Graph&, Layout& layout) {
         for (auto i = places.begin(); i != places.end(); ++i) layout.cards[i.key().toStdString()].at = i.value();
         return ok();
       },
       {QStringLiteral("move ") + QStringList(places.keys()).join(QLatin1Char(' '))});
}

void GraphEditor::rename(const QString& node, const QString& title_text) {
  edit(tr("Rename %1").arg(title(node)), [&](Graph&, Layout& layout) {
    layout.cards[node.toStdString()].title = title_text.simplified().left(200);
    return ok();
  });
}

void GraphEditor::collapse() {
  const edit::Ids nodes = selected();
  if (nodes.empty()) return;
  edit(tr("Collapse %1").arg(selected_words()), [&](Graph&, Layout& layout) {
    const bool all = std::all_of(nodes.begin(), nodes.end(), [&](const auto& id) { return layout.card(id).collapsed; });
    for (const std::string& id : nodes) layout.cards[id].collapsed = !all;
    return ok();
  });
}

void GraphEditor::align(Alignment alignment) {
  const edit::Ids nodes = selected();
  if (nodes.size() < 2) return;
  edit(tr("Align %1").arg(selected_words()), [&](Graph& g, Layout& layout) {
    std::map<std::string, QRectF> areas;
    for (const std::string& id : nodes) areas[id] = card_area(layout, g, document_.registry(), id);
    align_cards(layout, areas, alignment);
    return ok();
  });
}

void GraphEditor::arrange() {
  edit(tr("Arrange"), [&](Graph& g, Layout& layout) {
    ui::arrange(layout, g, document_.registry());
    return ok();
  });
}

std::size_t GraphEditor::add_frame() {
  std::size_t index = 0;
  edit(tr("Frame %1").arg(selected_words()), [&](Graph& g, Layout& layout) {
    QRectF area;
    for (const std::string& id : selected()) area |= card_area(layout, g, document_.registry(), id);
    if (area.isNull()) return Result<void>(invalid("select the nodes that the frame goes around"));
    layout.frames.push_back({area.adjusted(-frame_pad, -frame_title, frame_pad, frame_pad), {}});
    index = layout.frames.size() - 1;
    return ok();
  });
  return index;
}

void GraphEditor::remove_frame(std::size_t frame) {
  edit(tr("Remove frame"), [&](Graph&, Layout& layout) {
    if (frame < layout.frames.size()) layout.frames.erase(layout.frames.begin() + static_cast<std::ptrdiff_t>(frame));
    return ok();
  });
}

void GraphEditor::set_comment(std::size_t frame, const QString& comment) {
  edit(tr("Change comment"), [&](Graph&, Layout& layout) {
    if (frame < layout.frames.size()) layout.frames[frame].comment = comment.left(Layout::max_text_length);
    return ok();
  });
}

void GraphEditor::move_frame(std::size_t frame, const QRectF& area, const QMap<QString, QPointF>& places) {
  edit(tr("Move frame"),
       [&](Graph&, Layout& layout) {
         if (frame < layout.frames.size()) layout.frames[frame].area = area;
         for (auto i = places.begin(); i != places.end(); ++i) layout.cards[i.key().toStdString()].at = i.value();
         return ok();
       },
       {QStringLiteral("frame %1").arg(frame)});
}

}  // namespace tl::ui
