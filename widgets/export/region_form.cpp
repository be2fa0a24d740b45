// RegionForm: frames, numbers and binning follow the session.
#include "widgets/export/region_form.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "core/picture/levels.h"
#include "widgets/export/range_form.h"
#include "widgets/export/region_preview.h"
#include "widgets/export/segments.h"
#include "widgets/text/color_map.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/chip_button.h"
#include "widgets/theme/theme.h"
#include "widgets/views/pictures/picture_render.h"

namespace tl::ui {
namespace {

constexpr std::array<int64_t, 4> offered_bins{1, 2, 4, 8};
constexpr double preview_percent = 0.5;
constexpr int voxel_field_width = 84;  // px

int as_int(int64_t value) { return static_cast<int>(std::clamp<int64_t>(value, 0, std::numeric_limits<int>::max())); }

QImage preview_of(const std::shared_ptr<const live::Image>& image) {
  if (image == nullptr) return {};
  return render_picture(*image, picture::percentile_levels(*image, preview_percent),
                        make_lookup(ColorMap::grey, Qt::black));
}

}  // namespace

RegionForm::RegionForm(ExportSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      xy_(new RegionPreview(QStringLiteral("XY"), tr("Region in the slice XY"))),
      xz_(new RegionPreview(QStringLiteral("XZ"), tr("Region in the slice XZ"))),
      bins_(new Segments(tr("Binning"))),
      shape_(new QLabel),
      bin_note_(new QLabel) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(Theme::space(2));
  auto* label = export_row_label(tr("Region"));
  grid->addWidget(label, 0, 0, Qt::AlignTop);
  auto* row = new QHBoxLayout;
  row->addWidget(xy_, 1);
  row->addWidget(xz_, 1);
  auto* numbers = new QGridLayout;
  const std::array<QString, 3> names{QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("z")};
  for (int i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    limits_.at(axis) = {spin(tr("First %1").arg(names.at(axis))), spin(tr("Last %1").arg(names.at(axis)))};
    numbers->addWidget(new QLabel(names.at(axis)), i, 0);
    numbers->addWidget(limits_.at(axis)[0], i, 1);
    numbers->addWidget(new QLabel(tr("to")), i, 2);
    numbers->addWidget(limits_.at(axis)[1], i, 3);
    for (QSpinBox* box : limits_.at(axis))
      connect(box, &QSpinBox::valueChanged, this, [this, axis] {
        set_range(static_cast<Axis>(axis), {limits_.at(axis)[0]->value(), limits_.at(axis)[1]->value() + int64_t{1}});
      });
  }
  shape_->setProperty("role", "second");
  auto* below = new QHBoxLayout;
  below->addWidget(shape_, 1);
  add_chip(below, this, tr("All"), tr("Export all voxels"),
           [this] { session_.change([](exports::Settings& s) { s.box.reset(); }); });
  numbers->addLayout(below, 3, 0, 1, 4);
  row->addLayout(numbers);
  grid->addLayout(row, 0, 1);
  grid->addWidget(export_row_label(tr("Binning")), 1, 0);
  auto* bin_row = new QHBoxLayout;
  QStringList bins;
  for (const int64_t bin : offered_bins) bins << QString::number(bin);
  bins_->set_texts(bins);
  bin_note_->setProperty("role", "second");
  bin_row->addWidget(bins_);
  bin_row->addWidget(bin_note_, 1);
  grid->addLayout(bin_row, 1, 1);
  grid->setColumnStretch(1, 1);
  connect(bins_, &Segments::chosen, this, [this](int index) {
    session_.change([index](exports::Settings& s) { s.bin = offered_bins.at(static_cast<std::size_t>(index)); });
  });
  connect(xy_, &RegionPreview::region_moved, this, [this](const Range& x, const Range& y) {
    set_range(Axis::x, x);
    set_range(Axis::y, y);
  });
  connect(xz_, &RegionPreview::region_moved, this, [this](const Range& x, const Range& z) {
    set_range(Axis::x, x);
    set_range(Axis::z, z);
  });
  connect(&session_, &ExportSession::changed, this, &RegionForm::show_session);
  connect(&session_, &ExportSession::slices_changed, this, &RegionForm::show_slices);
  show_session();
  show_slices();
}

QSpinBox* RegionForm::spin(const QString& name) {
  auto* box = new QSpinBox;
  box->setAccessibleName(name);
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  box->setAlignment(Qt::AlignRight);
  box->setFixedWidth(voxel_field_width);
  box->setKeyboardTracking(false);
  box->setMaximum(std::numeric_limits<int>::max());
  return box;
}

GridBox RegionForm::whole() const {
  const VolumeGrid* const grid = session_.grid();
  return grid == nullptr ? GridBox{} : GridBox{{0, grid->nz}, {0, grid->ny}, {0, grid->nx}};
}
GridBox RegionForm::box() const { return session_.settings().box.value_or(whole()); }

// If one limit would pass the other, the other is moved along.
void RegionForm::set_range(Axis axis, Range range) {
  if (session_.grid() == nullptr) return;
  const GridBox all = whole();
  GridBox wanted = box();
  Range& kept = axis == Axis::x ? wanted.x : axis == Axis::y ? wanted.y : wanted.z;
  const Range most = axis == Axis::x ? all.x : axis == Axis::y ? all.y : all.z;
  const bool moves_first = range.begin != kept.begin;
  range.begin = std::clamp<int64_t>(range.begin, 0, most.end - 1);
  range.end = std::clamp<int64_t>(range.end, 1, most.end);
  if (range.begin >= range.end) (moves_first ? range.end : range.begin) = moves_first ? range.begin + 1 : range.end - 1;
  kept = range;
  const bool is_all = wanted.x == all.x && wanted.y == all.y && wanted.z == all.z;
  session_.change([&](exports::Settings& s) { s.box = is_all ? std::nullopt : std::optional(wanted); });
}

void RegionForm::show_session() {
  const VolumeGrid* const grid = session_.grid();
  setVisible(session_.format() != nullptr && session_.format()->has_region);
  setEnabled(grid != nullptr);
  if (grid == nullptr) return;
  const GridBox kept = box(), all = whole();
  const std::array<std::pair<Range, Range>, 3> axes{{{kept.x, all.x}, {kept.y, all.y}, {kept.z, all.z}}};
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t end = 0; end < 2; ++end) {
      QSpinBox* const field = limits_.at(i).at(end);
      const QSignalBlocker quiet(field);
      const int last = as_int(axes.at(i).second.end - 1);
      const int value = as_int(end == 0 ? axes.at(i).first.begin : axes.at(i).first.end - 1);
      // Setting the same value again would delete what the user is typing: slices and counts arrive at any time.
      if (field->maximum() != last) field->setMaximum(last);
      if (field->value() != value) field->setValue(value);
    }
  xy_->show_region(kept.x, kept.y, grid->nx, grid->ny);
  xz_->show_region(kept.x, kept.z, grid->nx, grid->nz);
  const int64_t bin = session_.settings().bin;
  for (std::size_t i = 0; i < offered_bins.size(); ++i)
    if (offered_bins.at(i) == bin) bins_->choose(static_cast<int>(i));
  const auto part = exports::kept_grid(*grid, session_.settings());
  if (!part.ok()) return;
  const VolumeGrid written = part.value().binned(bin);
  shape_->setText(tr("%1 voxels").arg(shape_words({written.nx, written.ny, written.nz})));
  constexpr double um_per_mm = 1000;
  bin_note_->setText(tr("in x, y and z, voxels of %1 µm").arg(brief_number(um_per_mm * norm(written.step_x))));
}

void RegionForm::show_slices() {
  xy_->show_slice(preview_of(session_.slice(ExportSession::Plane::xy)));
  xz_->show_slice(preview_of(session_.slice(ExportSession::Plane::xz)));
}

}  // namespace tl::ui
