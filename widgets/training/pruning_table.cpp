// PruningTable: follows the steps of the session.
#include "widgets/training/pruning_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int shown_rows = 6;  // others are scrolled to

QString macro_f1_text(const std::optional<train::EpochScores>& scores) {
  return scores && std::isfinite(scores->macro_f1) ? QString::number(scores->macro_f1, 'f', 3) : QString();
}

// In five characters or so.
QString amount_text(int64_t count) {
  constexpr int64_t max_digits = 100'000;
  if (count < max_digits) return QString::number(count);
  const double millions = static_cast<double>(count) / 1e6;
  return PruningTable::tr("%1 M").arg(millions, 0, 'f', millions < 10 ? 2 : 1);
}
QString operations_text(double billions) {
  if (!std::isfinite(billions)) return {};
  return QString::number(billions, 'f', billions >= 10 ? 1 : billions >= 0.1 ? 2 : 4);
}

QString column_title(int column) {
  switch (column) {
    case PruningTableModel::step:
      return PruningTable::tr("Step");
    case PruningTableModel::filters:
      return PruningTable::tr("Filters");
    case PruningTableModel::share:
      return QStringLiteral("%");
    case PruningTableModel::parameters:
      return PruningTable::tr("Param.");
    case PruningTableModel::operations:
      return PruningTable::tr("GFLOP");
    case PruningTableModel::cut:
      return PruningTable::tr("F1 cut");
    default:
      return PruningTable::tr("F1");
  }
}

QString help_of(int column, qint64 pixels) {
  switch (column) {
    case PruningTableModel::step:
      return PruningTable::tr("Step of the pruning; 0: the network before it");
    case PruningTableModel::filters:
      return PruningTable::tr("Filters that are left, of those that can be pruned");
    case PruningTableModel::share:
      return PruningTable::tr("Share of the filters that is left, in per cent");
    case PruningTableModel::parameters:
      return PruningTable::tr("Parameters: numbers in filters, biases and scales");
    case PruningTableModel::operations:
      return PruningTable::tr("Operations for a slice of %1 pixels, in 10^9").arg(pixels);
    case PruningTableModel::cut:
      return PruningTable::tr("Macro F1 on the validation data, after filters were removed and before training");
    default:
      return PruningTable::tr("Macro F1 on the validation data, after training");
  }
}

}  // namespace

PruningTableModel::PruningTableModel(PruningSession& pruning, QObject* parent)
    : QAbstractTableModel(parent), pruning_(pruning) {
  connect(&pruning_, &PruningSession::progressed, this, &PruningTableModel::take);
}

// Progress comes ten times a second, steps do not.
void PruningTableModel::take() {
  const std::vector<train::PrunedState>& now = pruning_.progress().states;
  if (now.size() < states_.size()) {
    beginResetModel();
    states_ = now;
    endResetModel();
  } else if (now.size() > states_.size()) {
    beginInsertRows({}, static_cast<int>(states_.size()), static_cast<int>(now.size()) - 1);
    states_ = now;
    endInsertRows();
  }
}

int PruningTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(states_.size());
}
int PruningTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{columns}; }

QVariant PruningTableModel::data(const QModelIndex& index, int role) const {
  const train::PrunedState& s = states_.at(static_cast<std::size_t>(index.row()));
  if (role == Qt::TextAlignmentRole) return int{Qt::AlignRight | Qt::AlignVCenter};
  if (role == Qt::ToolTipRole && s.whole_chains)
    return tr(
        "The method alone would have cut most paths through the network: the strongest whole chains of filters "
        "were kept.");
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case step:
      return QString::number(s.step);
    case filters:
      return QString::number(s.filters);
    case share:
      return QString::number(100 * s.kept, 'f', 1);
    case parameters:
      return amount_text(s.parameters);
    case operations:
      return operations_text(s.operations * static_cast<double>(pruning_.slice_pixels()) / 1e9);
    case cut:
      return macro_f1_text(s.cut);
    default:
      return macro_f1_text(s.trained);
  }
}

QVariant PruningTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) return column_title(section);
  if (role == Qt::ToolTipRole) return help_of(section, pruning_.slice_pixels());
  return {};
}

PruningTable::PruningTable(PruningSession& pruning, QWidget* parent)
    : QTableView(parent), pruning_(pruning), model_(new PruningTableModel(pruning, this)) {
  setModel(model_);
  setAccessibleName(tr("Steps of the pruning"));
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setFont(Theme::number_font());
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(Theme::space(6));
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setStretchLastSection(true);
  connect(model_, &QAbstractItemModel::rowsInserted, this, &PruningTable::refresh);
  connect(model_, &QAbstractItemModel::modelReset, this, &PruningTable::refresh);
  refresh();
}

void PruningTable::refresh() {
  const int rows = model_->rowCount();
  setVisible(rows > 0);
  const auto& states = pruning_.progress().states;
  const bool has_scores = !states.empty() && states.front().trained.has_value();
  for (const int column : {int{PruningTableModel::cut}, int{PruningTableModel::trained}})
    setColumnHidden(column, !has_scores);
  resizeColumnsToContents();
  setFixedHeight(horizontalHeader()->sizeHint().height() + std::clamp(rows, 1, shown_rows) * Theme::space(6) +
                 2 * frameWidth() + horizontalScrollBar()->sizeHint().height());
  scrollToBottom();
}

void PruningTable::keyPressEvent(QKeyEvent* event) {
  if (!event->matches(QKeySequence::Copy)) return QTableView::keyPressEvent(event);
  QString text;
  for (int row = -1; row < model_->rowCount(); ++row) {
    QStringList fields;
    for (int c = 0; c < PruningTableModel::columns; ++c)
      if (!isColumnHidden(c))
        fields << (row < 0 ? model_->headerData(c, Qt::Horizontal, Qt::DisplayRole) : model_->index(row, c).data())
                      .toString();
    text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  QGuiApplication::clipboard()->setText(text);
}

}  // namespace tl::ui
