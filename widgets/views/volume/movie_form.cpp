// MovieForm: rows of a form.
#include "widgets/views/volume/movie_form.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <algorithm>
#include <cmath>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int movie_rate = 25;  // frames per second
constexpr double first_seconds = 6, shortest_movie = 0.2, longest_movie = 120;

QSize even_size(QSize size) { return {std::max(2, size.width() & ~1), std::max(2, size.height() & ~1)}; }

}  // namespace

MovieForm::MovieForm(QSize shown, QWidget* parent)
    : QWidget(parent),
      form_(new QFormLayout(this)),
      path_(new QComboBox(this)),
      size_(new QComboBox(this)),
      seconds_(new QDoubleSpinBox(this)) {
  path_->addItem(tr("Turntable"), static_cast<int>(MoviePath::turntable));
  path_->addItem(tr("Through the slices along z"), static_cast<int>(MoviePath::slices_z));
  path_->addItem(tr("Through the slices along y"), static_cast<int>(MoviePath::slices_y));
  path_->addItem(tr("Through the slices along x"), static_cast<int>(MoviePath::slices_x));
  shown = even_size(shown);
  size_->addItem(tr("As shown (%1 × %2)").arg(shown.width()).arg(shown.height()), shown);
  for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
    size_->addItem(QStringLiteral("%1 × %2").arg(size.width()).arg(size.height()), size);
  seconds_->setRange(shortest_movie, longest_movie);
  seconds_->setDecimals(1);
  seconds_->setValue(first_seconds);
  seconds_->setSuffix(tr(" s"));
  seconds_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  seconds_->setToolTip(tr("At %1 frames per second").arg(movie_rate));
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setSpacing(Theme::space(2));
  add_row(tr("Shows"), path_);
  add_row(tr("Length"), seconds_);
  add_row(tr("Size"), size_);
}

void MovieForm::add_row(const QString& name, QWidget* field) {
  field->setAccessibleName(name);
  form_->addRow(name, field);
}

MoviePlan MovieForm::plan(MovieFormat format) const {
  MoviePlan plan;
  plan.path = static_cast<MoviePath>(path_->currentData().toInt());
  plan.shape.format = format;
  plan.shape.size = size_->currentData().toSize();
  plan.shape.frames_per_second = movie_rate;
  plan.shape.frames = std::max(2, static_cast<int>(std::lround(seconds_->value() * movie_rate)));
  return plan;
}

}  // namespace tl::ui
