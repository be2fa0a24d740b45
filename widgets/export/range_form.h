// RangeForm: number type and value range of the export, and the share of voxels that is clipped.
#pragma once

#include <QWidget>
#include <array>

#include "widgets/export/export_session.h"

class QLabel;

namespace tl::ui {

class EntryLine;
class RangeHistogram;
class Segments;

// GUI thread only. The session must outlive it.
class RangeForm final : public QWidget {
  Q_OBJECT
 public:
  explicit RangeForm(ExportSession& session, QWidget* parent = nullptr);

 private:
  void show_session();
  void show_clipped();
  QWidget* build_range();
  EntryLine* number_line(const QString& name, int width);
  void take_number(EntryLine& line, double exports::Settings::*member, exports::RangeMode mode);
  ExportSession& session_;
  Segments *types_, *modes_;
  QWidget *type_row_, *range_;
  QLabel *type_note_, *clipped_, *step_;
  RangeHistogram* histogram_;
  std::array<EntryLine*, 2> percents_{}, limits_{};
  QWidget* percent_row_ = nullptr;
};

// A label for a row of the form; all such labels have the same width.
QLabel* export_row_label(const QString& text);
void align_row_labels(QWidget& form);  // gives all row labels the width of the longest one

}  // namespace tl::ui
