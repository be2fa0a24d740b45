// Channels of several layers that must stay equal (rectifiers, sums, joined maps) form classes; a class is kept or
// removed as a whole.
#include "core/net/prune/smaller.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

namespace tl::net {
namespace {

using Indices = std::vector<std::size_t>;

class Shrinking {
 public:
  Shrinking(const Network& network, const Connections& c)
      : network_(network), c_(c), zeroed_(with_zeros(network, c)), channels_(channels_of(network).or_throw()) {
    choose_inputs();
    join_classes();
    keep_what_is_needed();
    for (std::size_t i = 0; i < kept_.size(); ++i) build(i);
    for (const auto& [name, parts] : biases_) result_.network.tensors[name] = at::cat(parts);
  }
  SmallerNetwork take() { return std::move(result_); }

 private:
  [[nodiscard]] const Layer& layer(std::size_t i) const { return network_.layers[i]; }
  [[nodiscard]] std::size_t input(std::size_t i, std::size_t place) const {
    return static_cast<std::size_t>(layer(i).inputs[place]);
  }
  [[nodiscard]] bool has_edges(std::size_t i) const { return c_.edges.count(layer(i).name) != 0; }
  // Whether only the size of the layer's second input is used.
  [[nodiscard]] bool reads_size(std::size_t i) const { return row_of(layer(i).kind).reads_size(); }

  // Chooses which of its inputs each layer still reads, by index; needed_: layers that stay.
  void choose_inputs() {
    places_.resize(network_.layers.size());
    needed_.assign(network_.layers.size(), false);
    needed_.front() = needed_.back() = true;
    for (std::size_t i = needed_.size(); i-- > 0;) {
      if (!needed_[i]) continue;
      int64_t offset = 0;
      for (std::size_t k = 0; k < layer(i).inputs.size(); ++k) {
        const int64_t count = channels_[input(i, k)];
        bool reads = true;
        if (has_edges(i)) reads = c_.edges.at(layer(i).name).narrow(1, offset, count).any().item<bool>();
        if (layer(i).kind == LayerKind::add) {
          const auto& alive = c_.alive[input(i, k)];
          reads = std::find(alive.begin(), alive.end(), 1) != alive.end();
        }
        if (reads) places_[i].push_back(k);
        offset += count;
      }
      if (places_[i].empty() && !layer(i).inputs.empty()) places_[i].push_back(0);
      for (const std::size_t k : places_[i]) needed_[input(i, k)] = true;
    }
  }

  std::size_t root(std::size_t channel) {
    while (parent_[channel] != channel) channel = parent_[channel] = parent_[parent_[channel]];
    return channel;
  }
  std::size_t node(std::size_t i, std::size_t channel) { return root(first_[i] + channel); }

  void join_classes() {
    first_.push_back(0);
    for (const int64_t n : channels_) first_.push_back(first_.back() + static_cast<std::size_t>(n));
    parent_.resize(first_.back());
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    for (std::size_t i = 1; i < needed_.size(); ++i) {
      if (!needed_[i] || has_edges(i)) continue;
      std::size_t offset = 0;
      for (std::size_t k = 0; k < (reads_size(i) ? 1 : places_[i].size()); ++k) {
        const std::size_t from = input(i, places_[i][k]);
        const auto count = static_cast<std::size_t>(channels_[from]);
        for (std::size_t c = 0; c < count; ++c) parent_[node(i, offset + c)] = node(from, c);
        if (layer(i).kind == LayerKind::concatenate) offset += count;
      }
    }
  }

  void keep_what_is_needed() {
    std::vector<bool> stays(parent_.size(), false);
    for (std::size_t i = 0; i < needed_.size(); ++i)
      for (std::size_t c = 0; c < c_.alive[i].size(); ++c)
        if (needed_[i] && (c_.alive[i][c] != 0 || i == 0 || i + 1 == needed_.size())) stays[node(i, c)] = true;
    // Maps of which only the size is used keep one channel.
    for (std::size_t i = needed_.size(); i-- > 0;) {
      if (!needed_[i]) continue;
      bool any = false;
      for (std::size_t c = 0; c < c_.alive[i].size(); ++c) any = any || stays[node(i, c)];
      if (!any) stays[node(i, 0)] = true;
    }
    kept_.resize(needed_.size());
    for (std::size_t i = 0; i < needed_.size(); ++i)
      for (std::size_t c = 0; needed_[i] && c < c_.alive[i].size(); ++c)
        if (stays[node(i, c)]) kept_[i].push_back(static_cast<int64_t>(c));
  }

  void build(std::size_t i) {
    new_index_.push_back(-1);
    if (!needed_[i]) return;
    if (layer(i).kind == LayerKind::add && places_[i].size() == 1) {
      new_index_.back() = new_index_[input(i, places_[i][0])];
      // The output keeps its name.
      if (i + 1 < needed_.size()) return;
    }
    Layer l = layer(i);
    l.inputs.clear();
    for (const std::size_t k : places_[i]) l.inputs.push_back(new_index_[input(i, k)]);
    if (l.kind == LayerKind::add && l.inputs.size() == 1) l.kind = LayerKind::dropout;  // which changes nothing
    if (i == 0 || has_edges(i)) l.channels = static_cast<int64_t>(kept_[i].size());
    const at::Tensor out = at::tensor(kept_[i], at::kLong);
    if (has_edges(i)) {
      cut_filters(i, out);
      if (!l.bias.empty()) {
        auto& parts = biases_[l.bias];
        l.bias_offset = std::accumulate(parts.begin(), parts.end(), int64_t{0},
                                        [](int64_t sum, const at::Tensor& t) { return sum + t.numel(); });
        parts.push_back(
            zeroed_.tensors.at(l.bias).narrow(0, layer(i).bias_offset, layer(i).channels).index_select(0, out));
      }
    } else if (l.kind == LayerKind::batch_norm) {
      for (const std::string* name : {&l.weight, &l.bias, &l.mean, &l.variance})
        result_.network.tensors[*name] = zeroed_.tensors.at(*name).index_select(0, out);
    }
    new_index_.back() = static_cast<int64_t>(result_.network.layers.size());
    result_.network.layers.push_back(std::move(l));
  }

  void cut_filters(std::size_t i, const at::Tensor& out) {
    SmallerNetwork::Channels left{kept_[i], {}};
    std::vector<int64_t> offsets{0};
    for (const int64_t k : layer(i).inputs) offsets.push_back(offsets.back() + channels_[static_cast<std::size_t>(k)]);
    for (const std::size_t k : places_[i])
      for (const int64_t c : kept_[input(i, k)]) left.in.push_back(offsets[k] + c);
    const at::Tensor in = at::tensor(left.in, at::kLong);
    const at::Tensor filters = filters_of(zeroed_, layer(i)).index_select(0, out).index_select(1, in);
    const std::string& name = layer(i).name;
    result_.network.tensors[layer(i).weight] = in_file_layout(network_, layer(i), filters);
    result_.edges[name] = c_.edges.at(name).index_select(0, out).index_select(1, in);
    result_.left[name] = std::move(left);
  }

  const Network& network_;
  const Connections& c_;
  Network zeroed_;
  std::vector<int64_t> channels_;
  std::vector<Indices> places_;
  std::vector<bool> needed_;
  std::vector<std::size_t> first_, parent_;  // channels of all layers are numbered consecutively
  std::vector<std::vector<int64_t>> kept_;   // channels of each layer
  std::vector<int64_t> new_index_;
  std::map<std::string, std::vector<at::Tensor>> biases_;
  SmallerNetwork result_;
};

}  // namespace

Result<SmallerNetwork> smaller_network(const Network& network, const Connections& c) {
  const std::vector<std::size_t> layers = filter_layers(network);
  if (layers.empty() || !c.edges.at(network.layers[layers.back()].name).any().item<bool>())
    return invalid("nothing leads from the input of the network to its output any more", network.architecture,
                   "Keep more of its filters");
  SmallerNetwork smaller = Shrinking(network, c).take();
  smaller.network.architecture = network.architecture;
  smaller.network.dims = network.dims;
  smaller.network.scaling = network.scaling;
  smaller.network.voxel_size = network.voxel_size;
  smaller.network.classes = network.classes;
  smaller.network.history = network.history;
  TL_TRY(tensor_shapes(smaller.network));
  return smaller;
}

}  // namespace tl::net
