// BeforePane: shows the slice as it was before the last step.
#pragma once

#include <QElapsedTimer>
#include <functional>

#include "widgets/views/panes/slice_pane.h"

namespace tl::ui {

// Keeps the last sharp picture of the live slice pane, which `live` returns (or nullptr while there is none).
class BeforePane final : public SlicePane {
  Q_OBJECT
 public:
  BeforePane(PictureSource& source, ViewState& state, const QString& view, std::function<SlicePane*()> live,
             QWidget* parent = nullptr);
  [[nodiscard]] QString kind_text() const override { return tr("Before"); }
  [[nodiscard]] QString position_text() const override;
  [[nodiscard]] std::vector<CaptionPart> state_caption() const override { return {}; }

 protected:
  [[nodiscard]] std::optional<live::PictureRequest> wanted() const override { return std::nullopt; }
  [[nodiscard]] bool stays_without_request() const override { return true; }
  [[nodiscard]] QString no_picture_text() const override;
  [[nodiscard]] QString extra_caption() const override { return tr("B = before / after"); }

 private:
  void keep();
  std::function<SlicePane*()> live_;
  QElapsedTimer since_change_;
  QString step_;
};

}  // namespace tl::ui
