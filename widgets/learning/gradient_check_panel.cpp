// GradientCheckPanel: starts checks of gradients and of the selected node, and shows the pairs of numbers in a table.
#include "widgets/learning/gradient_check_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

GradientCheckPanel::GradientCheckPanel(LearningSession& learning, Selection& selection, QWidget* parent)
    : QWidget(parent),
      learning_(learning),
      selection_(selection),
      gradients_(new QPushButton(tr("Check gradients"), this)),
      node_(new QPushButton(tr("Check node"), this)),
      note_(new QLabel(this)),
      table_(new QTableView(this)) {
  auto* column = spaced(new QVBoxLayout(this), 1);
  auto* row = new FlowLayout;
  row->addWidget(gradients_);
  row->addWidget(node_);
  column->addLayout(row);
  column->addWidget(note_);
  column->addWidget(table_);
  note_->setWordWrap(true);
  gradients_->setToolTip(tr("The gradient of the objective against central differences, for every marked parameter"));
  node_->setToolTip(tr("Dot test and gradients of the chosen node, on a small input of the same kind, in float64"));
  table_->setModel(&model_);
  table_->setAccessibleName(tr("Results of the check"));
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (const int section : {1, 2, 3})
    table_->horizontalHeader()->setSectionResizeMode(section, QHeaderView::ResizeToContents);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setWordWrap(false);
  table_->hide();
  connect(gradients_, &QPushButton::clicked, this, [this] {
    wanted_ = true;
    show_message(tr("Checking…"), "busy");
    learning_.check_gradients();
  });
  connect(node_, &QPushButton::clicked, this, &GradientCheckPanel::check_selected_node);
  connect(&selection_, &Selection::changed, this, &GradientCheckPanel::refresh);
  connect(&learning_, &LearningSession::settings_changed, this, &GradientCheckPanel::refresh);
  connect(&learning_, &LearningSession::state_changed, this, &GradientCheckPanel::refresh);
  connect(&learning_, &LearningSession::gradients_checked, this, &GradientCheckPanel::show_gradients);
  connect(&learning_, &LearningSession::node_checked, this, &GradientCheckPanel::show_node);
  refresh();
}

void GradientCheckPanel::check_selected_node() {
  if (selection_.current().isEmpty()) return;
  show_message(tr("Checking…"), "busy");
  learning_.check_node(selection_.current());
}

void GradientCheckPanel::show_message(const QString& text, const char* tone) {
  note_->setText(text);
  set_style_property(*note_, "tone", tone);
}

void GradientCheckPanel::refresh() {
  gradients_->setEnabled(!learning_.is_busy() && learning_.obstacle().isEmpty());
  const QString node = selection_.current();
  node_->setEnabled(!learning_.is_busy() && !node.isEmpty());
  node_->setText(node.isEmpty() ? tr("Check node") : tr("Check %1").arg(learning_.title_of(node.toStdString())));
}

void GradientCheckPanel::show_gradients(const live::GradientCheckEnd& end) {
  if (!std::exchange(wanted_, false)) return;
  if (end.error) return show_message(error_text(*end.error), "error");
  std::vector<CheckRow> rows;
  for (const auto& row : end.check.rows) {
    QString name = learning_.title_of(row.node, row.name);
    if (const ParamDecl* decl = learning_.declaration(row.node, row.name); decl != nullptr && decl->per_view)
      name += QStringLiteral(" [%1]").arg(row.entry);
    const double size = std::max(std::abs(row.gradient), std::abs(row.difference));
    rows.push_back(
        {name, row.gradient, row.difference, size > 0 ? std::abs(row.gradient - row.difference) / size : 0, 0});
  }
  model_.set_rows(std::move(rows), tr("Gradient"), tr("Difference"));
  show_message(tr("The largest deviation is %1 of the largest gradient.").arg(end.check.worst, 0, 'e', 1), "second");
  fit_table();
}

void GradientCheckPanel::show_node(const live::NodeCheckEnd& end) {
  if (end.error) return show_message(error_text(*end.error), "warning");
  std::vector<CheckRow> rows;
  for (const auto& row : end.check.rows)
    rows.push_back({translated(row.what), row.left, row.right, row.deviation, end.check.limit});
  model_.set_rows(std::move(rows), tr("Forward"), tr("Backward"));
  const QString title = learning_.title_of(end.check.node);
  const QString input = QString::fromStdString(end.check.input);
  if (end.check.passed())
    show_message(tr("%1 passes: the largest deviation is %2 (%3, float64).")
                     .arg(title)
                     .arg(end.check.worst(), 0, 'e', 1)
                     .arg(input),
                 "good");
  else
    show_message(tr("%1 deviates by %2 (%3, float64): its gradient is not the derivative of its output at this point.")
                     .arg(title)
                     .arg(end.check.worst(), 0, 'e', 1)
                     .arg(input),
                 "error");
  fit_table();
}

// The table is as tall as its rows: the dock scrolls instead of the table.
void GradientCheckPanel::fit_table() {
  constexpr int max_rows = 10;
  table_->setVisible(model_.rowCount() > 0);
  int height = table_->horizontalHeader()->sizeHint().height() + 2 * table_->frameWidth();
  for (int row = 0; row < std::min(max_rows, model_.rowCount()); ++row) height += table_->rowHeight(row);
  table_->setFixedHeight(height + Theme::space(1));
}

}  // namespace tl::ui
