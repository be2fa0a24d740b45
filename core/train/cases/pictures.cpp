// Fills a case with images.
#include "core/train/cases/pictures.h"

namespace tl::train {

GeneratedCase case_of_images(std::vector<LabelClass> classes, const CaseSize& size, uint64_t seed,
                             const MakePicture& make) {
  GeneratedCase made;
  made.set.classes = std::move(classes);
  const auto fill = [&](std::vector<Item>& items, int64_t count, const std::string& name, uint64_t part) {
    for (int64_t i = 0; i < count; ++i)
      items.push_back(make(name + " " + std::to_string(i + 1), size.edge,
                           (seed * 4 + part) * (uint64_t{1} << 20) + static_cast<uint64_t>(i)));
  };
  fill(made.set.training, size.training, "training image", 0);
  fill(made.set.validation, size.validation, "validation image", 1);
  fill(made.test, size.test, "test image", 2);
  return made;
}

}  // namespace tl::train
