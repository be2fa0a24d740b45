// LabelCounter: counts the voxels of each label, of a box that the engine computes, on a thread of its own.
#pragma once

#include <QObject>

#include "widgets/labels/class_table_model.h"
#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

// GUI thread only.
class LabelCounter final : public QObject {
  Q_OBJECT
 public:
  explicit LabelCounter(PictureSource& source, QObject* parent = nullptr);  // the source must outlive it
  ~LabelCounter() override;
  void count(const Output& labels);
  // Counts of these labels, as long as the labels are unchanged.
  [[nodiscard]] const std::optional<ClassCounts>& counts() const { return counts_; }
  [[nodiscard]] bool is_counting() const { return counting_; }
  [[nodiscard]] const QString& problem() const { return problem_; }
  void forget();  // other labels are shown, or they changed

 Q_SIGNALS:
  void changed();

 private:
  void take(const QString& view, const live::Picture& picture);
  void finish(uint64_t ticket, const ClassCounts& counts);
  void stop();

  PictureSource& source_;
  uint64_t ticket_ = 0;
  bool asked_ = false, counting_ = false;
  int64_t whole_ = 0;  // voxels of the labels
  std::optional<ClassCounts> counts_;
  QString problem_;
};

}  // namespace tl::ui
