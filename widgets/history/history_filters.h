// HistoryFilters: search line, kinds, period, and filters by scan, parameter and verdict above the cards of the
// history.
#pragma once

#include <QWidget>
#include <array>

#include "core/history/store.h"

class QComboBox;
class QLineEdit;
class QTimer;
class QToolButton;

namespace tl::ui {

class HistoryFilters final : public QWidget {
  Q_OBJECT
 public:
  explicit HistoryFilters(QWidget* parent = nullptr);
  [[nodiscard]] history::Filter filter() const;
  [[nodiscard]] bool is_empty() const;                    // everything is shown
  [[nodiscard]] QLineEdit& search() { return *search_; }  // the page places this field in its heading
  void clear();
  // Shows how many entries of each kind there are, and offers their verdicts as filters.
  void show_counts(const std::array<int, 4>& of_kinds, const QStringList& verdicts);

 Q_SIGNALS:
  void changed();  // a moment after the last key

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QBoxLayout* rows_ = nullptr;  // chips and fields: in one row if they fit
  QLineEdit *search_, *scan_, *parameter_;
  std::array<QToolButton*, 5> kinds_{};  // a button for all kinds, and one for each kind
  QComboBox *period_, *verdict_;
  QTimer* typing_;
};

}  // namespace tl::ui
