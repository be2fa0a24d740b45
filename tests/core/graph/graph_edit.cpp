// Edits of a graph: which links are allowed and why others are not; inserting, removing (with and without
// reconnecting), copying, pasting, bypassing, muting, and layout.
#include "core/graph/edit.h"

#include <algorithm>

#include "core/graph/auto_layout.h"
#include "core/graph/bypass.h"
#include "core/graph/graph_json.h"
#include "tests/support/test_case.h"

namespace tl::graph_edit_test {

namespace {

const Registry& registry() { return Registry::all(); }

// load -> flat_field -> fbp -> gaussian -> save, and statistics of the FBP.
Graph chain() {
  Graph g;
  for (const char* type : {"input.load_scan", "correct.flat_field", "recon.fbp", "filter.gaussian",
                           "output.save_volume", "measure.statistics"})
    (void)edit::add_node(g, registry(), type);
  g.links = {{"load_scan", "projections", "flat_field", "projections"},
             {"flat_field", "projections", "fbp", "projections"},
             {"fbp", "volume", "gaussian", "volume"},
             {"gaussian", "volume", "save_volume", "volume"},
             {"fbp", "volume", "statistics", "volume"}};
  return g;
}

bool has(const Graph& g, const Link& link) { return std::find(g.links.begin(), g.links.end(), link) != g.links.end(); }

std::string refusal(const Graph& g, const Link& link) {
  const auto may = edit::may_connect(g, registry(), link);
  return may.ok() ? "" : may.error().message();
}

bool has_fit(const std::vector<edit::FittingPort>& fits, const std::string& type) {
  return std::any_of(fits.begin(), fits.end(), [&](const edit::FittingPort& f) { return f.type == type; });
}

std::map<std::string, NodeSize> sizes_of(const Graph& g) {
  std::map<std::string, NodeSize> sizes;
  for (const auto& [id, node] : g.nodes) sizes[id] = {188, 60 + 20.0 * static_cast<double>(id.size() % 5)};
  return sizes;
}

bool overlap(const NodePosition& a, const NodeSize& sa, const NodePosition& b, const NodeSize& sb) {
  return a.x < b.x + sb.width && b.x < a.x + sa.width && a.y < b.y + sb.height && b.y < a.y + sa.height;
}

}  // namespace

class GraphEditTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_chain_is_sound() { QVERIFY(problems(chain(), registry()).empty()); }

  void added_nodes_have_free_ids() {
    Graph g;
    QCOMPARE(edit::add_node(g, registry(), "recon.fbp").or_throw(), std::string("fbp"));
    QCOMPARE(edit::add_node(g, registry(), "recon.fbp").or_throw(), std::string("fbp_2"));
    QVERIFY(!edit::add_node(g, registry(), "recon.fpb").ok());
    QCOMPARE(g.nodes.size(), std::size_t{2});
  }

  void refused_links_say_why() {
    const Graph g = chain();
    QVERIFY(refusal(g, {"flat_field", "projections", "gaussian", "volume"}).find("cannot feed a volume") !=
            std::string::npos);
    QVERIFY(refusal(g, {"gaussian", "volume", "gaussian", "volume"}).find("itself") != std::string::npos);
    QVERIFY(refusal(g, {"fbp", "volume", "nobody", "volume"}).find("no node \"nobody\"") != std::string::npos);
    QVERIFY(refusal(g, {"fbp", "volume", "gaussian", "volum"}).find("no input or parameter") != std::string::npos);
    QVERIFY(refusal(g, {"fbp", "other", "gaussian", "volume"}).find("no output") != std::string::npos);
    QVERIFY(refusal(g, {"fbp", "volume", "gaussian", "sigma"}).find("only a scalar") != std::string::npos);
    Graph circle = chain();
    circle.nodes["median"] = {"filter.median", 1, {}};
    QVERIFY(edit::connect(circle, registry(), {"gaussian", "volume", "median", "volume"}).ok());
    const std::string why = refusal(circle, {"median", "volume", "gaussian", "volume"});
    QVERIFY2(why.find("cycle") != std::string::npos, why.c_str());
    QVERIFY2(why.find("Gaussian filter") != std::string::npos, why.c_str());
    const Graph before = circle;
    QVERIFY(!edit::connect(circle, registry(), {"median", "volume", "gaussian", "volume"}).ok());
    QVERIFY(circle == before);
  }

  void a_new_link_replaces_the_old_one() {
    Graph g = chain();
    QVERIFY(edit::connect(g, registry(), {"fbp", "volume", "save_volume", "volume"}).ok());
    QVERIFY(has(g, {"fbp", "volume", "save_volume", "volume"}));
    QVERIFY(!has(g, {"gaussian", "volume", "save_volume", "volume"}));
    QVERIFY(problems(g, registry()).empty());
    edit::disconnect(g, {"fbp", "volume", "save_volume", "volume"});
    QVERIFY(g.link_into("save_volume", "volume") == nullptr);
  }

  void a_scalar_drives_a_number() {
    Graph g = chain();
    QVERIFY(edit::connect(g, registry(), {"statistics", "mean", "gaussian", "sigma"}).ok());
    QVERIFY(problems(g, registry()).empty());
    const auto names = edit::fitting_inputs(g, registry(), "statistics", "mean", "gaussian");
    QVERIFY(std::find(names.begin(), names.end(), "sigma") != names.end());
    QVERIFY(std::find(names.begin(), names.end(), "volume") == names.end());
  }

  void what_fits_is_offered() {
    QVERIFY(has_fit(edit::fitting_ports_after(registry(), PortType::volume), "filter.gaussian"));
    QVERIFY(!has_fit(edit::fitting_ports_after(registry(), PortType::volume), "recon.fbp"));
    QVERIFY(has_fit(edit::fitting_ports_before(registry(), PortType::volume), "recon.fbp"));
    QVERIFY(!has_fit(edit::fitting_ports_before(registry(), PortType::projections), "recon.fbp"));
    const Graph g = chain();
    QCOMPARE(edit::fitting_inputs(g, registry(), "fbp", "volume", "save_volume").at(0), std::string("volume"));
    QVERIFY(edit::fitting_inputs(g, registry(), "fbp", "volume", "flat_field").empty());
    QCOMPARE(edit::fitting_outputs(g, registry(), "fbp", "gaussian", "volume").size(), std::size_t{1});
    QVERIFY(edit::fitting_outputs(g, registry(), "flat_field", "gaussian", "volume").empty());
  }

  void a_node_goes_between() {
    Graph g = chain();
    (void)edit::add_node(g, registry(), "filter.median");
    const Link link{"fbp", "volume", "gaussian", "volume"};
    QVERIFY(edit::insert_on_link(g, registry(), "median", link).ok());
    QVERIFY(has(g, {"fbp", "volume", "median", "volume"}));
    QVERIFY(has(g, {"median", "volume", "gaussian", "volume"}));
    QVERIFY(!has(g, link));
    QVERIFY(problems(g, registry()).empty());
    (void)edit::add_node(g, registry(), "recon.gridrec");
    const Graph before = g;
    const auto refused = edit::insert_on_link(g, registry(), "gridrec", {"median", "volume", "gaussian", "volume"});
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().what.find("no volume input") != std::string::npos);
    QVERIFY(!edit::insert_on_link(g, registry(), "gaussian", {"median", "volume", "save_volume", "volume"}).ok());
    QVERIFY(g == before);
  }

  void a_node_goes_after_another() {
    Graph g = chain();
    const auto before = g;
    (void)edit::add_node(g, registry(), "filter.median");
    QVERIFY(edit::insert_after(g, registry(), "median", "gaussian").ok());
    QVERIFY(problems(g, registry()).empty());
    for (const Link& l : before.links)
      if (l.from_node == "gaussian") QCOMPARE(g.link_into(l.to_node, l.to_port)->from_node, std::string("median"));
    QCOMPARE(g.link_into("median", "volume")->from_node, std::string("gaussian"));
    // Another type of output cannot stand in between: a branch.
    const auto source = g.link_into("gaussian", "volume")->from_node;
    const auto scan = g.link_into(source, "projections")->from_node;
    const auto links = g.links.size();
    (void)edit::add_node(g, registry(), "recon.sirt");
    QVERIFY(edit::insert_after(g, registry(), "sirt", scan).ok());
    QCOMPARE(g.links.size(), links + 1);
    const Graph kept = g;
    QVERIFY(!edit::insert_after(g, registry(), "sirt", "save_volume").ok());
    QVERIFY(g == kept);
  }

  // A classifier after strokes takes the volume that they lie on; a second input of the same type stays free.
  void a_node_after_another_shares_what_both_need() {
    Graph g = chain();
    (void)edit::add_node(g, registry(), "segment.painted");
    QVERIFY(edit::insert_after(g, registry(), "painted", "gaussian").ok());
    (void)edit::add_node(g, registry(), "segment.pixel_classifier");
    QVERIFY(edit::insert_after(g, registry(), "pixel_classifier", "painted").ok());
    QVERIFY(has(g, {"painted", "labels", "pixel_classifier", "strokes"}));
    QVERIFY(has(g, {"gaussian", "volume", "pixel_classifier", "volume"}));
    QVERIFY(problems(g, registry()).empty());
    (void)edit::add_node(g, registry(), "measure.scores");
    QVERIFY(edit::insert_after(g, registry(), "scores", "pixel_classifier").ok());
    const auto taken =
        std::count_if(g.links.begin(), g.links.end(), [](const Link& l) { return l.to_node == "scores"; });
    QCOMPARE(taken, std::ptrdiff_t{1});
  }

  void removing_leaves_a_gap_or_closes_it() {
    Graph open = chain(), closed = chain();
    edit::remove_nodes(open, registry(), {"gaussian"}, edit::Gap::open);
    QVERIFY(open.link_into("save_volume", "volume") == nullptr);
    edit::remove_nodes(closed, registry(), {"gaussian"}, edit::Gap::reconnect);
    QVERIFY(has(closed, {"fbp", "volume", "save_volume", "volume"}));
    QVERIFY(problems(closed, registry()).empty());
    // Two in a row, and one where types differ: nothing can flow on.
    Graph two = chain();
    (void)edit::add_node(two, registry(), "filter.median");
    (void)edit::insert_on_link(two, registry(), "median", {"gaussian", "volume", "save_volume", "volume"});
    edit::remove_nodes(two, registry(), {"gaussian", "median"}, edit::Gap::reconnect);
    QVERIFY(has(two, {"fbp", "volume", "save_volume", "volume"}));
    edit::remove_nodes(two, registry(), {"fbp"}, edit::Gap::reconnect);
    QCOMPARE(two.links.size(), std::size_t{1});
  }

  void a_copied_part_is_a_pipeline_of_its_own() {
    Graph g = chain();
    g.nodes["gaussian"].params["sigma"] = Number{2, Unit::px};
    const std::string text = edit::copy_text(g, {"gaussian", "save_volume"}, R"({"nodes":{"gaussian":{"x":1}}})");
    const Graph part = graph_from_json(text, registry(), "text", Completeness::draft).or_throw();
    QCOMPARE(part.nodes.size(), std::size_t{2});
    QCOMPARE(part.links.size(), std::size_t{1});

    Graph plain = g;
    const auto pasted = edit::paste_text(plain, registry(), text, edit::Incoming::dropped).or_throw();
    QCOMPARE(pasted.ids.at("gaussian"), std::string("gaussian_2"));
    QVERIFY(plain.nodes.at("gaussian_2").params == g.nodes.at("gaussian").params);
    QVERIFY(has(plain, {"gaussian_2", "volume", "save_volume_2", "volume"}));
    QVERIFY(plain.link_into("gaussian_2", "volume") == nullptr);
    QCOMPARE(pasted.ui, std::string(R"({"nodes":{"gaussian":{"x":1}}})"));

    Graph linked = g;
    (void)edit::paste_text(linked, registry(), text, edit::Incoming::kept).or_throw();
    QVERIFY(has(linked, {"fbp", "volume", "gaussian_2", "volume"}));
    QVERIFY(problems(linked, registry()).empty());
    // Where the source is gone the link is left out.
    Graph other;
    (void)edit::paste_text(other, registry(), text, edit::Incoming::kept).or_throw();
    QCOMPARE(other.links.size(), std::size_t{1});
  }

  void pasting_other_text_is_refused() {
    Graph g = chain();
    const Graph before = g;
    for (const char* text :
         {"", "hello", "{}", "[1,2]", R"({"format":"tomoloom-pipeline","schema_version":1,"nodes":3})"})
      QVERIFY(!edit::paste_text(g, registry(), text, edit::Incoming::kept).ok());
    QVERIFY(g == before);
    // A layout of any shape does no harm.
    Graph odd = chain();
    const auto pasted = edit::paste_text(
        odd, registry(),
        R"({"format":"tomoloom-pipeline","schema_version":1,"nodes":{"a":{"type":"recon.fbp","version":1}},
            "ui":{"incoming":[1,{"from":"x"},{"from":"nodot","to":"a.projections"},{"from":"gone.p","to":"a.projections"}]}})",
        edit::Incoming::kept);
    QVERIFY2(pasted.ok(), pasted.ok() ? "" : pasted.error().message().c_str());
    QCOMPARE(odd.links.size(), chain().links.size());
  }

  void drafts_may_lack_links_and_nothing_else() {
    Graph g = chain();
    edit::disconnect(g, {"fbp", "volume", "gaussian", "volume"});
    const std::string text = to_json(g);
    QVERIFY(!graph_from_json(text, registry()).ok());
    QVERIFY(graph_from_json(text, registry(), "draft", Completeness::draft).or_throw() == g);
    g.links.push_back({"flat_field", "projections", "gaussian", "volume"});
    QVERIFY(!graph_from_json(to_json(g), registry(), "draft", Completeness::draft).ok());
  }

  void a_bypassed_node_passes_its_input_on() {
    Graph g = chain();
    QVERIFY(edit::toggle_use(g, registry(), {"gaussian"}, NodeUse::bypassed).ok());
    const UsedGraph used = used_graph(g, registry());
    QVERIFY(has(used.graph, {"fbp", "volume", "save_volume", "volume"}));
    QCOMPARE(used.graph.nodes.count("gaussian"), std::size_t{0});
    QCOMPARE(used.passed.at({"gaussian", "volume"}), (std::pair<std::string, std::string>{"fbp", "volume"}));
    QVERIFY(problems(g, registry()).empty());
    QCOMPARE(bypassed_and_muted_nodes(g), std::string("gaussian (bypassed)"));
    QVERIFY(edit::toggle_use(g, registry(), {"gaussian"}, NodeUse::bypassed).ok());
    QVERIFY(g == chain());
    const auto refused = edit::toggle_use(g, registry(), {"gaussian", "fbp"}, NodeUse::bypassed);
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().what.find("FBP") != std::string::npos);
    QVERIFY(g == chain());
    g.nodes.at("fbp").use = NodeUse::bypassed;
    QVERIFY(!problems(g, registry()).empty());
  }

  void a_muted_branch_is_left_out() {
    Graph g = chain();
    QVERIFY(edit::toggle_use(g, registry(), {"gaussian"}, NodeUse::muted).ok());
    const UsedGraph used = used_graph(g, registry());
    QCOMPARE(used.muted, (std::set<std::string>{"gaussian", "save_volume"}));
    QCOMPARE(used.graph.nodes.count("save_volume"), std::size_t{0});
    QVERIFY(has(used.graph, {"fbp", "volume", "statistics", "volume"}));
    QVERIFY(problems(g, registry()).empty());
    // A muted node may lack its inputs.
    edit::disconnect(g, {"fbp", "volume", "gaussian", "volume"});
    QVERIFY(problems(g, registry()).empty());
    // A node whose driver is muted is left out too: the value its parameter had before would be used without a word.
    Graph driven = chain();
    QVERIFY(edit::connect(driven, registry(), {"statistics", "mean", "gaussian", "sigma"}).ok());
    driven.nodes.at("statistics").use = NodeUse::muted;
    const UsedGraph without_driver = used_graph(driven, registry());
    QCOMPARE(without_driver.muted, (std::set<std::string>{"gaussian", "save_volume", "statistics"}));
    QVERIFY(without_driver.graph.nodes.count("fbp") == 1);
  }

  void bypassing_works_on_unsound_graphs() {
    Graph g = chain();
    g.nodes["odd"] = {"no.such", 1, {}, NodeUse::bypassed};
    g.links.push_back({"odd", "a", "gone", "b"});
    g.nodes["m1"] = {"filter.median", 1, {}, NodeUse::bypassed};
    g.nodes["m2"] = {"filter.median", 1, {}, NodeUse::bypassed};
    g.links.push_back({"m1", "volume", "m2", "volume"});
    g.links.push_back({"m2", "volume", "m1", "volume"});
    QVERIFY(used_graph(g, registry()).graph.nodes.count("m1") == 0);
    QVERIFY(!problems(g, registry()).empty());
  }

  void use_is_written_only_when_it_is_not_active() {
    Graph g = chain();
    QVERIFY(to_json(g).find("\"use\"") == std::string::npos);
    g.nodes.at("gaussian").use = NodeUse::bypassed;
    g.nodes.at("save_volume").use = NodeUse::muted;
    const std::string text = to_json(g);
    const Graph back = graph_from_json(text, registry()).or_throw();
    QVERIFY(back == g);
    QCOMPARE(to_json(back), text);
    std::string wrong = text;
    wrong.replace(wrong.find("\"bypassed\""), 10, "\"bypased\"");
    const auto refused = graph_from_json(wrong, registry());
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().message().find("bypassed") != std::string::npos, refused.error().message().c_str());
  }

  void the_layout_has_no_overlaps_and_goes_right() {
    Graph g = chain();
    for (int i = 0; i < 6; ++i) {
      const std::string id =
          edit::add_node(g, registry(), i % 2 == 0 ? "filter.median" : "output.save_volume").or_throw();
      if (i % 2 == 0) QVERIFY(edit::connect(g, registry(), {"fbp", "volume", id, "volume"}).ok());
    }
    const auto sizes = sizes_of(g);
    const auto positions = auto_layout(g, sizes);
    QCOMPARE(positions.size(), g.nodes.size());
    for (const Link& l : g.links)
      QVERIFY(positions.at(l.from_node).x + sizes.at(l.from_node).width < positions.at(l.to_node).x);
    for (const auto& [a, at] : positions)
      for (const auto& [b, bt] : positions)
        if (a < b) QVERIFY2(!overlap(at, sizes.at(a), bt, sizes.at(b)), (a + " over " + b).c_str());
    QVERIFY(auto_layout(g, sizes) == positions);
  }

  void a_chain_is_level_and_the_end_of_a_branch_moves_nothing() {
    Graph g = chain();
    const auto before = auto_layout(g, sizes_of(g));
    QCOMPARE(before.at("load_scan").y, before.at("fbp").y);
    (void)edit::add_node(g, registry(), "filter.median");
    (void)edit::insert_on_link(g, registry(), "median", {"gaussian", "volume", "save_volume", "volume"});
    const auto after = auto_layout(g, sizes_of(g));
    for (const char* id : {"load_scan", "flat_field", "fbp", "gaussian"}) QVERIFY(before.at(id) == after.at(id));
    g.links.push_back({"save_volume", "x", "load_scan", "y"});  // a circle must not hang it
    QCOMPARE(auto_layout(g, sizes_of(g)).size(), g.nodes.size());
    QVERIFY(auto_layout({}, {}).empty());
  }
};

TL_TEST_CASE(GraphEditTest)

}  // namespace tl::graph_edit_test

#include "graph_edit.moc"
