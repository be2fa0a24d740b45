// MeasurementPanel: its list is rebuilt after every change, at most once per pass of the event loop.
#include "widgets/views/measurement_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMessageBox>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/session/exports.h"
#include "widgets/session/save_dialog.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/chip_button.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/views/views_area.h"

namespace tl::ui {
namespace {

constexpr int list_height = 116, view_role = Qt::UserRole, index_role = Qt::UserRole + 1;

QString view_title(const QString& view) {
  if (view == QLatin1String("projection")) return MeasurementPanel::tr("Projections");
  if (view == QLatin1String("sinogram")) return MeasurementPanel::tr("Sinogram");
  return view == QLatin1String("oblique") ? MeasurementPanel::tr("Oblique") : view.toUpper();
}

QString csv_text(QString text) {
  return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}
QString csv_number(const std::optional<double>& value) { return value ? QString::number(*value, 'g', 9) : QString(); }

QString csv_row(const QString& view, const ImagePane* pane, const Measurement& m) {
  const bool has_length = pane != nullptr && pane->mm_per_unit() > 0;
  const MeasureContext context = pane == nullptr ? MeasureContext{} : pane->measure_context();
  const MeasureNumbers numbers = pane == nullptr ? MeasureNumbers{} : measure_numbers(m, context);
  QStringList fields{csv_text(view_title(view)), csv_text(pane == nullptr ? QString() : pane->position_text()),
                     QLatin1String(measure_kind_key(m.kind))};
  const bool has_end = m.kind != MeasureKind::probe, has_second = m.kind == MeasureKind::angle;
  for (const auto& [point, is_there] : {std::pair{m.a, true}, {m.b, has_end}, {m.c, has_second}})
    fields << (is_there ? csv_number(point.x()) : QString()) << (is_there ? csv_number(point.y()) : QString());
  fields << csv_number(numbers.length) << (numbers.length ? (has_length ? "mm" : "px") : QString())
         << csv_number(numbers.degrees) << csv_number(numbers.value);
  const auto& s = numbers.statistics;
  fields << (s ? csv_number(s->mean) : QString()) << (s ? csv_number(s->deviation) : QString())
         << (s ? csv_number(s->min) : QString()) << (s ? csv_number(s->max) : QString())
         << (s ? QString::number(s->count) : QString());
  fields << (numbers.value || s ? csv_text(context.unit) : QString());
  return fields.join(QLatin1Char(','));
}

}  // namespace

MeasurementPanel::MeasurementPanel(ViewsArea& views, QWidget* parent)
    : QWidget(parent), views_(views), list_(new QTreeWidget) {
  auto* column = spaced(new QVBoxLayout(this), 1);
  list_->setAccessibleName(tr("Measurements"));
  list_->setHeaderLabels({tr("View"), tr("What"), tr("Result")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setFixedHeight(list_height);
  list_->header()->setStretchLastSection(true);
  list_->installEventFilter(this);
  column->addWidget(list_);
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(1));
  const auto button = [this, row](const QString& text, const QString& tip, auto act) {
    return add_chip(row, this, text, tip, act);
  };
  button(tr("CSV…"), tr("Save all measurements as CSV"), [this] { ask_and_save(); });
  button(tr("Remove"), tr("Remove the selected measurement (Del)"), [this] { remove_row(); });
  row->addStretch();
  column->addLayout(row);
  connect(list_, &QTreeWidget::currentItemChanged, this, &MeasurementPanel::select_row);
  connect(&views_.state(), &ViewState::measurements_changed, this, &MeasurementPanel::fill_soon);
  connect(&views_, &ViewsArea::panes_changed, this, &MeasurementPanel::follow_panes);
  follow_panes();
}

void MeasurementPanel::follow_panes() {
  for (ImagePane* pane : views_.visible_panes())
    connect(pane, &ImagePane::picture_shown, this, &MeasurementPanel::fill_soon, Qt::UniqueConnection);
  fill_soon();
}

void MeasurementPanel::fill_soon() {
  if (std::exchange(is_due_, true)) return;
  QMetaObject::invokeMethod(this, &MeasurementPanel::fill, Qt::QueuedConnection);
}

void MeasurementPanel::fill() {
  is_due_ = false;
  const QSignalBlocker quiet(list_);
  list_->clear();
  const MeasurementsByView all = views_.state().all_measurements();
  for (const auto& [view, measurements] : all) {
    const ImagePane* pane = views_.visible_pane(view);
    const auto selected = views_.state().measurements(view).selected();
    for (std::size_t i = 0; i < measurements.size(); ++i) {
      const QString result =
          pane == nullptr ? tr("not on screen")
                          : Measurements::texts(measurements[i], pane->measure_context()).join(QStringLiteral(" · "));
      auto* item = new QTreeWidgetItem(list_, {view_title(view), measure_kind_name(measurements[i].kind), result});
      item->setToolTip(2, result);
      item->setData(0, view_role, view);
      item->setData(0, index_role, static_cast<int>(i));
      if (selected == i) list_->setCurrentItem(item);
    }
  }
  for (int i = 0; i < 2; ++i) list_->resizeColumnToContents(i);
  setVisible(!all.empty());
}

void MeasurementPanel::select_row() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (item == nullptr) return;
  const QString view = item->data(0, view_role).toString();
  const auto index = static_cast<std::size_t>(item->data(0, index_role).toInt());
  Measurements& measurements = views_.state().measurements(view);
  if (index >= measurements.all().size()) return;
  measurements.select(index);
  views_.state().measurements_moved(view);
}

void MeasurementPanel::remove_row() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (item == nullptr) return;
  select_row();
  const QString view = item->data(0, view_role).toString();
  if (!views_.state().measurements(view).remove_selected()) return;
  views_.state().measurements_moved(view);
  views_.state().keep_measurements(tr("Remove a measurement"));
}

bool MeasurementPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
    remove_row();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

QString MeasurementPanel::csv() const {
  QString text = QStringLiteral(
      "view,position,kind,x1,y1,x2,y2,x3,y3,length,length unit,angle [deg],value,mean,sd,min,max,n,unit\n");
  for (const auto& [view, measurements] : views_.state().all_measurements())
    for (const Measurement& m : measurements) text += csv_row(view, views_.visible_pane(view), m) + QLatin1Char('\n');
  return text;
}

Result<void> MeasurementPanel::save_csv(const QString& path) const {
  return write_export(path, csv().toUtf8(), [this] { return views_.source().export_rules(); });
}

void MeasurementPanel::ask_and_save() {
  const QString path =
      ask_for_file(this, {tr("Save the measurements"), tr("measurements.csv"), tr("Tables (*.csv)"), {".csv"}});
  if (path.isEmpty()) return;
  if (const Result<void> saved = save_csv(path); !saved.ok())
    QMessageBox::warning(this, tr("Save the measurements"), error_text(saved.error()));
}

}  // namespace tl::ui
