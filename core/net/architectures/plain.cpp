// Plain layers: convolutions with rectifiers, one after the other.
#include "core/net/architectures/architectures.h"
#include "core/net/architectures/layer_list.h"

namespace tl::net {
namespace {

Result<Network> make_plain(const Settings& s) {
  if (s.at("kernel") % 2 == 0)
    return invalid("a kernel of " + std::to_string(s.at("kernel")) + " pixels has no middle", "plain kernel",
                   "Give an odd number");
  LayerList list(s.at("dims"), s.at("inputs"));
  int64_t at = 0;
  for (int64_t i = 0; i < s.at("depth"); ++i) {
    const bool last = i + 1 == s.at("depth");
    at = list.convolution("conv" + std::to_string(i), {at}, last ? s.at("classes") : s.at("channels"), s.at("kernel"));
    list.last().padding = s.at("kernel") / 2;
    list.last().border = Border::mirrored;
    if (!last) at = list.relu("relu" + std::to_string(i), at);
  }
  return list.take();
}

}  // namespace

Architecture architecture_plain() {
  return {"plain",
          "convolutions one after the other",
          "C. Dong et al., Image super-resolution using deep convolutional networks, IEEE TPAMI 38 (2016) 295",
          {{"depth", 3, 1, 256, "Layers"},
           {"channels", 16, 1, 1024, "Channels of all layers but the last"},
           {"kernel", 3, 1, 15, "Edge of the filters, odd"},
           {"inputs", 1, 1, 1024, "Channels of the input"},
           {"classes", 2, 1, 1024, "Channels of the output"},
           {"dims", 2, 2, 3, "Axes of space"}},
          make_plain};
}

}  // namespace tl::net
