// SurfaceMaker: a newer image of labels cancels surfaces of an older one.
#include "widgets/views/volume/surface_maker.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <cmath>
#include <map>

#include "core/mesh/surface.h"
#include "widgets/text/error_text.h"

namespace tl::ui {
namespace {

constexpr int64_t max_memory = int64_t{2} << 30;  // bytes, while triangles are made

// Rows of images run against y.
std::vector<int32_t> numbers_upwards(const live::Image& image, const VolumeGrid& grid) {
  std::vector<int32_t> numbers(static_cast<std::size_t>(grid.count()));
  auto to = numbers.begin();
  for (int64_t k = 0; k < grid.nz; ++k)
    for (int64_t j = 0; j < grid.ny; ++j) {
      const float* row = image.pixels.data() + (k * grid.ny + grid.ny - 1 - j) * grid.nx;
      to = std::transform(row, row + grid.nx, to,
                          [](float v) { return std::isnan(v) ? 0 : static_cast<int32_t>(std::lround(v)); });
    }
  return numbers;
}

// The number of more than half of the voxels in the faces of the box, which may be 0 (no label).
std::optional<int64_t> number_around(const std::vector<int32_t>& numbers, const VolumeGrid& grid) {
  std::map<int32_t, int64_t> counts;
  int64_t all = 0;
  const auto count = [&](int64_t k, int64_t j, int64_t i) {
    ++counts[numbers[static_cast<std::size_t>((k * grid.ny + j) * grid.nx + i)]];
    ++all;
  };
  for (int64_t k = 0; k < grid.nz; ++k)
    for (int64_t j = 0; j < grid.ny; ++j) {
      const bool is_face = k == 0 || k == grid.nz - 1 || j == 0 || j == grid.ny - 1;
      for (int64_t i = 0; i < grid.nx; i += is_face ? 1 : std::max<int64_t>(grid.nx - 1, 1)) count(k, j, i);
    }
  for (const auto& [number, voxels] : counts)
    if (number != 0 && 2 * voxels > all) return number;
  return std::nullopt;
}

}  // namespace

Result<SurfaceMaker::Made> SurfaceMaker::make(const live::Image& image, const VolumeGrid& grid,
                                              const mesh::SurfaceSettings& settings) {
  try {
    const std::vector<int32_t> numbers = numbers_upwards(image, grid);
    TL_TRY(mesh::Mesh surfaces, mesh::surface_of(numbers, grid, settings));
    return Made{std::move(surfaces), number_around(numbers, grid)};
  } catch (const Failure& failure) {
    return failure.error();
  } catch (const std::exception& error) {
    return Error{ErrorKind::device, std::string("the surfaces could not be made: ") + error.what(), {}, {}};
  }
}

SurfaceMaker::SurfaceMaker(PictureSource& source, QString view, QObject* parent)
    : QObject(parent), source_(source), view_(std::move(view)) {
  connect(&source_, &PictureSource::picture_ready, this, &SurfaceMaker::take);
}
SurfaceMaker::~SurfaceMaker() {
  cancel_.cancel();
  if (asked_) source_.forget(view_);
}

void SurfaceMaker::follow(const Output& labels, const std::optional<VolumeGrid>& grid) {
  if (labels == labels_ && grid == asked_) return;
  cancel_.cancel();
  ++job_;
  making_ = picture_is_there_ = false;
  if (labels != labels_ || !grid) surfaces_.reset();
  problem_.clear();
  labels_ = labels;
  if (!grid) {
    if (asked_) source_.forget(view_);
    asked_.reset();
    return;
  }
  asked_ = grid;
  live::PictureRequest request{.node = labels.node.toStdString(),
                               .port = labels.port.toStdString(),
                               .region = *grid,
                               .coarse = 1,
                               .ticket = ticket_ = source_.next_ticket()};
  source_.request(view_, request);
}

void SurfaceMaker::take(const QString& view, const live::Picture& picture) {
  if (view != view_ || !asked_ || picture.request.ticket != ticket_) return;
  if (picture.error) {
    if (picture.error->kind == ErrorKind::cancelled) return;
    picture_is_there_ = true;
    problem_ = error_text(*picture.error);
    Q_EMIT changed();
    return;
  }
  const auto* grid = std::get_if<VolumeGrid>(&picture.region);
  if (!picture.image || !picture.final || grid == nullptr || picture.image->rows != grid->nz * grid->ny) return;
  picture_is_there_ = making_ = true;
  cancel_.cancel();
  cancel_ = CancelToken();
  mesh::SurfaceSettings settings;
  settings.memory = max_memory;
  settings.cancel = cancel_;
  const Info* info = source_.info(labels_);
  if (const auto* labels = info == nullptr ? nullptr : std::get_if<LabelsInfo>(info))
    if (labels->table.not_labelled) settings.without.insert(*labels->table.not_labelled);
  QThreadPool::globalInstance()->start(
      [image = picture.image, grid = *grid, settings, job = ++job_, self = QPointer<SurfaceMaker>(this)] {
        auto made = std::make_shared<Result<Made>>(make(*image, grid, settings));
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, job, made] {
              if (self) self->finish(job, *made);
            },
            Qt::QueuedConnection);
      });
}

void SurfaceMaker::finish(uint64_t job, const Result<Made>& made) {
  if (job != job_) return;
  making_ = false;
  if (made.ok()) {
    problem_.clear();
    surfaces_ = std::make_shared<const mesh::Mesh>(made.value().surfaces);
    surrounding_ = made.value().surrounding;
  } else if (made.error().kind != ErrorKind::cancelled) {
    problem_ = error_text(made.error());
  }
  Q_EMIT changed();
}

}  // namespace tl::ui
