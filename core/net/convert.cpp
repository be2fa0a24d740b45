// Walks the layers with the dilation that the poolings before them require.
#include "core/net/convert.h"

#include <ATen/ATen.h>

#include "core/net/counts.h"

namespace tl::net {

Result<Network> fully_convolutional(const Network& window) {
  TL_TRY(const auto channels, channels_of(window));
  Network all = window;
  int64_t dilation = 1;
  for (Layer& l : all.layers) {
    const auto refused = [&](const std::string& what) {
      return invalid(what, "layer " + l.name, "Convert a classifier of windows, such as sw");
    };
    switch (row_of(l.kind).fully_convolutional) {
      case FullyConvolutionalForm::unchanged: break;
      case FullyConvolutionalForm::dilated:
        if (l.stride != 1 || l.padding != 0)
          return refused("a convolution with a stride or a border cannot be converted");
        l.dilation *= dilation;
        break;
      case FullyConvolutionalForm::strided:
        if (l.stride != l.kernel || l.padding != 0 || l.dilation != 1)
          return refused("a pooling whose stride is not its kernel cannot be converted");
        l.dilation = dilation;
        dilation *= l.stride;
        l.stride = 1;
        break;
      case FullyConvolutionalForm::convolved: {
        l.kind = LayerKind::convolution;
        l.dilation = l.kernel == 1 ? 1 : dilation;
        dilation = 1;
        const auto stored = all.tensors.find(l.weight);
        if (stored != all.tensors.end()) {
          std::vector<int64_t> shape{l.channels, input_channels(l, channels)};
          shape.insert(shape.end(), static_cast<std::size_t>(all.dims), l.kernel);
          stored->second = stored->second.view(shape);
        }
        break;
      }
      case FullyConvolutionalForm::refused:
        return refused("a layer of the kind " + std::string(to_string(l.kind)) + " cannot be converted");
    }
    if (l.dilation > largest_dilation) return refused("the poolings before it would dilate it too far");
  }
  if (dilation > 1)
    return invalid("no fully connected layer (inner product) follows the last pooling", "network",
                   "Only networks that end in fully connected layers can be applied to all pixels");
  return all;
}

}  // namespace tl::net
