// Every registered node is run in the smallest pipelines around it: what it declares is what it does.
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <filesystem>

#include "core/graph/link_index.h"
#include "core/live/windows/window_settings.h"
#include "core/run/automatic/batch.h"
#include "core/run/executor.h"
#include "core/values/port_types.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::all_nodes_run_test {

namespace {

// Pieces of a result against the whole, and one thread against two, relative to the range of the result: sums over
// views and FFTs are taken in another order.
constexpr double float32_of_range = 1e-6;

std::string note(const std::string& label, const std::string& what) { return label + ": " + what; }

// Cancels as soon as the source has given its pixels, so that the node under test is the next one to run.
struct CancelAfterSource : EventSink {
  explicit CancelAfterSource(CancelToken t) : token(std::move(t)) {}
  void node_progress(std::string_view node, int64_t, int64_t) override {
    if (node != "node") token.cancel();
  }
  CancelToken token;
};

Range middle(int64_t length) { return {length / 3, std::max<int64_t>(length / 3 + 1, 2 * length / 3)}; }

at::Tensor piece(const at::Tensor& t, const ScanRegion& r) {
  return t.narrow(0, r.views.begin, r.views.size())
      .narrow(1, r.rows.begin, r.rows.size())
      .narrow(2, r.cols.begin, r.cols.size());
}

at::Tensor vectors_of(const ScanGeometry& g) { return at::tensor(g.vectors(), at::kDouble).view({g.views(), 12}); }

// A piece of a scan carries the geometry, flats and darks of its region.
void same_scan(const Projections& whole, const Projections& part, const ScanRegion& region, const std::string& label) {
  // Rounding of sums of lengths up to 300 mm.
  const at::Tensor expected = vectors_of(whole.geometry.crop(region));
  QVERIFY2((vectors_of(part.geometry) - expected).abs().max().item<double>() < 1e-10,
           note(label, "the piece has another geometry").c_str());
  const auto same = [&](const at::Tensor& a, const at::Tensor& b) {
    if (!a.defined()) return !b.defined();
    return b.defined() && piece(a, {{0, a.size(0)}, region.rows, region.cols}).equal(b);
  };
  QVERIFY2(same(whole.references.flats, part.references.flats) && same(whole.references.darks, part.references.darks),
           note(label, "the piece has other flats or darks").c_str());
  QVERIFY2(whole.references.flat_positions == part.references.flat_positions,
           note(label, "the flats were taken at other times").c_str());
}

}  // namespace

class AllNodesRun : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;
  std::filesystem::path folder_;
  int runs_ = 0;

  static void rows() {
    QTest::addColumn<QString>("id");
    for (const NodeType& t : Registry::all().types()) QTest::newRow(t.id.c_str()) << QString::fromStdString(t.id);
  }
  static const NodeType& type() {
    QFETCH(QString, id);
    return *Registry::all().find(id.toStdString());
  }

  // Rounding to integers makes a whole step of the smallest difference.
  static bool agrees(const at::Tensor& a, const at::Tensor& reference) {
    if (type().id == "correct.rescale_integers") return (a - reference).abs().max().item<double>() <= 1;
    // The inverse of Paganin's filter enlarges what FFTs of other numbers of threads round differently, in the finest
    // details some ten times.
    const double enlarged = type().id == "phase.propagate" ? 10 : 1;
    return test::difference(a, reference) < enlarged * float32_of_range;
  }

  // Contrast that is stretched, and classes that are nearly equal, show roundings of a cone beam that much larger.
  static double stretched() { return type().id == "filter.clahe" || type().id == "segment.network" ? 5 : 1; }

  // A folder for the outputs of its own for every run.
  RunOptions fresh_outputs() {
    RunOptions o = test::options_in(folder_);
    o.output_dir = folder_ / ("outputs_" + std::to_string(runs_++));
    return o;
  }
  // All outputs of the node, or what it wrote: the whole contents of its files.
  Result<std::map<std::string, at::Tensor>> results(Executor& e, const NodeType& t, const Graph& g) const {
    std::map<std::string, at::Tensor> all;
    if (t.is_output) {
      TL_TRY(RunReport report, e.run(g));
      TL_CHECK(!report.files.empty(), "an output node wrote nothing");
    }
    for (const PortDecl& port : t.outputs) {
      TL_TRY(Value v, e.pull(g, "node", port.name));
      TL_CHECK(port_type(v) == port.type, "an output has another type than declared");
      all[port.name] = test::numbers_of(v);
    }
    return all;
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(dir_.isValid());
    at::set_num_threads(1);  // the pieces are tiny: waiting for each other would be all that threads do
    folder_ = dir_.path().toStdString();
    test::write_inputs(folder_);
  }

  void runs_with_the_declared_types_data() { rows(); }
  void runs_with_the_declared_types() {
    const auto all = test::trials(type(), folder_);
    QVERIFY2(!test::default_trials(type(), folder_).empty(), "no source satisfies the node's check()");
    for (const auto& trial : all) {
      Executor e(test::registry(), fresh_outputs());
      const auto known = e.check(trial.graph);
      QVERIFY2(known.ok(), note(trial.label, known.ok() ? "" : known.error().message()).c_str());
      for (const PortDecl& port : type().outputs)
        QVERIFY2(known.value().at("node").count(port.name) == 1,
                 note(trial.label, "nothing is known of " + port.name).c_str());
      const auto r = results(e, type(), trial.graph);
      QVERIFY2(r.ok(), note(trial.label, r.ok() ? "" : r.error().message()).c_str());
      for (const auto& [port, data] : r.value())
        QVERIFY2(at::isfinite(data).all().item<bool>(), note(trial.label, port + " is not finite").c_str());
    }
  }

  void outputs_are_what_was_announced_data() { rows(); }
  void outputs_are_what_was_announced() {
    for (const auto& trial : test::trials(type(), folder_)) {
      Executor e(test::registry(), test::options_in(folder_));
      Infos known = e.check(trial.graph).or_throw().at("node");
      if (type().measure) {
        // What a measurement finds is not known before: a placeholder stands in, and says so, unless only the pixels
        // depend on it.
        const Infos before = known;
        known = e.infos(trial.graph, "node").or_throw();
        for (const auto& [port, info] : before)
          if (const auto* scan = std::get_if<ProjectionsInfo>(&info)) {
            const auto& found = std::get<ProjectionsInfo>(known.at(port)).geometry;
            QVERIFY2(scan->pending || vectors_of(scan->geometry).equal(vectors_of(found)),
                     note(trial.label, "a placeholder is not marked").c_str());
          }
      }
      for (const PortDecl& port : type().outputs) {
        const Value v = e.pull(trial.graph, "node", port.name).or_throw();
        if (const auto* p = std::get_if<Projections>(&v)) {
          const auto& info = std::get<ProjectionsInfo>(known.at(port.name));
          QVERIFY2(p->geometry == info.geometry, note(trial.label, "geometry differs").c_str());
          QVERIFY2(p->kind == info.kind, note(trial.label, "kind differs").c_str());
          const auto frames = [](const at::Tensor& t) { return t.defined() ? t.size(0) : int64_t{0}; };
          QVERIFY2(frames(p->references.flats) == info.flats && frames(p->references.darks) == info.darks,
                   note(trial.label, "flats or darks differ").c_str());
        } else if (const auto* vol = std::get_if<Volume>(&v)) {
          const auto& info = std::get<VolumeInfo>(known.at(port.name));
          QVERIFY2(vol->grid == info.grid && vol->unit == info.unit, note(trial.label, "grid or unit differ").c_str());
        } else if (const auto* labels = std::get_if<Labels>(&v)) {
          const auto& info = std::get<LabelsInfo>(known.at(port.name));
          QVERIFY2(labels->grid == info.grid, note(trial.label, "grid differs").c_str());
          QVERIFY2(labels->data.scalar_type() == at::kInt, note(trial.label, "labels are not int32").c_str());
        } else if (const auto* maps = std::get_if<Maps>(&v)) {
          const auto& info = std::get<MapsInfo>(known.at(port.name));
          QVERIFY2(maps->grid == info.grid, note(trial.label, "grid differs").c_str());
          QVERIFY2(maps->data.size(0) == static_cast<int64_t>(info.channels.size()),
                   note(trial.label, "channels differ").c_str());
        }
      }
    }
  }

  // What is measured, given as parameters, makes the same of the same input. Curves, histograms and residuals are left
  // out: they are what it was found from, and nodes whose outputs of this kind are used measure in each window.
  void found_values_can_be_given_as_parameters_data() { rows(); }
  void found_values_can_be_given_as_parameters() {
    if (!type().keep_found) QSKIP("it finds nothing that a parameter could give");
    std::size_t given = 0;
    for (const auto& trial : test::default_trials(type(), folder_)) {
      Executor e(test::registry(), fresh_outputs());
      const auto found = results(e, type(), trial.graph).or_throw();
      ComputedWindow window;
      add_found(trial.graph, test::registry(), e.look(trial.graph), window);
      Graph graph = trial.graph;
      std::vector<std::string> settings;
      for (const auto& [parameter, value] : window.settings)
        if (parameter.starts_with("node.")) settings.push_back(parameter + "=" + value);
      given += settings.size();
      const auto set = apply_settings(graph, test::registry(), settings);
      QVERIFY2(set.ok(), note(trial.label, set.ok() ? "" : set.error().message()).c_str());
      Executor other(test::registry(), fresh_outputs());
      const auto same = results(other, type(), graph).or_throw();
      for (const PortDecl& port : type().outputs)
        if (!is_curve(port.type) && port.name != residual_output)
          QVERIFY2(agrees(same.at(port.name), found.at(port.name)), note(trial.label, port.name).c_str());
    }
    QVERIFY2(given > 0, "nothing that was found is a parameter");
  }

  // A piece that is asked for alone equals that piece of the whole.
  void pieces_equal_the_whole_data() { rows(); }
  void pieces_equal_the_whole() {
    for (const auto& trial : test::trials(type(), folder_)) {
      Executor shared(test::registry(), test::options_in(folder_));
      for (const PortDecl& port : type().outputs) {
        const Value whole = shared.pull(trial.graph, "node", port.name).or_throw();
        std::vector<std::pair<Region, at::Tensor>> pieces;
        if (const auto* p = std::get_if<Projections>(&whole)) {
          const ScanRegion all = p->geometry.full();
          const ScanRegion cut{middle(all.views.end), middle(all.rows.end), middle(all.cols.end)};
          for (const ScanRegion& r :
               {ScanRegion{cut.views, all.rows, all.cols}, ScanRegion{all.views, cut.rows, all.cols},
                ScanRegion{all.views, all.rows, cut.cols}, cut})
            pieces.emplace_back(r, piece(p->data, r));
        } else if (const auto* v = std::get_if<Volume>(&whole)) {
          const Range z = middle(v->grid.nz), y = middle(v->grid.ny), x = middle(v->grid.nx);
          pieces.emplace_back(v->grid.slab(z), v->data.narrow(0, z.begin, z.size()));
          pieces.emplace_back(v->grid.sub(z, y, x), piece(v->data, {z, y, x}));
          pieces.emplace_back(v->grid.sub({0, v->grid.nz}, y, {0, v->grid.nx}), v->data.narrow(1, y.begin, y.size()));
        } else if (const auto* l = std::get_if<Labels>(&whole)) {
          const Range z = middle(l->grid.nz), y = middle(l->grid.ny), x = middle(l->grid.nx);
          const at::Tensor numbers = test::numbers_of(whole);
          pieces.emplace_back(l->grid.slab(z), numbers.narrow(0, z.begin, z.size()));
          pieces.emplace_back(l->grid.sub(z, y, x), piece(numbers, {z, y, x}));
        } else if (const auto* m = std::get_if<Maps>(&whole)) {
          const Range z = middle(m->grid.nz), y = middle(m->grid.ny), x = middle(m->grid.nx);
          pieces.emplace_back(m->grid.slab(z), m->data.narrow(1, z.begin, z.size()));
          pieces.emplace_back(
              m->grid.sub(z, y, x),
              m->data.narrow(1, z.begin, z.size()).narrow(2, y.begin, y.size()).narrow(3, x.begin, x.size()));
        }
        for (const auto& [region, expected] : pieces) {
          Executor fresh(test::registry(), test::options_in(folder_));
          for (Executor* e : {&fresh, &shared}) {
            const auto got = e->pull(trial.graph, "node", port.name, region);
            QVERIFY2(got.ok(), note(trial.label, got.ok() ? "" : got.error().message()).c_str());
            // Small pieces have a small range of their own: the law is about the range of the whole.
            const at::Tensor numbers = test::numbers_of(whole), given = test::numbers_of(got.value());
            QVERIFY2(given.sizes().equals(expected.sizes()),
                     note(trial.label, port.name + " has another shape").c_str());
            const double range = (numbers.max() - numbers.min()).item<double>();
            const double error = (given - expected).abs().max().item<double>() / (range > 0 ? range : 1);
            QVERIFY2(error < stretched() * float32_of_range,
                     note(trial.label, port.name + " differs by " + std::to_string(error)).c_str());
            if (const auto* part = std::get_if<Projections>(&got.value()))
              same_scan(std::get<Projections>(whole), *part, std::get<ScanRegion>(region), trial.label);
          }
        }
      }
    }
  }

  void repeats_exactly_and_for_any_number_of_threads_data() { rows(); }
  void repeats_exactly_and_for_any_number_of_threads() {
    for (const auto& trial : test::trials(type(), folder_)) {
      std::vector<std::map<std::string, at::Tensor>> all;
      for (const int threads : {2, 2, 1}) {
        at::set_num_threads(threads);
        Executor e(test::registry(), fresh_outputs());
        all.push_back(results(e, type(), trial.graph).or_throw());
      }
      at::set_num_threads(1);
      for (const auto& [port, data] : all[0]) {
        QVERIFY2(data.equal(all[1].at(port)), note(trial.label, port + " does not repeat").c_str());
        QVERIFY2(agrees(all[2].at(port), data),
                 note(trial.label, port + " depends on the threads: by " +
                                       std::to_string(1e6 * test::difference(all[2].at(port), data)) +
                                       " millionths of the range")
                     .c_str());
      }
    }
  }

  void cancel_is_answered_data() { rows(); }
  void cancel_is_answered() {
    for (const auto& trial : test::default_trials(type(), folder_)) {
      for (const bool at_once : {true, false}) {
        if (!at_once && type().inputs.empty()) continue;  // a source: nothing runs before it
        RunOptions o = fresh_outputs();
        CancelAfterSource sink(o.cancel);
        if (at_once) o.cancel.cancel();
        o.events = &sink;
        Executor e(test::registry(), o);
        const auto r = results(e, type(), trial.graph);
        if (!o.cancel.cancelled() && r.ok()) continue;  // it needs no values of its inputs: nothing ran before it
        QVERIFY2(!r.ok(), note(trial.label, "was not cancelled").c_str());
        QVERIFY2(r.error().kind == ErrorKind::cancelled, note(trial.label, r.error().message()).c_str());
      }
    }
  }

  void inputs_are_never_written_data() { rows(); }
  void inputs_are_never_written() {
    for (const auto& trial : test::trials(type(), folder_)) {
      Executor e(test::registry(), fresh_outputs());
      std::vector<std::pair<at::Tensor, at::Tensor>> shared;  // the cached tensor and its numbers before
      for (const Link& l : trial.graph.links) {
        const Value v = e.pull(trial.graph, l.from_node, l.from_port).or_throw();
        std::vector<at::Tensor> tensors = {test::numbers_of(v)};
        if (const auto* p = std::get_if<Projections>(&v))
          tensors.insert(tensors.end(), {p->references.flats, p->references.darks});
        for (const at::Tensor& t : tensors)
          if (t.defined()) shared.emplace_back(t, t.clone());
      }
      const auto r = results(e, type(), trial.graph);
      QVERIFY2(r.ok(), note(trial.label, r.ok() ? "" : r.error().message()).c_str());
      for (const auto& [now, before] : shared)
        QVERIFY2(now.equal(before), note(trial.label, "an input was written into").c_str());
    }
  }

  // Scans at the limits give a result or an error that says what is wrong: never an internal one.
  void odd_scans_data() { rows(); }
  void odd_scans() {
    const test::ScanSize sizes[] = {{18, 6, 16}, {1, 6, 16}, {18, 1, 16}, {18, 6, 1}, {1, 1, 1}, {2, 2, 2}};
    for (const test::ScanSize& size : sizes) {
      test::write_inputs(folder_, size);
      for (const char* gaps : {"none", "one_nan"}) {
        for (const auto& trial : test::all_sources(type(), size, gaps)) {
          const std::string label = trial.label + ", " + gaps + ", " + std::to_string(size.views) + "x" +
                                    std::to_string(size.rows) + "x" + std::to_string(size.cols);
          Executor e(test::registry(), fresh_outputs());
          const auto r = results(e, type(), trial.graph);
          if (r.ok()) continue;
          QVERIFY2(r.error().kind == ErrorKind::invalid, note(label, r.error().message()).c_str());
          QVERIFY2(!r.error().what.empty() && !r.error().where.empty(),
                   note(label, "an error that names no place").c_str());
        }
      }
    }
    test::write_inputs(folder_);
  }

  // A geometry that is being learned reaches the next node cropped and binned as the plain one.
  void learned_geometry_follows_regions_data() { rows(); }
  void learned_geometry_follows_regions() {
    if (type().inputs.empty() || type().inputs.front().type != PortType::projections || type().id == "geometry.set")
      return;
    for (const auto& trial : test::trials(type(), folder_)) {
      Graph g = trial.graph;
      g.nodes["learnt"] = {"geometry.set", 1, {}};
      for (Link& l : g.links)
        if (l.from_node == "scan") l.from_node = "learnt";
      g.links.push_back({"scan", "projections", "learnt", "projections"});
      const ParameterTensors held = {{{"learnt", "axis"}, at::scalar_tensor(0.3, at::kDouble).requires_grad_()},
                                     {{"learnt", "tilt"}, at::scalar_tensor(0.02, at::kDouble).requires_grad_()}};
      for (const PortDecl& port : type().outputs) {
        if (port.type != PortType::projections) continue;
        Executor e(test::registry(), test::options_in(folder_));
        const auto pulled = e.pull(g, "node", port.name, {}, held);
        if (!pulled.ok()) {
          // A geometry found behind the learned one would replace it: refused in words, never dropped silently.
          QVERIFY2(pulled.error().kind == ErrorKind::invalid && !pulled.error().hint.empty(),
                   note(trial.label, pulled.error().message()).c_str());
          continue;
        }
        const Value whole = Result<Value>(pulled).or_throw();
        const ScanRegion all = std::get<Projections>(whole).geometry.full();
        const ScanRegion cut{middle(all.views.end), middle(all.rows.end), middle(all.cols.end)};
        for (const ScanRegion& r : {all, cut}) {
          const Value got = e.pull(g, "node", port.name, r, held).or_throw();
          const auto& p = std::get<Projections>(got);
          QVERIFY2(p.vectors.defined() && p.vectors.requires_grad(),
                   note(trial.label, "the learned geometry was dropped").c_str());
          // Rounding of sums of lengths up to 300 mm.
          QVERIFY2((p.vectors.detach() - vectors_of(p.geometry)).abs().max().item<double>() < 1e-10,
                   note(trial.label, "learned and plain geometry differ").c_str());
        }
      }
    }
  }
};

TL_TEST_CASE(AllNodesRun)

}  // namespace tl::all_nodes_run_test

#include "all_nodes_run.moc"
