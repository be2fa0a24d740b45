// JobTable: follows the steps of the job.
#include "widgets/jobs/job_table.h"

#include <QAbstractTableModel>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int shown_rows = 6;  // others are scrolled to

// GUI thread only. A row for each step that has ended.
class StepModel final : public QAbstractTableModel {
 public:
  StepModel(const JobTableSpec& spec, QObject* parent) : QAbstractTableModel(parent), spec_(spec) {}
  // Progress comes ten times a second, steps do not.
  void take() {
    const auto now = static_cast<int>(spec_.rows());
    if (now < rows_) {
      beginResetModel();
      rows_ = now;
      endResetModel();
    } else if (now > rows_) {
      beginInsertRows({}, rows_, now - 1);
      rows_ = now;
      endInsertRows();
    }
  }
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : rows_; }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(spec_.columns.size());
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override {
    const auto row = static_cast<std::size_t>(index.row());
    if (row >= spec_.rows()) return {};  // the job was forgotten, and the model follows
    if (role == Qt::TextAlignmentRole) return int{Qt::AlignRight | Qt::AlignVCenter};
    if (role == Qt::DisplayRole) return spec_.columns[static_cast<std::size_t>(index.column())].text(row);
    if (role != Qt::ToolTipRole || !spec_.row_help) return {};
    const QString help = spec_.row_help(row);
    return help.isEmpty() ? QVariant() : help;
  }
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal) return {};
    const JobColumn& column = spec_.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return column.title;
    return role == Qt::ToolTipRole ? QVariant(column.help()) : QVariant();
  }

 private:
  const JobTableSpec& spec_;
  int rows_ = 0;
};

}  // namespace

JobTable::JobTable(JobSession& job, const JobTableSpec& spec, QWidget* parent) : QTableView(parent), spec_(spec) {
  auto* model = new StepModel(spec, this);
  setModel(model);
  setAccessibleName(spec.name);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setFont(Theme::number_font());
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(Theme::space(6));
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setStretchLastSection(true);
  connect(&job, &JobSession::progressed, model, &StepModel::take);
  connect(model, &QAbstractItemModel::rowsInserted, this, &JobTable::refresh);
  connect(model, &QAbstractItemModel::modelReset, this, &JobTable::refresh);
  refresh();
}

void JobTable::refresh() {
  const int rows = model()->rowCount();
  setVisible(rows > 0);
  for (std::size_t c = 0; c < spec_.columns.size(); ++c)
    setColumnHidden(static_cast<int>(c), !spec_.columns[c].is_shown());
  resizeColumnsToContents();
  setFixedHeight(horizontalHeader()->sizeHint().height() + std::clamp(rows, 1, shown_rows) * Theme::space(6) +
                 2 * frameWidth() + horizontalScrollBar()->sizeHint().height());
  scrollToBottom();
}

void JobTable::keyPressEvent(QKeyEvent* event) {
  if (!event->matches(QKeySequence::Copy)) return QTableView::keyPressEvent(event);
  QString text;
  for (int row = -1; row < model()->rowCount(); ++row) {
    QStringList fields;
    for (int c = 0; c < model()->columnCount(); ++c)
      if (!isColumnHidden(c))
        fields << (row < 0 ? model()->headerData(c, Qt::Horizontal, Qt::DisplayRole) : model()->index(row, c).data())
                      .toString();
    text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  QGuiApplication::clipboard()->setText(text);
}

}  // namespace tl::ui
