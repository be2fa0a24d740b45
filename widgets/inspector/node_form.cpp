// NodeForm: builds the form of one node: a field per parameter, advanced ones in a collapsed part.
#include "widgets/inspector/node_form.h"

#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/graph/output_names.h"
#include "core/learn/history.h"
#include "widgets/inspector/editors/drive_links.h"
#include "widgets/inspector/learning_targets.h"
#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

const NodeType& node_type_of(const Document& document, const QString& node) {
  const auto found = document.graph().nodes.find(node.toStdString());
  TL_CHECK(found != document.graph().nodes.end(), "a form of a node that is not there");
  const NodeType* type = document.registry().find(found->second.type);
  TL_CHECK(type != nullptr, "a form of a node of an unknown type");
  return *type;
}

}  // namespace

NodeForm::NodeForm(Document& document, const QString& node, QWidget* parent)
    : QWidget(parent), document_(document), node_(node), type_(node_type_of(document, node)) {
  auto* column = spaced(new QVBoxLayout(this), 2);
  add_fields(ParamLevel::basic, *column);
  const auto many = std::count_if(type_.params.begin(), type_.params.end(),
                                  [](const ParamDecl& d) { return d.level == ParamLevel::advanced; });
  if (many > 0) {
    fold_ = new QToolButton(this);
    fold_->setProperty("role", "fold");
    fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    fold_->setText(tr("Advanced (%1)").arg(many));
    fold_->setCheckable(true);
    advanced_ = new QWidget(this);
    auto* inner = spaced(new QVBoxLayout(advanced_), 2);
    add_fields(ParamLevel::advanced, *inner);
    column->addWidget(fold_, 0, Qt::AlignLeft);
    column->addWidget(advanced_);
    connect(fold_, &QToolButton::toggled, this, &NodeForm::show_advanced);
    show_advanced(false);
  }
  const auto& params = type_.params;
  if (std::any_of(params.begin(), params.end(), [](const ParamDecl& d) { return d.learnable; }))
    for (ParamField* field : fields_) field->reserve_learn_mark();
  int widest = 0;
  for (const ParamField* field : fields_) widest = std::max(widest, field->wanted_title_width());
  for (ParamField* field : fields_) field->set_title_width(widest);
  connect(&document_, &Document::graph_changed, this, &NodeForm::refresh);
  connect(&document_, &Document::layout_changed, this, &NodeForm::refresh);
  refresh();
}

void NodeForm::show_advanced(bool open) {
  if (fold_ == nullptr) return;
  fold_->setChecked(open);
  fold_->setIcon(glyph_icon(open ? Glyph::chevron_down : Glyph::chevron_right));
  advanced_->setVisible(open);
}

void NodeForm::add_fields(ParamLevel level, QVBoxLayout& column) {
  for (const ParamDecl& decl : type_.params) {
    if (decl.level != level) continue;
    auto* field = new ParamField(decl, level == ParamLevel::basic ? this : advanced_);
    column.addWidget(field);
    fields_.push_back(field);
    wire(*field);
  }
}

void NodeForm::wire(ParamField& field) {
  const ParamDecl& decl = field.decl();
  const std::string id = node_.toStdString();
  connect(&field, &ParamField::changed, this,
          [this, &decl](const ParamValue& value, Change change) { set_param(decl, value, change); });
  connect(&field, &ParamField::reset, this, [this, &decl, id] {
    document_.edit(step_name(decl), [&](Graph& g) {
      g.nodes[id].params.erase(decl.name);
      match_name_and_format(g.nodes[id], type_, decl.name);
    });
    refresh();  // needed also if a refused text was reset and the document did not change
  });
  connect(&field, &ParamField::learn_toggled, this, [this, &decl, id](bool on) {
    document_.edit(on ? tr("Learn %1").arg(translated(decl.title)) : tr("Do not learn %1").arg(translated(decl.title)),
                   [&](Graph& g) {
                     g = on ? with_learned(std::move(g), id, decl.name) : without_learned(std::move(g), id, decl.name);
                   });
  });
  connect(&field, &ParamField::sweep_wanted, this,
          [this, &decl] { Q_EMIT sweep_wanted(QString::fromStdString(decl.name)); });
  connect(&field, &ParamField::drive_wanted, this, [this, &decl, id](const QString& source) {
    document_.edit(tr("Drive %1").arg(translated(decl.title)),
                   [&](Graph& g) { set_drive_link(g, id, decl.name, source); });
  });
}

QString NodeForm::step_name(const ParamDecl& decl) const {
  return tr("Change %1 of %2").arg(translated(decl.title), translated(type_.title));
}

void NodeForm::set_param(const ParamDecl& decl, const ParamValue& value, Change change) {
  const MergeKey merge{
      change == Change::drag ? QStringLiteral("param/%1/%2").arg(node_, QString::fromStdString(decl.name)) : QString()};
  document_.edit(
      step_name(decl),
      [&](Graph& g) {
        GraphNode& node = g.nodes[node_.toStdString()];
        node.params[decl.name] = value;
        match_name_and_format(node, type_, decl.name);
      },
      merge);
  // Setting the same value makes no undo step, but a refused text must be replaced.
  refresh();
}

FieldState NodeForm::state_of(const ParamDecl& decl, const GraphNode& node) const {
  const std::string id = node_.toStdString();
  const Graph& graph = document_.graph();
  FieldState state;
  const auto set = node.params.find(decl.name);
  state.value = set == node.params.end() ? decl.initial : set->second;
  state.is_default = set == node.params.end() || set->second == decl.initial;
  state.learned = decl.learnable && is_learned(graph, id, decl.name);
  if (decl.learnable && !graph.learning.empty())
    if (const auto value = learn::found_of(learn::records_of(graph), graph, id, decl.name))
      if (!value->uncertainty.empty()) state.sigma = value->uncertainty.front();
  state.driven_by = driver_title(graph, document_.registry(), id, decl.name);
  if (decl.kind == ParamKind::number || decl.kind == ParamKind::integer)
    state.sources = drive_sources(graph, document_.registry(), id);
  for (const GraphProblem& p : document_.problems())
    if (p.node == id && p.name == decl.name) state.problem = reason_text(p.error);
  return state;
}

void NodeForm::refresh() {
  const auto found = document_.graph().nodes.find(node_.toStdString());
  // The node is gone; the inspector replaces this form when it handles the same change.
  if (found == document_.graph().nodes.end() || found->second.type != type_.id) return;
  for (ParamField* field : fields_) field->show_state(state_of(field->decl(), found->second));
}

ParamField* NodeForm::field(const QString& param) const {
  for (ParamField* field : fields_)
    if (field->decl().name == param.toStdString()) return field;
  return nullptr;
}

}  // namespace tl::ui
