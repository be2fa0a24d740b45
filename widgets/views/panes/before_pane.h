// BeforePane: shows the slice as it was before the last step, or before learning.
#pragma once

#include "widgets/views/panes/slice_pane.h"

namespace tl::ui {

class EarlierPictures;

// Shows the image chosen by EarlierPictures; requests nothing itself.
class BeforePane final : public SlicePane {
  Q_OBJECT
 public:
  // `earlier` must outlive it.
  BeforePane(PictureSource& source, ViewState& state, const QString& view, const EarlierPictures& earlier,
             QWidget* parent = nullptr);
  // The output of the shown image, possibly of another node.
  [[nodiscard]] Output output() const override;
  [[nodiscard]] const VolumeGrid* grid() const override;
  [[nodiscard]] Output labels_output() const override { return {}; }  // the shown image has its own labels
  [[nodiscard]] bool may_be_painted() const override { return false; }
  [[nodiscard]] QString kind_text() const override;
  [[nodiscard]] QString position_text() const override;
  [[nodiscard]] std::vector<CaptionPart> state_caption() const override { return {}; }

 protected:
  [[nodiscard]] std::optional<live::PictureRequest> wanted() const override { return std::nullopt; }
  [[nodiscard]] bool stays_without_request() const override { return true; }
  void requested(const std::optional<live::PictureRequest>&) override {}
  [[nodiscard]] bool sets_levels() const override { return false; }
  [[nodiscard]] QString no_picture_text() const override;
  [[nodiscard]] QString extra_caption() const override { return tr("B = before / after"); }

 private:
  void show_earlier();
  [[nodiscard]] QString other_slice_text() const;
  const EarlierPictures& earlier_;
};

}  // namespace tl::ui
