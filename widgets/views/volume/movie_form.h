// MovieForm: contents, length and size of a movie of the 3D view.
#pragma once

#include <QWidget>

#include "widgets/views/volume/volume_movie.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;

namespace tl::ui {

// GUI thread only.
class MovieForm final : public QWidget {
  Q_OBJECT
 public:
  // `shown`: the size of the view in pixels of the screen.
  explicit MovieForm(QSize shown, QWidget* parent = nullptr);
  [[nodiscard]] MoviePlan plan(MovieFormat format) const;

 private:
  void add_row(const QString& name, QWidget* field);
  QFormLayout* form_;
  QComboBox *path_, *size_;
  QDoubleSpinBox* seconds_;
};

}  // namespace tl::ui
