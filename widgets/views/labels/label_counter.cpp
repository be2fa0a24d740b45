// LabelCounter: asks once for the whole box, in as many voxels as fit, and lets the source forget the request.
#include "widgets/views/labels/label_counter.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "core/picture/label_counts.h"
#include "widgets/language/translated.h"

namespace tl::ui {
namespace {
const QString counter_view = QStringLiteral("label-counter");
}  // namespace

LabelCounter::LabelCounter(PictureSource& source, QObject* parent) : QObject(parent), source_(source) {
  connect(&source_, &PictureSource::picture_ready, this, &LabelCounter::take);
}
LabelCounter::~LabelCounter() {
  if (asked_) source_.forget(counter_view);
}

void LabelCounter::stop() {
  if (asked_) source_.forget(counter_view);
  asked_ = counting_ = false;
  ticket_ = source_.next_ticket();  // a count in progress is no longer needed
}

void LabelCounter::forget() {
  const bool was_there = counts_.has_value() || counting_ || !problem_.isEmpty();
  stop();
  counts_.reset();
  problem_.clear();
  if (was_there) Q_EMIT changed();
}

void LabelCounter::count(const Output& labels) {
  const Info* info = labels.empty() ? nullptr : source_.info(labels);
  const auto* whole = info == nullptr ? nullptr : std::get_if<LabelsInfo>(info);
  if (whole == nullptr) return;
  stop();
  problem_.clear();
  live::PictureRequest request{.node = labels.node.toStdString(),
                               .port = labels.port.toStdString(),
                               .region = whole->grid,
                               .coarse = 1,
                               .ticket = ticket_};
  whole_ = whole->grid.count();
  asked_ = counting_ = true;
  source_.request(counter_view, request);
  Q_EMIT changed();
}

void LabelCounter::take(const QString& view, const live::Picture& picture) {
  if (view != counter_view || !asked_ || picture.request.ticket != ticket_) return;
  if (picture.error) {
    if (picture.error->kind == ErrorKind::cancelled) return;
    problem_ = translated(picture.error->what);
    stop();
    Q_EMIT changed();
    return;
  }
  const auto* grid = std::get_if<VolumeGrid>(&picture.region);
  if (!picture.image || !picture.final || grid == nullptr) return;
  source_.forget(counter_view);
  asked_ = false;
  ClassCounts counts;
  counts.voxels_per_counted = static_cast<double>(whole_) / static_cast<double>(grid->count());
  const Info* info =
      source_.info({QString::fromStdString(picture.request.node), QString::fromStdString(picture.request.port)});
  const auto* whole = info == nullptr ? nullptr : std::get_if<LabelsInfo>(info);
  counts.voxel_volume = whole == nullptr ? grid->voxel_volume() : whole->grid.voxel_volume();
  QThreadPool::globalInstance()->start(
      [image = picture.image, counts, ticket = ticket_, self = QPointer<LabelCounter>(this)]() mutable {
        counts.voxels = picture::label_counts(*image);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, ticket, counts] {
              if (self) self->finish(ticket, counts);
            },
            Qt::QueuedConnection);
      });
}

void LabelCounter::finish(uint64_t ticket, const ClassCounts& counts) {
  if (ticket != ticket_ || !counting_) return;
  counting_ = false;
  counts_ = counts;
  Q_EMIT changed();
}

}  // namespace tl::ui
