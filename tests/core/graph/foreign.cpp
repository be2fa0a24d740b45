// Pipelines of other programs: what both sides know goes out and comes back as it was, what is lost is named, and files
// as their programs write them mean what they mean there.
#include "core/graph/bypass.h"
#include "core/graph/templates.h"
#include "tests/core/graph/foreign_support.h"

namespace tl::foreign_test {

namespace {

// Nodes of a graph as it is computed, in order, by type.
std::map<std::string, std::vector<std::string>> ids_by_type(const Graph& graph) {
  std::map<std::string, std::vector<std::string>> ids;
  for (const std::string& id : topological_order(graph).or_throw()) ids[graph.nodes.at(id).type].push_back(id);
  return ids;
}

// What differs between a graph and what came back without being named; "" if nothing does.
std::string unnamed_differences(const Graph& drawn, const Graph& back, const std::vector<Loss>& lost) {
  std::string text;
  const Graph graph = used_graph(drawn, registry()).graph;
  const auto others = ids_by_type(back);
  for (const auto& [type, ids] : ids_by_type(graph)) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::string& id = ids[i];
      if (others.count(type) == 0 || others.at(type).size() <= i) {
        if (!names(lost, id)) text += id + " is gone\n";
        continue;
      }
      for (const ParamDecl& decl : registry().find(type)->params) {
        const std::string before = used(graph.nodes.at(id), decl),
                          after = used(back.nodes.at(others.at(type)[i]), decl);
        if (before != after && !names(lost, id + "." + decl.name))
          text += id + "." + decl.name + ": " + before + " became " + after + "\n";
      }
    }
  }
  return text;
}

void expect_empty(const std::string& text) { QVERIFY2(text.empty(), text.c_str()); }

}  // namespace

class ForeignTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void bundled_pipelines_come_back_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("name");
    for (const PipelineFormat& f : foreign::pipeline_formats())
      for (const Template& t : templates())
        QTest::addRow("%s %s", std::string(f.id).c_str(), std::string(t.name).c_str())
            << QString::fromUtf8(f.id.data(), static_cast<qsizetype>(f.id.size()))
            << QString::fromUtf8(t.name.data(), static_cast<qsizetype>(t.name.size()));
  }
  // Every difference has a name, also in those that are not a chain.
  void bundled_pipelines_come_back() {
    QFETCH(QString, format);
    QFETCH(QString, name);
    for (const Template& t : templates()) {
      if (t.name != name.toStdString()) continue;
      const Graph graph = graph_from_json(t.text, registry(), "template", Completeness::draft).or_throw();
      for (const ScanFacts& facts : {ScanFacts{}, known_scan}) {
        auto tried = foreign::find_pipeline_format(format.toStdString())->write(graph, registry(), facts);
        // nabu, and what runs it, know neither their input nor what they do with it.
        if (!tried.ok() && (name == "tv-network" || name == "balls" || name == "register" || name == "regions")) {
          QVERIFY(tried.error().kind == ErrorKind::invalid);
          QVERIFY(tried.error().what.starts_with("no node of this pipeline is known"));
          continue;
        }
        const WrittenPipeline written = std::move(tried).or_throw();
        const PipelineFormat* recognised = foreign::pipeline_format_of(written.text);
        QVERIFY(recognised != nullptr && recognised->id == format.toStdString());
        const ReadPipeline back = read(format.toStdString(), written.text, facts);
        expect_empty(unnamed_differences(graph, back.graph, written.lost));
        // Only what is still to be chosen, such as the scan, is missing.
        for (const GraphProblem& p : problems(back.graph, registry()))
          QVERIFY2(p.grade == ProblemGrade::unfinished, p.error.message().c_str());
        // Writing again gives the same file: nothing is lost a second time.
        const WrittenPipeline again = write(format.toStdString(), back.graph, facts);
        QCOMPARE(QString::fromStdString(again.text), QString::fromStdString(written.text));
      }
    }
  }

  void what_both_sides_know_is_not_lost_data() {
    QTest::addColumn<QString>("format");
    for (const char* id : {"httomo", "nabu", "ewoks"}) QTest::newRow(id) << id;
  }
  void what_both_sides_know_is_not_lost() {
    QFETCH(QString, format);
    const std::string id = format.toStdString();
    const bool httomo = id == "httomo";
    const std::string average = id == "ewoks" ? "median" : "mean";
    const Graph graph =
        httomo
            ? chain({{"input.load_scan",
                      {{"data", "/scan/images"},
                       {"angle_step", "0.1 deg"},
                       {"first_angle", "5 deg"},
                       {"first_view", "3"},
                       {"last_view", "900"},
                       {"flats", "/flat"},
                       {"flats_file", "flats.h5"},
                       {"pixel_size", "1.5 um"}}},
                     {"correct.crop_bin",
                      {{"first_row", "10"}, {"last_row", "99"}, {"first_col", "100"}, {"last_col", "2147"}}},
                     {"correct.flat_field", {{"logarithm", "off"}, {"change", "constant"}}},
                     {"phase.paganin", {{"delta_over_beta", "180"}, {"energy", "19.5 keV"}, {"distance", "150 mm"}}},
                     {"correct.stripe_removal",
                      {{"method", "all"}, {"columns", "all"}, {"snr", "2.5"}, {"size", "31"}, {"large_size", "71"}}},
                     {"geometry.set", {{"axis", "-12.25 px"}}},
                     {"recon.fbp", {{"filter", "hann"}, {"cutoff", "0.7"}, {"extension", "edge"}, {"width", "1500"}}},
                     {"filter.circular_mask", {{"radius", "0.9"}}},
                     {"output.save_volume", {{"format", "tiff_stack"}, {"file", "slices"}}}})
            : chain({{"input.load_scan",
                      {{"file", "/data/bone.nx"},
                       {"flip_u", "mirror"},
                       {"view_step", "2"},
                       {"first_view", "1"},
                       {"energy", "19 keV"},
                       {"pixel_size", "1.6 um"},
                       {"axis_to_detector", "0.15 m"}}},
                     {"correct.crop_bin", {{"bin_cols", "2"}, {"bin_rows", "2"}}},
                     {"correct.flat_field", {{"logarithm", "off"}, {"average", average}}},
                     {"phase.paganin", {{"delta_over_beta", "150"}, {"output", "transmission"}}},
                     {"filter.view_unsharp", {{"sigma", "0.8 px"}, {"amount", "3"}}},
                     {"correct.flat_field", {{"reference", "none"}, {"floor", "1e-6"}}},
                     {"correct.stripe_removal",
                      {{"method", "all"}, {"columns", "all"}, {"snr", "2.5"}, {"size", "31"}, {"large_size", "71"}}},
                     {"geometry.set", {{"axis", "-12.25 px"}}},
                     {"recon.fbp", {{"filter", "hann"}, {"cutoff", "0.7"}, {"extension", "zero"}}},
                     {"filter.circular_mask", {{"outside", "-1"}}},
                     {"output.save_volume", {{"format", "tiff_stack"}, {"file", "bone"}}}});
    const WrittenPipeline written = write(id, graph, known_scan);
    QCOMPARE(all_losses(written.lost).find("stripe_removal."), std::string::npos);
    const ReadPipeline back = read(id, written.text, known_scan);
    expect_empty(unnamed_differences(graph, back.graph, {}));
    QCOMPARE(back.graph.nodes.size(), graph.nodes.size());
    if (!httomo) expect_empty(all_losses(written.lost));
    const WrittenPipeline again = write(id, back.graph, known_scan);
    QCOMPARE(QString::fromStdString(again.text), QString::fromStdString(written.text));
  }

  void a_list_of_httomo() {
    QVERIFY(foreign::pipeline_format_of(httomo_list)->id == "httomo");
    const ReadPipeline p = read("httomo", httomo_list);
    const Graph& g = p.graph;
    QCOMPARE(value(g, "input.load_scan", "data"), std::string("entry1/tomo_entry/data/data"));
    QCOMPARE(value(g, "input.load_scan", "darks_file"), std::string("dark_field.h5"));
    QCOMPARE(value(g, "input.load_scan", "angle_step"), to_text(to_stored(ParamValue{Number{0.1, Unit::deg}})));
    QCOMPARE(value(g, "correct.crop_bin", "first_row"), std::string("30"));
    QCOMPARE(value(g, "correct.crop_bin", "last_row"), std::string("59"));
    QCOMPARE(value(g, "correct.flat_field", "logarithm"), std::string("on"));
    QCOMPARE(value(g, "axis.vo", "centre"), std::string("20 px"));
    QCOMPARE(value(g, "axis.vo", "reach"), std::string("40 px"));
    QCOMPARE(value(g, "axis.vo", "ratio"), std::string("0.4"));
    QCOMPARE(value(g, "correct.stripe_removal", "columns"), std::string("all"));
    QCOMPARE(value(g, "recon.fbp", "filter"), std::string("hann"));
    QCOMPARE(value(g, "recon.fbp", "extension"), std::string("edge"));
    QCOMPARE(value(g, "filter.circular_mask", "radius"), std::string("0.95"));
    QCOMPARE(value(g, "output.save_volume", "format"), std::string("tiff_stack"));
    QCOMPARE(node_of(g, "geometry.set"), nullptr);  // the finder sets the axis
    // What is lost, with its line, and nothing else.
    QCOMPARE(
        QString::fromStdString(all_losses(p.lost)),
        QStringLiteral("line 43, remove_stripe_ti: this method of httomolibgpu.prep.stripe is not known here\n"
                       "line 52, FBP2d_astra.save_result = true: results between the first and the last step are not "
                       "saved\n"));
  }

  // Where HTTomo searches the axis in counts, it is searched here when they have become absorption.
  void finders_wait_for_absorption() {
    const std::string list =
        "- {method: standard_tomo, module_path: httomo.data.hdf.loaders}\n"
        "- {method: find_center_vo, module_path: httomolibgpu.recon.rotation, id: c, side_outputs: {cor: cor}}\n"
        "- {method: dark_flat_field_correction, module_path: httomolibgpu.prep.normalize}\n"
        "- {method: minus_log, module_path: httomolibgpu.prep.normalize}\n"
        "- method: FBP2d_astra\n  module_path: httomolibgpu.recon.algorithm\n"
        "  parameters: {center: \"${{c.side_outputs.cor}}\"}\n";
    const Graph g = read("httomo", list).graph;
    const auto order = topological_order(g).or_throw();
    const auto at = [&](const char* id) { return std::find(order.begin(), order.end(), id) - order.begin(); };
    QVERIFY(at("load") < at("flat_field") && at("flat_field") < at("vo") && at("vo") < at("fbp"));
    QCOMPARE(value(g, "correct.flat_field", "logarithm"), std::string("on"));
  }

  void references_and_sweeps_are_reported() {
    const std::string sweep =
        "- method: FBP2d_astra\n  module_path: httomolibgpu.recon.algorithm\n  parameters:\n"
        "    center: !SweepRange\n      start: 1100\n      stop: 1300\n      step: 25\n"
        "    filter_type: !Sweep [hann, ram-lak]\n    filter_d: ${{nowhere.side_outputs.x}}\n";
    const std::string lost = all_losses(read("httomo", sweep, known_scan).lost);
    for (const char* word : {"FBP2d_astra.center = {\"!SweepRange\":", "FBP2d_astra.filter_type = {\"!Sweep\":",
                             "tomoloom sweep", "FBP2d_astra.filter_d = ${{nowhere", "there is no loader before it"})
      QVERIFY2(lost.find(word) != std::string::npos, lost.c_str());
  }

  void a_configuration_of_nabu() {
    QVERIFY(foreign::pipeline_format_of(nabu_conf)->id == "nabu");
    const ReadPipeline p = read("nabu", nabu_conf, known_scan);
    const Graph& g = p.graph;
    QCOMPARE(value(g, "input.load_scan", "file"), std::string("/data/bone.nx"));
    QCOMPARE(value(g, "input.load_scan", "flip_u"), std::string("mirror"));
    QCOMPARE(value(g, "input.load_scan", "view_step"), std::string("2"));
    QCOMPARE(value(g, "input.load_scan", "first_view"), std::string("1"));
    QCOMPARE(value(g, "input.load_scan", "energy"), std::string("19 keV"));
    QCOMPARE(value(g, "input.load_scan", "pixel_size"), std::string("0.0016 mm"));
    QCOMPARE(value(g, "correct.crop_bin", "bin_cols"), std::string("2"));
    QCOMPARE(value(g, "phase.paganin", "delta_over_beta"), std::string("150"));
    QCOMPARE(value(g, "phase.paganin", "output"), std::string("transmission"));
    QCOMPARE(value(g, "filter.view_unsharp", "amount"), std::string("3"));
    QCOMPARE(value(g, "correct.stripe_removal", "snr"), std::string("2.5"));
    QCOMPARE(value(g, "recon.fbp", "filter"), std::string("shepp_logan"));
    QCOMPARE(value(g, "recon.fbp", "cutoff"), std::string("0.75 Nyquist"));
    QCOMPARE(value(g, "recon.fbp", "extension"), std::string("zero"));
    QCOMPARE(value(g, "output.save_volume", "file"), std::string("bone"));
    QVERIFY(node_of(g, "filter.circular_mask") != nullptr);
    // The logarithm comes after phase retrieval and unsharp mask.
    const auto order = topological_order(g).or_throw();
    const auto at = [&](const char* id) { return std::find(order.begin(), order.end(), id) - order.begin(); };
    QVERIFY(at("flat_field") < at("paganin") && at("paganin") < at("view_unsharp") &&
            at("view_unsharp") < at("logarithm"));
    QCOMPARE(QString::fromStdString(all_losses(p.lost)),
             QStringLiteral(
                 "line 34, [output] location = /results: the folder of outputs is chosen where a pipeline is run\n"
                 "line 17, [preproc] tilt_correction = 0.2: this is not known here\n"
                 "[resources] = gpus, workers: settings of a run are given when the pipeline is run\n"));
  }

  void a_workflow_of_ewoks() {
    const std::string workflow = R"({"directed": true, "graph": {"id": "w", "label": "Bone", "schema_version": "1.1"},
      "nodes": [
        {"id": "reduce", "task_type": "class", "task_identifier": "ewokstomo.tasks.reducedarkflat.ReduceDarkFlat",
         "default_inputs": [{"name": "flat_reduction_method", "value": "median"}]},
        {"id": "gallery", "task_type": "class", "task_identifier": "ewokstomo.tasks.buildgallery.BuildVolumeGallery"},
        {"id": "volume", "task_type": "class", "task_identifier": "ewokstomo.tasks.reconstruct_volume.ReconstructVolume",
         "default_inputs": [{"name": "nx_path", "value": "/data/bone.nx"}, {"name": "slice_index_range", "value": [3, 9]},
           {"name": "config_dict", "value": {"dataset": {"location": "/elsewhere"}, "preproc": {"normalize_srcurrent": 0},
             "phase": {"method": "paganin", "delta_beta": 150.0}, "reconstruction": {"rotation_axis_position": 1290.5}}}]}],
      "links": [{"source": "reduce", "target": "volume"}]})";
    QVERIFY(foreign::pipeline_format_of(workflow)->id == "ewoks");
    const ReadPipeline p = read("ewoks", workflow, known_scan);
    QCOMPARE(p.graph.title, std::string("Bone"));
    QCOMPARE(value(p.graph, "input.load_scan", "file"), std::string("/data/bone.nx"));
    QCOMPARE(value(p.graph, "correct.flat_field", "average"), std::string("median"));
    QCOMPARE(value(p.graph, "phase.paganin", "delta_over_beta"), std::string("150"));
    QCOMPARE(value(p.graph, "geometry.set", "axis"), std::string("11 px"));
    QCOMPARE(QString::fromStdString(all_losses(p.lost)),
             QStringLiteral("volume.slice_index_range = [3,9]: this is not known here\n"
                            "gallery: the task ewokstomo.tasks.buildgallery.BuildVolumeGallery is not known here\n"));
    QVERIFY(!foreign::ewoks_format().read(R"({"nodes": []})", "w.json", registry(), {}).ok());
  }

  // Cut at any byte, or with one replaced, a file is read or refused in words.
  void damaged_files_are_refused_or_read() {
    const std::string workflow = write("ewoks", read("nabu", nabu_conf, known_scan).graph, known_scan).text;
    for (const auto& [id, whole] : {std::pair("httomo", std::string(httomo_list)),
                                    std::pair("nabu", std::string(nabu_conf)), std::pair("ewoks", workflow)}) {
      const PipelineFormat* format = foreign::find_pipeline_format(id);
      for (std::size_t at = 0; at < whole.size(); at += 3) {
        std::string replaced = whole;
        replaced[at] = "{}[]:=-!\n\"\x01\xff"[at % 12];
        for (const std::string& text : {whole.substr(0, at), replaced}) {
          const auto pipeline = format->read(text, "file", registry(), known_scan);
          if (!pipeline.ok()) {
            QCOMPARE(pipeline.error().kind, ErrorKind::invalid);
            continue;
          }
          for (const GraphProblem& p : problems(pipeline.value().graph, registry()))
            QVERIFY2(p.grade == ProblemGrade::unfinished, p.error.message().c_str());
        }
      }
    }
  }
};

TL_TEST_CASE(ForeignTest)

}  // namespace tl::foreign_test

#include "foreign.moc"
