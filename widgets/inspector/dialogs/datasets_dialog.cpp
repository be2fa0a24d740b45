// DatasetsDialog: the user selects the datasets of a scan in the tree of a file; unsuitable choices are reported at
// once.
#include "widgets/inspector/dialogs/datasets_dialog.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QThreadPool>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/text/error_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

QString role_help(io::DatasetRole role) {
  switch (role) {
    case io::DatasetRole::frames: return QObject::tr("The projections: frame × row × column.");
    case io::DatasetRole::kinds: return QObject::tr("One number per frame: 0 projection, 1 flat, 2 dark, 3 invalid.");
    case io::DatasetRole::flats:
      return QObject::tr("Flats, taken without the object: n × row × column, or their average.");
    case io::DatasetRole::darks: return QObject::tr("Darks, taken without beam: n × row × column, or their average.");
    case io::DatasetRole::angles: break;
  }
  return QObject::tr("One angle per view or per frame.");
}

}  // namespace

DatasetsDialog::DatasetsDialog(const QString& file, QWidget* parent)
    : QDialog(parent),
      file_(file),
      model_(new DatasetModel(this)),
      view_(new QTreeView(this)),
      reason_(new QLabel(this)),
      status_(new QLabel(this)),
      problem_(new QLabel(this)),
      accept_(new QPushButton(tr("Use these datasets"), this)) {
  setWindowTitle(tr("Datasets of %1").arg(QFileInfo(file).fileName()));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(Theme::space(220), Theme::space(150));
  for (QLabel* label : {reason_, status_, problem_}) {
    label->setTextFormat(Qt::PlainText);  // names come from an untrusted file
    label->setWordWrap(true);
    label->hide();
  }
  status_->setProperty("role", "second");
  problem_->setProperty("tone", "error");
  view_->setModel(model_);
  view_->setAccessibleName(tr("Contents of the file"));
  view_->setUniformRowHeights(true);
  view_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);  // also when the theme changes
  auto* cancel = new QPushButton(tr("Cancel"), this);
  accept_->setDefault(true);
  cancel->setAutoDefault(false);
  auto* foot = new QHBoxLayout;
  foot->addWidget(problem_, 1);
  foot->addStretch(0);
  foot->addWidget(cancel);
  foot->addWidget(accept_);
  auto* column = spaced(new QVBoxLayout(this), 3, {4, 4, 4, 4});
  column->addWidget(reason_);
  column->addWidget(view_, 1);
  column->addWidget(status_);
  column->addWidget(make_rows());
  column->addLayout(foot);
  connect(accept_, &QPushButton::clicked, this, &DatasetsDialog::finish);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &DatasetsDialog::follow_selection);
  refresh();
}

QWidget* DatasetsDialog::make_rows() {
  auto* box = new QWidget(this);
  auto* grid = framed(new QGridLayout(box));
  grid->setHorizontalSpacing(Theme::space(2));
  grid->setVerticalSpacing(Theme::space(1));
  for (const io::DatasetRole role : io::dataset_roles) {
    const int at = static_cast<int>(role);
    Row& row = rows_[static_cast<std::size_t>(role)];
    const QString title = role_title(role);
    auto* label = new QLabel(title, box);
    row.line = new QLineEdit(box);
    row.use = new QPushButton(tr("Use selected"), box);
    row.use->setAutoDefault(false);
    row.line->setAccessibleName(title);
    row.line->setPlaceholderText(role == io::DatasetRole::frames ? tr("choose a dataset above") : tr("none"));
    row.use->setAccessibleName(tr("Use the selected dataset as: %1").arg(title));
    for (QWidget* part : std::initializer_list<QWidget*>{label, row.line, row.use}) part->setToolTip(role_help(role));
    label->setBuddy(row.line);
    grid->addWidget(label, at, 0);
    grid->addWidget(row.line, at, 1);
    grid->addWidget(row.use, at, 2);
    connect(row.line, &QLineEdit::textChanged, this, &DatasetsDialog::refresh);
    connect(row.use, &QPushButton::clicked, this, [this, role] { use_selected(role); });
  }
  return box;
}

void DatasetsDialog::read() {
  status_->setText(tr("Reading the contents of the file…"));
  status_->show();
  QThreadPool::globalInstance()->start([guard = QPointer(this), file = file_.toStdString()] {
    Result<io::Hdf5Tree> tree = io::read_hdf5_tree(file);
    QMetaObject::invokeMethod(
        qApp,
        [guard, tree = std::move(tree)] {
          if (guard == nullptr) return;
          if (tree.ok()) return guard->show_tree(tree.value());
          guard->status_->hide();
          guard->show_reason(error_text(tree.error()));
        },
        Qt::QueuedConnection);
  });
}

void DatasetsDialog::show_tree(const io::Hdf5Tree& tree) {
  is_read_ = true;
  model_->set_tree(tree);
  view_->expandAll();
  status_->setText(tr("Not listed: %1.").arg(window_text(tree.left_out)));
  status_->setVisible(!tree.left_out.empty());
  io::DatasetChoice first = given_ && !given_->empty() ? *given_ : io::suggested_choice(tree);
  for (const io::DatasetRole role : io::dataset_roles)
    if (rows_[static_cast<std::size_t>(role)].is_elsewhere) first[role].clear();
  for (const io::DatasetRole role : io::dataset_roles) line(role).setText(QString::fromStdString(first[role]));
  if (const QModelIndex frames = model_->index_of(first[io::DatasetRole::frames]); frames.isValid()) {
    view_->setCurrentIndex(frames);
    view_->scrollTo(frames);
  }
  refresh();
  view_->setFocus();
}

void DatasetsDialog::set_choice(const io::DatasetChoice& choice) {
  given_ = choice;
  if (is_read_ && !choice.empty())
    for (const io::DatasetRole role : io::dataset_roles) line(role).setText(QString::fromStdString(choice[role]));
}

void DatasetsDialog::leave_to(io::DatasetRole role, const QString& other_file) {
  rows_[static_cast<std::size_t>(role)].is_elsewhere = true;
  line(role).setPlaceholderText(tr("in %1").arg(QFileInfo(other_file).fileName()));
}

void DatasetsDialog::show_reason(const QString& text) {
  reason_->setText(text);
  reason_->setVisible(!text.isEmpty());
}

io::DatasetChoice DatasetsDialog::choice() const {
  io::DatasetChoice now;
  for (const io::DatasetRole role : io::dataset_roles)
    now[role] = rows_[static_cast<std::size_t>(role)].line->text().trimmed().toStdString();
  return now;
}

void DatasetsDialog::use_selected(io::DatasetRole role) {
  if (const io::TreeEntry* entry = model_->entry(view_->currentIndex()); entry != nullptr)
    line(role).setText(QString::fromStdString(entry->path));
}

// Shows the first problem of the choice, and which datasets are used by default according to the frames' dataset.
void DatasetsDialog::refresh() {
  const io::DatasetChoice now = choice();
  model_->set_choice(now);
  QString problem;
  for (const io::DatasetRole role : io::dataset_roles) {
    const std::string found = is_read_ ? io::problem_of(model_->tree(), now, role) : std::string();
    if (problem.isEmpty() && !found.empty()) problem = role_title(role) + QStringLiteral(": ") + window_text(found);
  }
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  accept_->setEnabled(is_read_ && problem.isEmpty());
  follow_selection();
}

void DatasetsDialog::follow_selection() {
  const io::TreeEntry* entry = model_->entry(view_->currentIndex());
  for (const io::DatasetRole role : io::dataset_roles) {
    io::DatasetChoice with = choice();
    if (entry != nullptr) with[role] = entry->path;
    // Flats and darks replace kinds, and vice versa: the dialog tells the user below instead of refusing the choice.
    if (role == io::DatasetRole::kinds) with[io::DatasetRole::flats] = with[io::DatasetRole::darks] = {};
    use_button(role).setEnabled(entry != nullptr && entry->kind != io::TreeKind::group &&
                                io::problem_of(model_->tree(), with, role).empty());
  }
}

void DatasetsDialog::finish() {
  const io::DatasetChoice now = choice();
  Q_EMIT chosen(now, QString::fromStdString(io::layout_fingerprint(model_->tree())));
  accept();
}

}  // namespace tl::ui
