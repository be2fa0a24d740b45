// TV with a network behind it, learned together from pairs: the strength moves, and held-out slices come out better
// than after filtered back-projection; the same after a run that was cut off; what is wrong is said.
#include <ATen/Parallel.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "tests/support/learn/tv_network_case.h"
#include "tests/support/phantom_source.h"
#include "tests/support/test_case.h"

namespace tl::case_tv_network_test {
namespace {

RunOptions roomy() {
  RunOptions options;
  options.memory = int64_t{1} << 30;
  return options;
}

Result<learn::Learned> try_learn(const Graph& g, const std::filesystem::path& journal = {},
                                 int64_t checkpoint_every = 64) {
  Executor executor(test::registry(), roomy());
  learn::LearnOptions options;
  options.journal = journal;
  options.checkpoint_every = checkpoint_every;
  return learn::learn(executor, test::registry(), g, learn::settings_of(g).or_throw(), options);
}

Graph changed(const Graph& g, const std::function<void(learn::Settings&)>& change) {
  learn::Settings s = learn::settings_of(g).or_throw();
  change(s);
  return learn::with_settings(g, s);
}

// The reduced case: 64^2, batches of two.
Graph reduced(const std::string& file, int64_t iterations, std::vector<double> channels = {16, 8}) {
  Graph g = test::tv_network(file, test::registry());
  g.nodes.at("pairs").params["pixel_size"] = Number{1.0 / 64, Unit::mm};
  g.nodes.at("tv").params["width"] = int64_t{64};
  g.nodes.at("tv").params["iterations"] = int64_t{25};
  g.nodes.at("network").params["channels"] = NumberList{std::move(channels), Unit::none};
  return changed(g, [&](learn::Settings& s) {
    s.stop.iterations = s.stop.patience = iterations;
    s.subsets.rows = 0.2;
    s.held_out = {8, 2, 4};
  });
}

std::string learned_text(const learn::Learned& l) {
  std::string text = "held out " + std::to_string(l.history.front().held_out.value_or(-1)) + " to " +
                     std::to_string(l.held_out.value_or(-1)) + ", " + std::to_string(l.seconds) + " s";
  for (const learn::Found& f : l.found)
    if (f.value.size() == 1)
      text += ", " + f.node + "." + f.name + " " + QByteArray::number(f.start[0]).toStdString() + " to " +
              QByteArray::number(f.value[0]).toStdString() + " (" + std::string(to_string(f.trust)) + ")";
  return text;
}

}  // namespace

class TvNetworkTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    at::set_num_threads(1);  // so small that threads would only wait for each other
    file_ = folder_.filePath("pairs.h5").toStdString();
    test::write_pairs(file_, {});
  }

  void weights_are_as_many_as_published() {
    const Graph one = test::tv_network(file_, test::registry());
    Graph large = one;
    large.nodes.at("network").params["channels"] = NumberList{{160, 96, 64}, Unit::none};
    for (const auto& [g, count] :
         {std::pair(one, 19393), std::pair(test::with_second_tv(one, 1e-8), 19969), std::pair(large, 195873)}) {
      Executor e(test::registry(), roomy());
      const Value model = e.pull(g, "network", "model").or_throw();
      QCOMPARE(std::get<Model>(model).arrays.at("weights").numel(), count);
    }
  }

  // Sample i is detector row i and the slice that this row sees.
  void samples_are_rows_and_slices() {
    Executor e(test::registry(), roomy());
    const Graph g = reduced(file_, 1);
    const Value views = e.pull(g, "pairs", "projections").or_throw(), target = e.pull(g, "pairs", "target").or_throw();
    const auto& scan = std::get<Projections>(views);
    const auto& volume = std::get<Volume>(target);
    QCOMPARE(scan.data.sizes().vec(), (std::vector<int64_t>{30, 10, 96}));
    QCOMPARE(volume.data.sizes().vec(), (std::vector<int64_t>{10, 64, 64}));
    const OperatorPtr op = make_projector({scan.geometry, volume.grid}).or_throw();
    const at::Tensor again = op->apply(volume.data.contiguous());
    QVERIFY((again - scan.data).square().mean().sqrt().item<double>() < 0.02);  // its noise is 0.01
    const Range some{2, 5};
    const Value part = e.pull(g, "pairs", "target", volume.grid.slab(some)).or_throw();
    QVERIFY(std::get<Volume>(part).data.equal(volume.data.narrow(0, some.begin, some.size())));
  }

  void tv_and_network_beat_fbp_and_network() {
    const Graph g = reduced(file_, 80);  // 20 epochs of four batches
    const learn::Learned tv = try_learn(g).or_throw(), fbp = try_learn(test::with_fbp(g)).or_throw();
    const std::string text = "TV: " + learned_text(tv) + "; FBP: " + learned_text(fbp);
    qInfo("%s", text.c_str());
    QVERIFY2(tv.held_out && fbp.held_out && *tv.held_out < *fbp.held_out, text.c_str());
    QVERIFY2(*tv.held_out < *tv.history.front().held_out / 3, text.c_str());
    QVERIFY2(std::abs(std::log(tv.found[0].value[0] / tv.found[0].start[0])) > 0.05, text.c_str());
    int64_t points = 0;
    for (const learn::Progress& p : tv.history) points += p.held_out ? 1 : 0;
    QCOMPARE(points, 21);
    QVERIFY(learn::to_json(tv, learn::settings_of(g).or_throw()).find("\"held_out\"") != std::string::npos);
  }

  void resumed_run_gives_the_same_bits() {
    const Graph g = reduced(file_, 9, {6, 4});
    const std::filesystem::path journal = folder_.filePath("journal").toStdString();
    const learn::Learned whole = try_learn(g, journal).or_throw();
    std::filesystem::resize_file(journal, std::filesystem::file_size(journal) / 2);  // as kill -9 leaves it
    const learn::Learned resumed = try_learn(g, journal).or_throw();
    QVERIFY(whole.found.size() == 2 && resumed.held_out == whole.held_out);
    for (std::size_t i = 0; i < 2; ++i) QVERIFY(resumed.found[i].value == whole.found[i].value);
  }

  // The journal does not grow with the training, and holds enough for the same bits and the same course.
  void resumed_from_a_state_gives_the_same_bits() {
    const Graph g = reduced(file_, 11, {6, 4});
    const std::filesystem::path all = folder_.filePath("all").toStdString(),
                                some = folder_.filePath("some").toStdString();
    const learn::Learned whole = try_learn(g, all, 0).or_throw();
    QVERIFY(try_learn(g, some, 3).or_throw().found[1].value == whole.found[1].value);
    const auto size = std::filesystem::file_size(some);
    QVERIFY2(size < std::filesystem::file_size(all), std::to_string(size).c_str());
    for (const uintmax_t kept : {size, size - 10, size / 2}) {
      std::filesystem::resize_file(some, std::min(kept, std::filesystem::file_size(some)));
      const learn::Learned resumed = try_learn(g, some, 3).or_throw();
      QVERIFY(resumed.held_out == whole.held_out && resumed.evaluations == whole.evaluations);
      for (std::size_t i = 0; i < 2; ++i) QVERIFY(resumed.found[i].value == whole.found[i].value);
      QCOMPARE(resumed.history.size(), whole.history.size());
      for (std::size_t i = 0; i < whole.history.size(); ++i) {
        const learn::Progress &a = resumed.history[i], &b = whole.history[i];
        QVERIFY(a.iteration == b.iteration && a.loss == b.loss && a.best == b.best && a.held_out == b.held_out);
        QVERIFY(a.values[0].value == b.values[0].value && a.values[1].size == b.values[1].size);
      }
    }
  }

  void strength_at_its_bound_is_railed() {
    const Graph g = changed(reduced(file_, 12, {6, 4}), [](learn::Settings& s) {
      s.targets[0].high = Number{1.001e-3, Unit::per_mm};
      s.targets[0].low = Number{0.999e-3, Unit::per_mm};
      s.held_out.every = 12;
    });
    const learn::Learned l = try_learn(g).or_throw();
    QVERIFY2(l.found[0].trust == learn::Trust::railed, learned_text(l).c_str());
  }

  void what_is_not_finite_is_named() {
    Graph g = reduced(file_, 3, {6, 4});
    g.nodes.at("network").params["scale"] = Number{1e-9, Unit::none};
    g.nodes.at("network").params["gives"] = std::string("correction");
    std::vector<float> weights(static_cast<std::size_t>(6 * 9 + 6 + 4 * 6 * 9 + 4 + 4 * 9 + 1), 1e20F);
    const auto count = static_cast<int64_t>(weights.size());
    g.nodes.at("network").params["weights"] = NumberArray::make({count}, std::move(weights)).or_throw();
    const auto r = try_learn(g);
    QVERIFY(!r.ok() && r.error().where.find("network") != std::string::npos);
  }

  void files_that_are_not_pairs_are_refused() {
    const auto error_of = [&](const Graph& g) {
      Executor e(test::registry(), roomy());
      for (const char* port : {"projections", "target"})
        if (const auto r = e.pull(g, "pairs", port); !r.ok()) return r.error().what + " " + r.error().where;
      return std::string();
    };
    Graph g = reduced(file_, 1);
    g.nodes.at("pairs").params["more_targets"] = std::string("train/phantom");
    QVERIFY(error_of(g).find("make no pairs") != std::string::npos);
    g = reduced(file_, 1);
    g.nodes.at("pairs").params["targets"] = std::string("train/nothing");
    QVERIFY(error_of(g).find("nothing") != std::string::npos);
    const std::string damaged = folder_.filePath("damaged.h5").toStdString();
    {
      test::Hdf5Maker maker(damaged);
      std::vector<float> views(2 * 5 * 8, 1.0F), slices(2 * 4 * 4, 0.5F);
      slices[20] = std::numeric_limits<float>::quiet_NaN();
      maker.numbers<float>("train/sinogram", {2, 5, 8}, views);
      maker.numbers<float>("train/phantom", {2, 4, 4}, slices);
      maker.numbers<double>("angles_rad", {5}, {0.1, 0.2, 0.3, 0.4, 0.5});
    }
    g.nodes.at("pairs").params = {{"file", damaged},
                                  {"data", std::string("train/sinogram")},
                                  {"targets", std::string("train/phantom")},
                                  {"angles_dataset", std::string("angles_rad")}};
    QVERIFY2(error_of(g).find("sample 1") != std::string::npos, error_of(g).c_str());
  }

  // Saved weights give the same volume as those in the pipeline; for other layers they are refused.
  void weights_in_a_file() {
    Graph g = reduced(file_, 1, {6, 4});
    RunOptions options = roomy();
    options.output_dir = folder_.filePath("out").toStdString();
    std::filesystem::create_directories(options.output_dir);
    Executor saving(test::registry(), options);
    g.nodes.at("network").params["seed"] = int64_t{7};
    const at::Tensor drawn = std::get<Volume>(saving.pull(g, "network", "volume").or_throw()).data;
    (void)saving.run(g, {"save_model"}).or_throw();
    Graph from_file = g;
    from_file.nodes.at("network").params["seed"] = int64_t{1};
    from_file.nodes.at("network").params["weights_file"] = (options.output_dir / "network.safetensors").string();
    Executor loading(test::registry(), roomy());
    QVERIFY(std::get<Volume>(loading.pull(from_file, "network", "volume").or_throw()).data.equal(drawn));
    from_file.nodes.at("network").params["channels"] = NumberList{{4, 6}, Unit::none};
    const auto refused = loading.pull(from_file, "network", "volume");
    QVERIFY(!refused.ok() && refused.error().what.find("channels") != std::string::npos);
  }

 private:
  QTemporaryDir folder_;
  std::string file_;
};

TL_TEST_CASE(TvNetworkTest)

}  // namespace tl::case_tv_network_test

#include "case_tv_network.moc"
