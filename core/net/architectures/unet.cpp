// U-Nets: a path down to coarse maps and a path up again, which also uses the maps of the path down.
#include "core/net/architectures/architectures.h"
#include "core/net/architectures/layer_list.h"

namespace tl::net {
namespace {

// Two convolutions without border; their names consist of level and position.
int64_t plain_pair(LayerList& list, const std::string& name, std::vector<int64_t> inputs, int64_t channels) {
  const int64_t first = list.relu(name + ".relu1", list.convolution(name + ".conv1", std::move(inputs), channels, 3));
  return list.relu(name + ".relu2", list.convolution(name + ".conv2", {first}, channels, 3));
}

// Two convolutions with border and batch norm.
int64_t normed_pair(LayerList& list, const std::string& name, std::vector<int64_t> inputs, int64_t channels) {
  for (const char* number : {"1", "2"}) {
    list.convolution(name + ".conv" + number, std::move(inputs), channels, 3);
    list.last().padding = 1;
    list.batch_norm(name + ".norm" + number, list.index());
    inputs = {list.relu(name + ".relu" + number, list.index())};
  }
  return inputs[0];
}

std::string level_name(const char* path, int64_t level) { return path + std::to_string(level); }

enum class Enlarge { transposed, copied };

Result<Network> classic(const Settings& s, Enlarge enlarge) {
  LayerList list(s.at("dims"), s.at("inputs"));
  const int64_t levels = s.at("levels");
  std::vector<int64_t> skipped;
  int64_t at = 0, channels = s.at("features");
  for (int64_t level = 0; level < levels; ++level, channels *= 2) {
    at = plain_pair(list, level_name("down", level), {at}, channels);
    skipped.push_back(at);
    at = list.pool(level_name("pool", level), at, LayerKind::max_pool, 2);
  }
  at = plain_pair(list, "bottom", {at}, channels);
  for (int64_t level = levels - 1; level >= 0; --level) {
    channels /= 2;
    const std::string up = level_name("up", level);
    if (enlarge == Enlarge::transposed) {
      at = list.transposed(up + ".enlarge", at, channels, 2);
    } else {
      at = list.convolution(up + ".reduce", {list.copied(up + ".copy", at, 2)}, channels, 1);
    }
    const int64_t skip = list.crop(up + ".crop", skipped[static_cast<std::size_t>(level)], at);
    at = plain_pair(list, up, {skip, at}, channels);
  }
  at = list.convolution("final", {at}, s.at("classes"), 1);
  if (enlarge == Enlarge::copied) list.softmax(at);
  return list.take();
}

Result<Network> make_unet(const Settings& s) { return classic(s, Enlarge::transposed); }
Result<Network> make_unet_copying(const Settings& s) { return classic(s, Enlarge::copied); }

Result<Network> make_unet4(const Settings& s) {
  LayerList list(s.at("dims"), s.at("inputs"));
  const int64_t features = s.at("features");
  constexpr int64_t levels = 4;
  const int64_t down[] = {features, 2 * features, 4 * features, 8 * features};
  const int64_t up[] = {features, features, 2 * features, 4 * features};
  std::vector<int64_t> skipped;
  int64_t at = 0;
  for (int64_t level = 0; level < levels; ++level) {
    at = normed_pair(list, level_name("down", level), {at}, down[level]);
    skipped.push_back(at);
    at = list.pool(level_name("pool", level), at, LayerKind::average_pool, 2);
  }
  at = normed_pair(list, "bottom", {at}, down[levels - 1]);
  for (int64_t level = levels - 1; level >= 0; --level) {
    at = list.transposed(level_name("enlarge", level), at, down[level], 2);
    at = normed_pair(list, level_name("up", level), {skipped[static_cast<std::size_t>(level)], at}, up[level]);
  }
  list.convolution("final", {at}, s.at("classes"), 1);
  return list.take();
}

std::vector<Setting> unet_settings(int64_t inputs) {
  return {{"inputs", inputs, 1, 1024, "Channels of the input"},
          {"classes", 2, 1, 1024, "Channels of the output"},
          {"features", 64, 1, 1024, "Channels of the finest level"},
          {"levels", 4, 1, 6, "Poolings"},
          {"dims", 2, 2, 3, "Axes of space"}};
}

}  // namespace

Architecture architecture_unet() {
  return {
      "unet", "U-Net without borders",
      "O. Ronneberger, P. Fischer, T. Brox, U-Net: convolutional networks for biomedical image segmentation, MICCAI "
      "(2015) 234",
      unet_settings(1), make_unet};
}

Architecture architecture_unet_copying() {
  return {"u", "U-Net without borders that enlarges maps by copying",
          "F. Tschopp, Efficient convolutional neural networks for pixelwise classification on heterogeneous hardware "
          "systems, arXiv 1509.03371 (2015)",
          unet_settings(3), make_unet_copying};
}

Architecture architecture_unet4() {
  return {
      "unet4",
      "U-Net with borders, batch norm and average pooling",
      "R. Schoonhoven, A. A. Hendriksen, D. M. Pelt, K. J. Batenburg, LEAN: graph-based pruning for convolutional "
      "neural "
      "networks by extracting longest chains, arXiv 2011.06923 (2020)",
      {{"inputs", 1, 1, 1024, "Channels of the input"},
       {"classes", 2, 1, 1024, "Channels of the output"},
       {"features", 64, 1, 1024, "Channels of the finest level",
        TrainingField{"Width", " channels", 16, 256,
                      "Channels of the finest level; each coarser one has twice as many. The original U-Net has 64."}},
       {"dims", 2, 2, 3, "Axes of space"}},
      make_unet4,
      TrainingOffer{"U-Net", "U-Nets (unet4: with batch norm) have many weights and take longer."}};
}

}  // namespace tl::net
