// FlowLayout: a row of widgets that continues in further rows where its width does not suffice, as words do in a text.
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace tl::ui {

// All rows begin at the left; items that expand, including a spacer of add_stretch(), share the remaining width of
// their row.
class FlowLayout final : public QLayout {
 public:
  explicit FlowLayout(QWidget* parent = nullptr);
  ~FlowLayout() override;
  void add_stretch();  // later items are at the right, if they are in the same row

  void addItem(QLayoutItem* item) override;
  [[nodiscard]] int count() const override;
  [[nodiscard]] QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  [[nodiscard]] Qt::Orientations expandingDirections() const override;
  [[nodiscard]] bool hasHeightForWidth() const override;
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;     // of a single row
  [[nodiscard]] QSize minimumSize() const override;  // as wide as the widest widget, as high as the present rows
  void setGeometry(const QRect& area) override;

 private:
  enum class Placing { measured, done };
  int place(const QRect& area, Placing placing) const;  // the height
  std::vector<std::unique_ptr<QLayoutItem>> items_;
  int height_ = 0;  // of the rows in the present width
};

}  // namespace tl::ui
