// CompareDialog: pictures of both, and a table of differences.
#include "widgets/history/compare_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/history/history_model.h"
#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/text/typeset.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr QSize first_size(960, 640);
constexpr int picture_edge = 280;  // [px]

QImage grey_image(const picture::Image& image, picture::Levels levels) {
  QImage grey(static_cast<int>(image.cols), static_cast<int>(image.rows), QImage::Format_Grayscale8);
  const double range = levels.high > levels.low ? levels.high - levels.low : 1;
  for (int row = 0; row < grey.height(); ++row) {
    uchar* line = grey.scanLine(row);
    for (int col = 0; col < grey.width(); ++col) {
      const double value = image.pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(image.cols) +
                                        static_cast<std::size_t>(col)];
      line[col] = std::isfinite(value)
                      ? static_cast<uchar>(std::lround(255 * std::clamp((value - levels.low) / range, 0.0, 1.0)))
                      : 0;
    }
  }
  return grey;
}

// Zero is the middle grey.
picture::Levels around_zero(const picture::Image& image) {
  double largest = 0;
  for (const float value : image.pixels)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  return largest > 0 ? picture::Levels{-largest, largest} : picture::Levels{-1, 1};
}

QWidget* captioned(const QImage& image, const QString& caption) {
  auto* whole = new QWidget;
  auto* column = new QVBoxLayout(whole);
  column->setContentsMargins(0, 0, 0, 0);
  auto* picture = new QLabel;
  picture->setAccessibleName(caption);
  picture->setPixmap(
      QPixmap::fromImage(image.scaled(picture_edge, picture_edge, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
  auto* words = new QLabel(caption);
  words->setWordWrap(true);
  words->setMaximumWidth(picture_edge);
  column->addWidget(picture);
  column->addWidget(words);
  column->addStretch(1);
  return whole;
}

QString number(double value) { return QString::number(value, 'g', 3); }

QString voxels_text(const history::ComparedVoxels& v) {
  if (v.differing == 0) return CompareDialog::tr("All %1 voxels are equal.").arg(v.voxels);
  const double range = v.high - v.low;
  const QString share = range > 0 && std::isfinite(v.largest)
                            ? CompareDialog::tr(" (%1 % of the range)").arg(number(100 * v.largest / range))
                            : QString();
  return CompareDialog::tr("%1 of %2 voxels differ, by %3 at most%4, rms %5.")
      .arg(v.differing)
      .arg(v.voxels)
      .arg(number(v.largest), share, number(v.rms));
}

// Name of the input file that has this fingerprint.
QString input_name(const history::Entry& entry, const std::string& fingerprint) {
  for (const history::File& file : entry.inputs)
    if (file.fingerprint == fingerprint) return QFileInfo(QString::fromStdString(file.path)).fileName();
  return {};
}

}  // namespace

CompareDialog::CompareDialog(QWidget* parent)
    : QDialog(parent),
      summary_(new QLabel(tr("Comparing parameters and voxels…"), this)),
      pictures_(new QWidget(this)),
      table_(new QTableWidget(this)) {
  setWindowTitle(tr("Compare two"));
  resize(first_size);
  summary_->setWordWrap(true);
  auto* row = new QHBoxLayout(pictures_);
  row->setContentsMargins(0, 0, 0, 0);
  pictures_->hide();
  table_->setColumnCount(4);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setAccessibleName(tr("Differences"));
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->hide();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(Theme::space(3));
  column->addWidget(summary_);
  column->addWidget(pictures_);
  column->addWidget(table_, 1);
  column->addStretch(0);
  column->addWidget(buttons);
}

CompareDialog::~CompareDialog() { cancel_.cancel(); }

void CompareDialog::show_result(const history::Entry& first, const history::Entry& second,
                                const history::Comparison& compared) {
  const auto name = [](const history::Entry& e) {
    return HistoryModel::name(e) + QStringLiteral(", ") + HistoryModel::kind_and_time(e);
  };
  summary_->setText(compared.voxels ? voxels_text(*compared.voxels)
                                    : tr("The voxels were not compared: %1").arg(window_text(compared.why_no_voxels)));
  if (compared.voxels) {
    auto* row = static_cast<QHBoxLayout*>(pictures_->layout());
    const history::ComparedVoxels& v = *compared.voxels;
    const picture::Levels apart = around_zero(v.apart);
    row->addWidget(captioned(grey_image(v.first, v.grey), name(first)));
    row->addWidget(captioned(grey_image(v.second, v.grey), name(second)));
    row->addWidget(
        captioned(grey_image(v.apart, apart), typeset(tr("Second less first, -%1 to %1").arg(number(apart.high)))));
    row->addStretch(1);
    pictures_->show();
  }
  table_->setHorizontalHeaderLabels({tr("What differs"), name(first), name(second), tr("Apart")});
  const auto side = [](const std::string& text) {
    return text.empty() ? tr("absent") : typeset(QString::fromStdString(text));
  };
  for (const auto* differences :
       {&compared.record.parameters, &compared.record.pipeline, &compared.record.inputs, &compared.record.versions})
    for (const Difference& d : *differences) {
      const int at = table_->rowCount();
      table_->insertRow(at);
      const QString sigmas = d.sigmas ? tr("%1 σ").arg(*d.sigmas, 0, 'f', 1) : QString();
      QStringList cells{translated(d.what), side(d.first), side(d.second), sigmas};
      if (differences == &compared.record.inputs) {
        const QString a = input_name(first, d.first), b = input_name(second, d.second);
        const bool named = a != b && !a.isEmpty() && !b.isEmpty();  // else only the fingerprints differ, not the names
        if (named) {
          cells[1] = a;
          cells[2] = b;
        }
      }
      for (int col = 0; col < cells.size(); ++col) table_->setItem(at, col, new QTableWidgetItem(cells[col]));
    }
  if (table_->rowCount() == 0) {
    summary_->setText(summary_->text() + QLatin1Char(' ') + tr("Pipeline, parameters, inputs and versions are equal."));
  } else {
    table_->resizeColumnsToContents();
    table_->show();
  }
}

}  // namespace tl::ui
