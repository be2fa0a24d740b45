// LearnedValues: shows learned values of a node's parameters, each with uncertainty and a badge for the verdict.
#include "widgets/inspector/learned_values.h"

#include <QFormLayout>
#include <QLabel>
#include <QToolButton>

#include "widgets/language/translated.h"
#include "widgets/text/found_text.h"
#include "widgets/theme/explain_button.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

LearnedValues::LearnedValues(const Document& document, QWidget* parent)
    : QWidget(parent), document_(document), rows_(new QFormLayout(this)) {
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setHorizontalSpacing(Theme::space(3));
  rows_->setVerticalSpacing(Theme::space(2));
  rows_->setRowWrapPolicy(QFormLayout::WrapLongRows);
  setAccessibleName(tr("Learned values"));
  connect(&document_, &Document::graph_changed, this, &LearnedValues::refresh);
  connect(&document_, &Document::layout_changed, this, &LearnedValues::refresh);
  hide();
}

void LearnedValues::show_node(const QString& node) {
  node_ = node;
  refresh();
}

void LearnedValues::refresh() {
  const Graph& graph = document_.graph();
  const NodeType* type = find_node_type(graph, document_.registry(), node_.toStdString());
  std::vector<std::pair<QString, learn::Found>> values;
  QString text;
  if (type != nullptr && !graph.learning.empty()) {
    const std::vector<learn::RunRecord> records = learn::records_of(graph);
    for (const ParamDecl& decl : type->params) {
      if (!decl.learnable) continue;
      const auto value = learn::found_of(records, graph, node_.toStdString(), decl.name);
      if (!value) continue;
      values.emplace_back(translated(decl.title), *value);
      text += values.back().first + found_text(*value) + trust_word(value->trust);
    }
  }
  setVisible(!values.empty());
  if (text == shown_) return;
  shown_ = text;
  while (rows_->rowCount() > 0) rows_->removeRow(0);
  for (const auto& [title, value] : values) {
    auto* line = new QWidget(this);
    auto* row = framed(new FlowLayout(line));
    auto* number = new QLabel(found_text(value), line);
    number->setFont(Theme::number_font());
    number->setProperty("tone", "learnable");
    auto* badge = new QLabel(trust_word(value.trust), line);
    badge->setProperty("role", "badge");
    badge->setProperty("tone", trust_tone(value.trust));
    const QString why = translated(value.explanation);
    badge->setToolTip(why.isEmpty() ? trust_meaning(value.trust) : why);
    row->addWidget(number);
    row->addWidget(badge);
    row->addWidget(explain_button(QString::fromLatin1(words_on_verdicts), tr("the verdict on %1").arg(title), line));
    rows_->addRow(tr("Learned %1").arg(title), line);
  }
}

}  // namespace tl::ui
