// HintBar: rows of hints; adding a node moves the cards behind it to the right.
#include "widgets/window/hint_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/graph/edit.h"
#include "core/values/enum_rows.h"
#include "widgets/canvas/items/card.h"
#include "widgets/canvas/placing.h"
#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/text/typeset.h"
#include "widgets/theme/explain_button.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* dismissed_key = "dismissed_hints";
constexpr double room_for_card = card_size::width + 40;  // px

// Words of the guide on each kind of hint.
struct HintWords {
  HintKind value;
  const char* words;
};
constexpr HintWords words_on_hints[] = {
    {HintKind::angle_unit, "radians"},
    {HintKind::angular_range, "angular range"},
    {HintKind::axis, "axis resolved"},
    {HintKind::missing_angles, "missing views"},
    {HintKind::pixel_values, "transmission hints"},
    {HintKind::references, "references hints"},
    {HintKind::rings, "rings hints"},
    {HintKind::saturation, "saturated"},
    {HintKind::truncation, "wider detector"},
    {HintKind::zingers, "zinger"},
};
static_assert(has_rows_up_to(words_on_hints, HintKind::zingers));

std::string hint_name(const Hint& hint) { return hint.source + "." + std::string(to_string(hint.kind)); }

Json dismissed_in(const Json& ui) {
  const auto found = ui.find(dismissed_key);
  return found != ui.end() && found->is_array() ? *found : Json::array();
}

Json read_ui(const Graph& graph) {
  Json ui = graph.ui.empty() ? Json::object() : Json::parse(graph.ui, nullptr, false);
  return ui.is_object() ? ui : Json::object();
}

bool is_dismissed(const Graph& graph, const Hint& hint) {
  const Json names = dismissed_in(read_ui(graph));
  return std::find(names.begin(), names.end(), Json(hint_name(hint))) != names.end();
}

// The new card gets the position of the first card that it feeds, which moves right with all cards behind it.
void insert_before_first_target(Layout& layout, const Graph& graph, const std::string& node) {
  std::optional<QPointF> at;
  for (const Link& link : graph.links)
    if (const auto place = layout.card(link.to_node).at;
        link.from_node == node && place && (!at || place->x() < at->x()))
      at = place;
  if (!at) return;
  for (const std::string& id : edit::downstream(graph, node))
    if (const auto place = layout.card(id).at; place && place->x() >= at->x())
      layout.cards[id].at = *place + QPointF(room_for_card, 0);
  layout.cards[node].at = at;
}

}  // namespace

HintBar::HintBar(LiveSession& session, Selection& selection, QWidget* parent)
    : QFrame(parent), session_(session), selection_(selection), rows_(new QVBoxLayout), more_(new QToolButton(this)) {
  setProperty("role", "status");
  setAttribute(Qt::WA_StyledBackground);
  setObjectName(QStringLiteral("hints"));
  setAccessibleName(tr("Hints about the scan"));
  auto* line = spaced(new QHBoxLayout(this), 2, {3, 1, 3, 1});
  rows_->setSpacing(Theme::space(1));
  line->addLayout(rows_, 1);
  more_->setProperty("role", "fold");
  more_->setCheckable(true);
  more_->setObjectName(QStringLiteral("more_hints"));
  line->addWidget(more_, 0, Qt::AlignTop);
  connect(more_, &QToolButton::toggled, this, &HintBar::show_rows);
  connect(&session, &LiveSession::hints_changed, this, &HintBar::show_hints);
  connect(&session.document(), &Document::graph_changed, this, &HintBar::show_hints);
  connect(&session.document(), &Document::layout_changed, this, &HintBar::show_hints);
  hide();
}

void HintBar::show_hints() {
  const Graph& graph = session_.document().graph();
  std::vector<Hint> now = open_hints(graph, session_.hints());
  std::erase_if(now, [&](const Hint& hint) { return is_dismissed(graph, hint); });
  if (now == shown_) return;
  shown_ = std::move(now);
  while (QLayoutItem* item = rows_->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();  // this function may be called by one of its buttons
    delete item;
  }
  for (const Hint& hint : shown_) rows_->addWidget(make_row(hint));
  show_rows();
  setVisible(!shown_.empty());
}

QWidget* HintBar::make_row(const Hint& hint) {
  auto* row = new QWidget(this);
  auto* line = spaced(new QHBoxLayout(row), 2);
  const QString evidence = typeset(window_text(hint.evidence));
  const auto colon = evidence.indexOf(QLatin1Char(':'));
  auto* what = new QLabel(evidence.left(colon), row);
  what->setProperty("tone", "warning");
  line->addWidget(what);
  auto* found = new QLabel(evidence.mid(colon + 1).trimmed() + QStringLiteral(". ") + window_text(hint.advice), row);
  found->setTextFormat(Qt::PlainText);
  found->setToolTip(found->text());
  found->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  line->addWidget(found, 1);
  line->addWidget(explain_button(QString::fromLatin1(enum_row(words_on_hints, hint.kind).words),
                                 tr("the hint: %1").arg(what->text()), row));
  if (const NodeType* type = session_.document().registry().find(hint.node)) {
    auto* add_node = new QPushButton(tr("Add %1").arg(translated(type->title)), row);
    add_node->setObjectName(QStringLiteral("add_hint"));
    add_node->setToolTip(translated(type->summary));
    connect(add_node, &QPushButton::clicked, this, [this, hint] { add(hint); });
    line->addWidget(add_node);
  }
  auto* no = new QPushButton(tr("Dismiss"), row);
  no->setObjectName(QStringLiteral("dismiss_hint"));
  no->setToolTip(tr("Do not show this hint for this pipeline"));
  connect(no, &QPushButton::clicked, this, [this, hint] { dismiss(hint); });
  line->addWidget(no);
  return row;
}

void HintBar::show_rows() {
  const int others = static_cast<int>(shown_.size()) - 1;
  more_->setVisible(others > 0);
  more_->setText(more_->isChecked() ? tr("Show less") : tr("%1 more").arg(others));
  for (int i = 0; i < rows_->count(); ++i) rows_->itemAt(i)->widget()->setVisible(i == 0 || more_->isChecked());
}

void HintBar::add(const Hint& hint) {
  Document& document = session_.document();
  const NodeType* type = document.registry().find(hint.node);
  Graph graph = document.graph();
  Layout layout = placed_layout(graph, document.registry());
  const Result<std::string> id = add_hint_node(graph, document.registry(), hint);
  if (!id.ok()) {
    Q_EMIT session_.message(LogLevel::warning, QString::fromStdString(hint.source), error_text(id.error()));
    return;
  }
  insert_before_first_target(layout, graph, id.value());
  graph.ui = layout.text();
  graph.ui = placed_layout(graph, document.registry()).text();
  document.edit(tr("Add %1").arg(translated(type->title)), [&](Graph& g) { g = graph; });
  // Views stay on the slice, which shows the effect of nodes upstream.
  if (type->output("volume") != nullptr) selection_.set_one(QString::fromStdString(id.value()));
}

void HintBar::dismiss(const Hint& hint) {
  session_.document().edit(tr("Dismiss hint"), [&](Graph& graph) {
    Json ui = read_ui(graph);
    Json names = dismissed_in(ui);
    names.push_back(hint_name(hint));
    ui[dismissed_key] = std::move(names);
    graph.ui = ui.dump();
  });
}

}  // namespace tl::ui
