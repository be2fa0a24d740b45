// RegionForm: the voxels that are exported, by the frames in two slices or by numbers, and binning.
#pragma once

#include <QWidget>
#include <array>

#include "widgets/export/export_session.h"

class QLabel;
class QSpinBox;

namespace tl::ui {

class RegionPreview;
class Segments;

// GUI thread only. The session must outlive it.
class RegionForm final : public QWidget {
  Q_OBJECT
 public:
  explicit RegionForm(ExportSession& session, QWidget* parent = nullptr);

 private:
  enum class Axis { x, y, z };
  void show_session();
  void show_slices();
  void set_range(Axis axis, Range range);
  [[nodiscard]] GridBox box() const;
  [[nodiscard]] GridBox whole() const;
  QSpinBox* spin(const QString& name);
  ExportSession& session_;
  RegionPreview *xy_, *xz_;
  std::array<std::array<QSpinBox*, 2>, 3> limits_{};  // x, y, z: the first and the last voxel
  Segments* bins_;
  QLabel *shape_, *bin_note_;
};

}  // namespace tl::ui
