// Damaged files of networks: thousands of them are read, measured and computed; each gives numbers, or an error that
// says what and where.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/io/model/safetensors.h"
#include "core/net/architectures/architectures.h"
#include "core/net/counts.h"
#include "core/net/files/network_file.h"
#include "core/net/footprint.h"
#include "core/net/forward.h"
#include "tests/fuzz/many_trials.h"
#include "tests/fuzz/mutations.h"
#include "tests/support/test_case.h"

namespace tl::networks_fuzz {

namespace fs = std::filesystem;

namespace {

// Without its checksum, which would keep every change from what comes behind it.
std::string sound_network(const char* name, const std::vector<std::string>& settings) {
  net::Network network = net::make_network(name, settings).or_throw();
  net::randomise(network, 1).or_throw();
  network.history = {
      {"training", "0.1.0", {{"seed", "1"}}, {{"epochs", 2}}, {{"bone", 0.5}}, {"a.tif (training)"}, {"b.tif"}}};
  std::string bytes = io::to_safetensors(net::model_of(network));
  bytes[bytes.find("\"checksum\"") + 1] = 'C';
  return bytes;
}

std::string sound_onnx(const char* name, const std::vector<std::string>& settings) {
  net::Network network = net::make_network(name, settings).or_throw();
  net::randomise(network, 1).or_throw();
  network.scaling = {{0.5}, {2}};
  return net::network_file_bytes(network, "n.onnx").or_throw();
}

std::string read_and_compute(const fs::path& file) {
  const auto graph = net::read_graph(file);
  if (!graph.ok()) return fuzz::complaint_about(graph.error());
  const auto footprint = net::footprint_of(graph.value());
  if (!footprint.ok()) return fuzz::complaint_about(footprint.error());
  const auto network = net::read_network(file);
  if (!network.ok()) return fuzz::complaint_about(network.error());
  const net::Footprint& f = footprint.value();
  const int64_t edge = f.min_output + (f.same ? 0 : f.before + f.after);
  const net::Size size(static_cast<std::size_t>(network.value().dims), edge);
  const auto sizes = net::layer_sizes(network.value(), size);
  if (!sizes.ok()) return "the footprint's own size is refused: " + sizes.error().message();
  // What a plan would refuse is not computed.
  constexpr double most = 1 << 22;
  if (net::peak_bytes(network.value(), net::channels_of(network.value()).or_throw(), sizes.value()) > most) return {};
  std::vector<int64_t> shape{1, network.value().layers.front().channels};
  shape.insert(shape.end(), size.begin(), size.end());
  const at::AutoGradMode off(false);
  const at::Tensor map = net::forward(network.value(), at::ones(shape));
  return map.sizes().slice(2).vec() == sizes.value().back() ? "" : "the map has another size than was said";
}

}  // namespace

class NetworksFuzz : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }  // children of a process with threads would wait for them

  void damaged_files_give_networks_or_errors() {
    const QTemporaryDir dir;
    const fs::path file = fs::path(dir.path().toStdString()) / "n.safetensors";
    const std::string sound[] = {sound_network("msd", {"depth=3"}), sound_network("unet", {"features=1", "levels=1"}),
                                 sound_network("unet4", {"features=1"}),
                                 sound_network("sk", {"shrink=64", "width=30", "inputs=1"})};
    for (const std::string& one : sound) {
      std::ofstream(file, std::ios::binary) << one;
      QCOMPARE(read_and_compute(file), std::string());
    }
    fuzz::keep_sound(sound[0], "network.safetensors");
    const auto failures = fuzz::run_trials(fuzz::trials(3000), [&](int64_t trial) -> std::string {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      const std::string& good = sound[static_cast<std::size_t>(trial) % std::size(sound)];
      std::string bad;
      if (trial % 8 == 0) {
        bad = fuzz::damaged_bytes(good, random);
      } else {  // the header alone: the graph is in it
        const std::size_t length = static_cast<unsigned char>(good[0]) + 256U * static_cast<unsigned char>(good[1]);
        std::string text = fuzz::damaged_text(good.substr(8, length), random);
        text.resize(std::max(text.size(), length), ' ');
        std::string size(8, '\0');
        for (std::size_t i = 0; i < 8; ++i) size[i] = static_cast<char>(text.size() >> (8 * i));
        bad = size + text + good.substr(8 + length);
      }
      std::ofstream(file, std::ios::binary) << bad;
      const std::string complaint =
          fuzz::complaint_within_limits([&] { return read_and_compute(file); }, static_cast<int64_t>(bad.size()));
      if (!complaint.empty()) fuzz::keep(bad, std::to_string(trial) + ".safetensors");
      return complaint;
    });
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }

  void damaged_onnx_models_give_networks_or_errors() {
    const QTemporaryDir dir;
    const fs::path file = fs::path(dir.path().toStdString()) / "n.onnx";
    const std::string sound[] = {sound_onnx("msd", {"depth=3"}), sound_onnx("unet", {"features=1", "levels=1"}),
                                 sound_onnx("unet4", {"features=1"}), sound_onnx("usk", {"features=1", "inputs=1"}),
                                 sound_onnx("sk", {"shrink=64", "width=30", "inputs=1"})};
    for (std::size_t i = 0; i < std::size(sound); ++i) {
      std::ofstream(file, std::ios::binary) << sound[i];
      QCOMPARE(read_and_compute(file), std::string());
      fuzz::keep_sound(sound[i], "network" + std::to_string(i) + ".onnx");
    }
    const auto failures = fuzz::run_trials(fuzz::trials(2000), [&](int64_t trial) -> std::string {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      const std::string bad = fuzz::damaged_bytes(sound[static_cast<std::size_t>(trial) % std::size(sound)], random);
      std::ofstream(file, std::ios::binary) << bad;
      const std::string complaint =
          fuzz::complaint_within_limits([&] { return read_and_compute(file); }, static_cast<int64_t>(bad.size()));
      if (!complaint.empty()) fuzz::keep(bad, std::to_string(trial) + ".onnx");
      return complaint;
    });
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }
};

TL_TEST_CASE(NetworksFuzz)

}  // namespace tl::networks_fuzz

#include "networks.moc"
