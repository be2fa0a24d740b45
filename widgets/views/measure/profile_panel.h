// ProfilePanel: plot of a line profile, which can be copied and saved as CSV.
#pragma once

#include <QWidget>
#include <vector>

#include "core/picture/measure.h"
#include "widgets/session/exports.h"

namespace tl::ui {

// GUI thread only.
class ProfilePanel final : public QWidget {
  Q_OBJECT
 public:
  explicit ProfilePanel(QWidget* parent = nullptr);
  // Distances of `points` are in pixels; times `per_pixel` they are in `length_unit`.
  void set_profile(std::vector<picture::ProfilePoint> points, double per_pixel, const QString& length_unit,
                   const QString& value_unit);
  [[nodiscard]] const std::vector<picture::ProfilePoint>& points() const { return points_; }
  [[nodiscard]] QString csv() const;
  Result<void> save_csv(const QString& path) const;
  void set_export_rules(ExportRules rules) { rules_ = std::move(rules); }

 Q_SIGNALS:
  void closed();

 protected:
  void paintEvent(QPaintEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void leaveEvent(QEvent*) override;

 private:
  [[nodiscard]] QRectF plot_area() const;
  void ask_and_save();
  std::vector<picture::ProfilePoint> points_;
  double per_pixel_ = 1, low_ = 0, high_ = 1;
  QString length_unit_, value_unit_;
  ExportRules rules_ = no_pipeline();
  std::optional<double> hover_;  // 0 to 1 along the plot
};

}  // namespace tl::ui
