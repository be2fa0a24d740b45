// LayerList: writes down the layers of an architecture one after the other.
#pragma once

#include <string>
#include <vector>

#include "core/net/network.h"

namespace tl::net {

enum class Bias { with, without };

// Each function adds a layer after others and returns its index. Tensors are named as in PyTorch: NAME.weight,
// NAME.bias, NAME.running_mean, NAME.running_var.
class LayerList {
 public:
  LayerList(int64_t dims, int64_t channels);
  int64_t add(Layer layer);
  int64_t convolution(const std::string& name, std::vector<int64_t> inputs, int64_t channels, int64_t kernel,
                      Bias bias = Bias::with);
  int64_t transposed(const std::string& name, int64_t input, int64_t channels, int64_t factor);
  int64_t pool(const std::string& name, int64_t input, LayerKind kind, int64_t factor);
  int64_t batch_norm(const std::string& name, int64_t input);
  int64_t relu(const std::string& name, int64_t input);
  int64_t crop(const std::string& name, int64_t input, int64_t like);
  int64_t copied(const std::string& name, int64_t input, int64_t factor);  // copies each pixel to factor^dims pixels
  int64_t softmax(int64_t input);
  // The layer that was added last, to be changed.
  Layer& last() { return network_.layers.back(); }
  [[nodiscard]] int64_t index() const { return static_cast<int64_t>(network_.layers.size()) - 1; }
  Network take() { return std::move(network_); }

 private:
  Network network_;
};

}  // namespace tl::net
