// tomoloom network: prints the layers and costs of a network, converts network files, and lists networks.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "core/io/model/safetensors.h"
#include "core/net/architectures/architectures.h"
#include "core/net/convert.h"
#include "core/net/files/network_file.h"
#include "core/net/footprint.h"
#include "core/net/forward.h"
#include "core/train/network_to_train.h"

namespace tl::cli {
namespace {

struct NetworkArguments {
  std::string name, convert, weights, output;
  std::vector<std::string> settings;
  std::optional<int64_t> bench;
  int64_t seed = 1;
};

struct LayerTimes {
  std::vector<double> seconds;  // of each layer computed alone
  double total = 0;             // of the network in the form that nodes run, where a dense block is one layer
  double training = 0;          // forwards and backwards, with slopes of all tensors
};

std::string grouped(int64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, " ");
  return text;
}

// Seconds of one run after one untimed warm-up run.
template <class Run>
double seconds_of(const Run& run) {
  using Clock = std::chrono::steady_clock;
  run();
  const auto begin = Clock::now();
  run();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

LayerTimes time_layers(const net::Network& network, const net::Size& size, const Cli& cli) {
  std::vector<int64_t> shape{1, network.layers.front().channels};
  shape.insert(shape.end(), size.begin(), size.end());
  const at::Tensor x = at::rand(shape);
  LayerTimes times;
  times.seconds.assign(network.layers.size(), 0);
  net::ForwardOptions options;
  options.cancel = cli.cancel;
  {
    const at::AutoGradMode off(false);
    times.total = seconds_of([&] { net::forward(network, x, options); });
    net::ForwardOptions by_layer = options;
    using Clock = std::chrono::steady_clock;
    auto last = Clock::now();
    by_layer.after_layer = [&](std::size_t i, const at::Tensor&) {
      const auto now = Clock::now();
      times.seconds[i] = std::chrono::duration<double>(now - last).count();
      last = now;
    };
    for (int round = 0; round < 2; ++round) {
      last = Clock::now();
      net::forward(network, x, by_layer);
    }
  }
  const at::AutoGradMode on(true);
  net::Network trained = network;
  for (auto& [name, tensor] : trained.tensors) tensor = tensor.detach().clone().requires_grad_(true);
  for (const net::Layer& l : trained.layers)
    for (const std::string& followed : {l.mean, l.variance})
      if (!followed.empty()) trained.tensors.at(followed).requires_grad_(false);
  times.training = seconds_of([&] {
    for (auto& [name, tensor] : trained.tensors) tensor.mutable_grad() = at::Tensor();
    net::forward(trained, x, options).square().mean().backward();
  });
  return times;
}

// The only window size that a classifier of windows accepts.
std::optional<int64_t> window_size(const net::Network& network) {
  constexpr int64_t largest = 4096;
  for (int64_t n = 1; n <= largest; ++n)
    if (net::layer_sizes(network, net::Size(static_cast<std::size_t>(network.dims), n)).ok()) return n;
  return std::nullopt;
}

// The largest difference between windows and the network for all pixels, over 4 x 4 of them.
double conversion_error(const net::Network& window, const net::Network& all, int64_t width) {
  const at::AutoGradMode off(false);
  constexpr int64_t edge = 4;
  const int64_t n = width + edge - 1;
  const at::Tensor x = at::rand({1, window.layers.front().channels, n, n}), map = net::forward(all, x);
  double worst = 0;
  for (int64_t j = 0; j < edge; ++j)
    for (int64_t i = 0; i < edge; ++i) {
      const at::Tensor one = net::forward(window, x.narrow(2, j, width).narrow(3, i, width).contiguous());
      worst = std::max(worst, (one.flatten() - map.select(3, i).select(2, j).flatten()).abs().max().item<double>());
    }
  return worst;
}

// The report in either form, as text or as JSON.
struct Report {
  net::Network network;
  net::Counts counts;
  std::optional<net::Footprint> footprint;
  net::Size input;
  std::vector<net::Size> sizes;
  std::vector<int64_t> channels;
  std::vector<double> operations;
  double maps = 0, peak = 0;
  std::optional<LayerTimes> times;
  std::optional<double> difference;  // between windows and the network for all pixels
};

std::string image_size_text(const net::Size& size) {
  std::string text;
  for (const int64_t n : size) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

void print_summary(const Report& r) {
  const net::Counts& c = r.counts;
  say(stdout, r.network.architecture);
  std::printf("parameters   %s: %s weights, %s biases and scales\n", grouped(c.parameters()).c_str(),
              grouped(c.weights).c_str(), grouped(c.biases).c_str());
  std::string kernels;
  for (const auto& [kernel, edges] : c.edges_by_kernel) {
    const std::string k = std::to_string(kernel);
    kernels += (kernels.empty() ? "" : ", ") + grouped(edges) + " of " + k;
    for (int64_t d = 1; d < r.network.dims; ++d) kernels += "x" + k;
  }
  std::printf("filters      %s (edges): %s\n", grouped(c.edges).c_str(), kernels.c_str());
  if (!r.footprint) {
    std::printf("reach        a window of %lld pixels, one result for it\n", static_cast<long long>(r.input.back()));
  } else if (r.footprint->same) {
    std::printf("reach        %lld pixels; the output is as large as the input\n",
                static_cast<long long>(r.footprint->reach()));
  } else {
    std::printf("reach        input = output + %lld pixels\n",
                static_cast<long long>(r.footprint->before + r.footprint->after));
  }
  std::printf("sizes        %s to %s\n", image_size_text(r.input).c_str(), image_size_text(r.sizes.back()).c_str());
  std::printf("blobs        %.0f MiB of all layers, %.0f MiB at a time\n\n", r.maps / 0x1p20, r.peak / 0x1p20);
  for (const net::HistoryEntry& e : r.network.history)
    for (const std::string& line : net::lines_of(e)) say(stdout, line);
  if (!r.network.history.empty()) std::printf("\n");
}

void print_layers(const Report& r) {
  std::printf("%-26s %-24s %9s %18s %9s%s\n", "layer", "kind", "channels", "map", "GFLOP", r.times ? "        ms" : "");
  double sum = 0;
  for (std::size_t i = 0; i < r.sizes.size(); ++i) {
    const net::Layer& l = r.network.layers[i];
    sum += r.operations[i];
    std::printf("%-26s %-24s %9lld %18s ", l.name.c_str(), std::string(to_string(l.kind)).c_str(),
                static_cast<long long>(r.channels[i]), image_size_text(r.sizes[i]).c_str());
    if (net::row_of(l.kind).has_filters()) {
      std::printf("%9.2f", r.operations[i] / 1e9);
    } else {
      std::printf("%9s", "");
    }
    if (r.times) std::printf(" %9.1f", 1e3 * r.times->seconds[i]);
    std::printf("\n");
  }
  std::printf("%-26s %-24s %9s %18s %9.2f", "all", "", "", "", sum / 1e9);
  if (r.times) {
    double layers = 0;
    for (const double seconds : r.times->seconds) layers += seconds;
    std::printf(" %9.1f\n\nas the node runs it %.1f ms; forwards and backwards, as in training, %.1f ms", 1e3 * layers,
                1e3 * r.times->total, 1e3 * r.times->training);
  }
  std::printf("\n");
}

Json json_of(const Report& r) {
  const net::Counts& c = r.counts;
  Json json{{"architecture", r.network.architecture},
            {"parameters", c.parameters()},
            {"weights", c.weights},
            {"edges", c.edges},
            {"input", r.input},
            {"output", r.sizes.back()},
            {"bytes_of_maps", r.maps},
            {"bytes_at_a_time", r.peak}};
  if (!r.network.history.empty()) json["history"] = Json::parse(net::to_json_text(r.network.history));
  for (const auto& [kernel, edges] : c.edges_by_kernel) json["edges_by_kernel"][std::to_string(kernel)] = edges;
  if (r.footprint) {
    json["reach"] = r.footprint->reach();
    json["margin"] = r.footprint->same ? 0 : r.footprint->before + r.footprint->after;
    json["alignment"] = r.footprint->alignment;
  }
  for (std::size_t i = 0; i < r.sizes.size(); ++i) {
    const net::Layer& l = r.network.layers[i];
    Json layer{{"name", l.name}, {"kind", to_string(l.kind)}, {"channels", r.channels[i]}, {"size", r.sizes[i]}};
    if (net::row_of(l.kind).has_filters()) layer["operations"] = r.operations[i];
    if (r.times) layer["seconds"] = r.times->seconds[i];
    json["layers"].push_back(std::move(layer));
  }
  if (r.times) {
    json["seconds"] = r.times->total;
    json["training_seconds"] = r.times->training;
  }
  if (r.difference) json["conversion_difference"] = *r.difference;
  return json;
}

// The network of a file, or one made by the name of its architecture; weights are set if an option needs them.
Result<net::Network> chosen_network(const NetworkArguments& o) {
  const bool of_file = net::is_network_file(o.name);
  if (of_file && !o.settings.empty())
    return invalid("\"" + o.settings[0] + "\" is a setting, but a network file contains its own settings", o.name,
                   "Leave it out, or give the name of a network");
  TL_TRY(net::Network network, of_file ? net::read_network(o.name) : net::make_network(o.name, o.settings));
  if (!o.weights.empty()) {
    TL_TRY(const Model model, io::read_model(o.weights));
    return net::with_tensors(std::move(network), model, o.weights);
  }
  if (!of_file && (o.bench || !o.convert.empty() || !o.output.empty()))
    TL_TRY(net::randomise(network, static_cast<uint64_t>(o.seed)));
  return network;
}

Result<Report> report_on(const NetworkArguments& o, const Cli& cli) {
  Report r;
  TL_TRY(r.network, chosen_network(o));
  if (!o.convert.empty()) {
    const net::Network window = r.network;
    TL_TRY(r.network, net::fully_convolutional(window));
    TL_TRY(const net::Footprint footprint, net::footprint_of(r.network));
    r.difference = conversion_error(window, r.network, footprint.before + footprint.after + 1);
    r.network.architecture += ", converted to sk";
  }
  TL_TRY(r.counts, net::counts_of(r.network));
  TL_TRY(r.channels, net::channels_of(r.network));
  int64_t output = o.bench.value_or(r.network.dims == 2 ? 512 : 64);
  if (const auto footprint = net::footprint_of(r.network); footprint.ok()) {
    r.footprint = footprint.value();
  } else {
    output = window_size(r.network).value_or(output);
  }
  r.input = r.footprint ? net::input_for(r.network, *r.footprint, output)
                        : net::Size(static_cast<std::size_t>(r.network.dims), output);
  TL_TRY(r.sizes, net::layer_sizes(r.network, r.input));
  r.operations = net::operations(r.network, r.channels, r.sizes);
  r.maps = net::bytes_of_maps(r.network, r.channels, r.sizes);
  r.peak = net::peak_bytes(r.network, r.channels, r.sizes);
  if (o.bench) r.times = time_layers(r.network, r.input, cli);
  return r;
}

Result<void> run(const NetworkArguments& o, const Cli& cli) {
  TL_TRY(const Report r, report_on(o, cli));
  if (!o.output.empty()) TL_TRY(train::write_network(r.network, o.output, cli.files.rules()));
  constexpr double equal = 1e-5;
  if (cli.output_mode == OutputMode::json) {
    print_json(json_of(r));
  } else if (cli.output_mode == OutputMode::text) {
    print_summary(r);
    print_layers(r);
    if (r.difference)
      std::printf("\nwindows and all pixels at once differ by %.1e at most, over 4 x 4 pixels\n", *r.difference);
    if (!o.output.empty()) say(stdout, "wrote " + o.output);
  }
  if (r.difference && !(*r.difference <= equal))
    return Error{ErrorKind::internal, "the results of the converted network differ from those of its windows",
                 "network", "Do not use it; please report this"};
  return ok();
}

std::string names_text() {
  std::string text = "A file of a network (.safetensors, .onnx), or a name:";
  for (const net::Architecture& a : net::architectures()) text += std::string(" ") + a.name;
  return text;
}

}  // namespace

void add_network(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand(
      "network", "Parameters, reach, sizes and operations of a network; its file, also from and to ONNX");
  const auto o = std::make_shared<NetworkArguments>();
  cli.files.reads(sub->add_option("NAME", o->name, names_text()))->required();
  sub->add_option("SETTINGS", o->settings, "Settings of the network, such as depth=50 classes=5");
  sub->add_option(
         "--bench", o->bench,
         "Run it with an output of that many pixels, and give the time of each layer, of all as nodes run them, and "
         "of a pass of training")
      ->check(CLI::Range(1, 16384));
  sub->add_option("--convert", o->convert, "sk: the network for all pixels at once; compared with windows")
      ->check(CLI::IsMember({"sk"}));
  cli.files.reads(sub->add_option(
      "--weights", o->weights,
      "A safetensors file with its weights, also a state dict of msd_pytorch or torchvision (default: random)"));
  cli.files.writes(sub->add_option("-o,--output", o->output,
                                   "Write the network to that file (.safetensors, or .onnx for other programs)"));
  sub->add_option("--seed", o->seed, "Seed of random weights")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
