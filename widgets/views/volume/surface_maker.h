// SurfaceMaker: the surfaces of labels for the 3D view: asks for a box of labels that fits, and makes the triangles on
// a thread of its own.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "core/base/cancel.h"
#include "core/mesh/mesh.h"
#include "widgets/views/pictures/picture_source.h"

namespace tl::mesh {
struct SurfaceSettings;
}

namespace tl::ui {

// GUI thread only.
class SurfaceMaker final : public QObject {
  Q_OBJECT
 public:
  // `view` is its name in requests to the source, which must outlive it.
  SurfaceMaker(PictureSource& source, QString view, QObject* parent = nullptr);
  ~SurfaceMaker() override;
  // From now on makes surfaces of these labels on that grid; nullopt: none.
  void follow(const Output& labels, const std::optional<VolumeGrid>& grid);
  [[nodiscard]] const std::shared_ptr<const mesh::Mesh>& surfaces() const { return surfaces_; }  // null: not there yet
  // The class that surrounds the others, so that its surface would hide them: most voxels in the faces of the box
  // belong to it.
  [[nodiscard]] std::optional<int64_t> surrounding() const { return surrounding_; }
  [[nodiscard]] bool is_busy() const { return asked_.has_value() && (!picture_is_there_ || making_); }
  [[nodiscard]] const QString& problem() const { return problem_; }

 Q_SIGNALS:
  void changed();

 private:
  void take(const QString& view, const live::Picture& picture);
  struct Made {
    mesh::Mesh surfaces;
    std::optional<int64_t> surrounding;
  };
  static Result<Made> make(const live::Image& image, const VolumeGrid& grid, const mesh::SurfaceSettings& settings);
  void finish(uint64_t job, const Result<Made>& made);

  PictureSource& source_;
  QString view_;
  Output labels_;
  std::optional<VolumeGrid> asked_;
  uint64_t ticket_ = 0, job_ = 0;
  bool picture_is_there_ = false, making_ = false;
  CancelToken cancel_;
  std::shared_ptr<const mesh::Mesh> surfaces_;
  std::optional<int64_t> surrounding_;
  QString problem_;
};

}  // namespace tl::ui
