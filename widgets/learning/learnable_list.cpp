// LearnableList: a row per parameter; while none is marked, rows of parameters that cannot be learned tell why.
#include "widgets/learning/learnable_list.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/language/translated.h"
#include "widgets/text/found_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

const ParamDecl* declaration_of(const Document& document, const learn::Learnable& learnable) {
  const NodeType* type = document.registry().find(learnable.type);
  return type == nullptr ? nullptr : type->param(learnable.name);
}

QString row_text(const Document& document, const learn::Learnable& l) {
  return QString::fromStdString(l.type + ' ' + l.node + ' ' + l.name + ' ' +
                                (l.obstacle ? l.obstacle->message() : "")) +
         present_value(document, l);
}

// Whether it can be marked in addition to the marked ones: another parameter of such a node.
bool can_be_marked_with(const std::vector<learn::Target>& targets, const learn::Learnable& l) {
  const auto same_node = [&](const learn::Target& t) { return t.node == l.node; };
  const auto same = [&](const learn::Target& t) { return t.node == l.node && t.name == l.name; };
  return !l.obstacle && std::any_of(targets.begin(), targets.end(), same_node) &&
         std::none_of(targets.begin(), targets.end(), same);
}

}  // namespace

QString present_value(const Document& document, const learn::Learnable& learnable) {
  const ParamDecl* decl = declaration_of(document, learnable);
  if (decl == nullptr) return {};
  if (learnable.present) return found_text(*learnable.present, 0, decl->unit);
  const auto& nodes = document.graph().nodes;
  const auto node = nodes.find(learnable.node);
  if (node == nodes.end()) return shown_value(*decl, decl->initial);
  const auto set = node->second.params.find(learnable.name);
  return shown_value(*decl, set == node->second.params.end() ? decl->initial : set->second);
}

LearnableList::LearnableList(LearningSession& learning, QWidget* parent)
    : QWidget(parent), learning_(learning), column_(new QVBoxLayout(this)) {
  setAccessibleName(tr("Parameters that this pipeline could learn"));
  column_->setContentsMargins(0, 0, 0, 0);
  connect(&learning_, &LearningSession::settings_changed, this, &LearnableList::refresh);
  refresh();
}

void LearnableList::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

QString LearnableList::heading_of(const std::vector<learn::Learnable>& rows) const {
  if (!learning_.settings().targets.empty()) return rows.empty() ? QString() : tr("Learn together with it:");
  const bool any = std::any_of(rows.begin(), rows.end(), [](const learn::Learnable& l) { return !l.obstacle; });
  return any ? tr("This pipeline could learn these parameters. Choose one, or click the ∇ next to a parameter in the "
                  "inspector.")
             : tr("Nothing here can be learned yet: load a scan and reconstruct it.");
}

void LearnableList::refresh() {
  if (!isVisible() && rows_ != nullptr) return;
  const Document& document = learning_.live().document();
  const std::vector<learn::Target>& targets = learning_.settings().targets;
  std::vector<learn::Learnable> all = learning_.learnables();
  if (!targets.empty()) std::erase_if(all, [&](const learn::Learnable& l) { return !can_be_marked_with(targets, l); });
  const QString heading = heading_of(all);
  QStringList now{heading};
  for (const learn::Learnable& l : all) now << row_text(document, l);
  if (now == shown_) return;
  shown_ = now;
  if (rows_ != nullptr) {
    rows_->hide();
    rows_->deleteLater();
  }
  rows_ = new QWidget(this);
  auto* inner = spaced(new QVBoxLayout(rows_), 1);
  if (!heading.isEmpty()) {
    auto* label = as_note(new QLabel(heading, rows_));
    inner->addWidget(label);
  }
  auto* grid = framed(new QGridLayout, {0, 1, 0, 0});
  grid->setHorizontalSpacing(Theme::space(2));
  grid->setVerticalSpacing(Theme::space(1));
  grid->setColumnStretch(1, 1);
  inner->addLayout(grid);
  for (const learn::Learnable& l : all) add_row(*grid, l);
  column_->addWidget(rows_);
}

void LearnableList::add_row(QGridLayout& grid, const learn::Learnable& l) {
  const Document& document = learning_.live().document();
  const ParamDecl* decl = declaration_of(document, l);
  if (decl == nullptr) return;
  const int row = grid.rowCount();
  auto* button = new QPushButton(QStringLiteral("∇ ") + translated(decl->title), rows_);
  button->setEnabled(!l.obstacle);
  button->setMinimumWidth(Theme::space(20));  // cut in a narrow dock: the tool tip contains the whole text
  auto* value = new QLabel(present_value(document, l), rows_);
  value->setFont(Theme::number_font());
  auto* where = new QLabel(l.insertion_link ? tr("+ Set geometry") : learning_.title_of(l.node), rows_);
  as_note(where);
  for (QLabel* label : {value, where}) label->setWordWrap(true);
  const QString does = !l.insertion_link
                           ? tr("Marks it to be learned")
                           : tr("Inserts the node Set geometry and marks the parameter: one step that can be undone");
  button->setToolTip(button->text() + QLatin1Char('\n') + does);
  grid.addWidget(button, row, 0);
  grid.addWidget(value, row, 1);
  grid.addWidget(where, row, 2, Qt::AlignRight | Qt::AlignVCenter);
  connect(button, &QPushButton::clicked, this, [this, l] { learning_.mark(l); });
  if (!l.obstacle) return;
  const Error about{l.obstacle->kind, l.obstacle->what, {}, l.obstacle->hint};
  auto* why = as_note(new QLabel(translated(about) + QLatin1Char('.'), rows_));
  button->setToolTip(button->text() + QLatin1Char('\n') + why->text());
  grid.addWidget(why, row + 1, 0, 1, 3);
}

}  // namespace tl::ui
