// A graph with a value of every kind, and texts of small pipelines, for tests of pipeline files.
#pragma once

#include <string>

#include "core/graph/graph_json.h"
#include "tests/support/sample_nodes.h"

namespace tl::test::pipelines {

inline const Registry& registry() {
  static const Registry r = sample::registry();
  return r;
}

// A value of every alternative that a graph can store.
inline Graph full_graph() {
  Graph g = sample::graph();
  g.links.pop_back();
  g.nodes["filter"].params = {
      {"flag", false},
      {"count", int64_t{-5}},
      {"factor", Number{0.1, Unit::none}},
      {"pixel", Number{1.1, Unit::um}},
      {"angle", Number{-0.0, Unit::deg}},
      {"mode", std::string("wild")},
      {"note", std::string("a \"quoted\"\n\ttext, \xc2\xb5m \\")},
      {"out", std::string("result.tif")},
      {"weights", NumberList{{1, 1e-30, 1.0 / 3, 99.999999999999986}, Unit::none}},
      {"shifts", NumberList{{0.1, -2}, Unit::px}},
      {"energy", std::monostate{}},
      {"rows", int64_t{7}},
      {"axis", Number{-23.6, Unit::px}},
      {"drift", NumberList{{}, Unit::px}},
      {"picture", NumberArray::make({2, 1, 2}, {1, -0.1F, 3e38F, 1e-45F}, Unit::um).or_throw()}};
  g.learning = R"({"targets":[{"node":"filter","parameter":"axis","start":"0.5 px"}],"objective":"o.loss","seed":7})";
  g.ui = R"({"zoom":1.25,"positions":{"load":[0,-1e-07],"filter":[12,3]},"a":null})";
  return g;
}

// Two nodes and a link; `filter` and `links` are inserted. Line 4 opens the nodes, line 8 contains `filter`.
inline std::string text_with(const std::string& parameters,
                             const std::string& links = R"({"from": "load.projections", "to": "filter.projections"})") {
  return "{\n\"format\": \"tomoloom-pipeline\",\n\"schema_version\": 1,\n\"nodes\": {\n"
         "  \"load\": {\"type\": \"sample.source\", \"version\": 1},\n"
         "  \"filter\": {\"type\": \"sample.filter\", \"version\": 2,\n    \"parameters\": {\n      " +
         parameters + "\n    }}\n},\n\"links\": [\n  " + links + "\n]}\n";
}

}  // namespace tl::test::pipelines
