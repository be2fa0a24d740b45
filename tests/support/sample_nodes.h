// Three made-up node types with every kind of port and parameter, for tests of code that uses declarations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/node/node_builder.h"
#include "core/node/registry.h"

namespace tl::sample {

enum class Mode { plain, fancy, wild };

struct SourceParams {
  std::string file;
  int64_t views = 8;
};
inline void describe_source(NodeBuilder<SourceParams>& n) {
  n.id("sample.source", 1).title("Source").category("Input").summary("Makes projections.");
  n.output<Projections>("projections", "The scan.").output<Scalar>("angle", "A number.");
  n.param("file", "file", &SourceParams::file).help("Where it lies.").input_file();
  n.param("views", "views", &SourceParams::views).help("How many.").range(1, 1000);
}

struct FilterParams {
  bool flag = true;
  int64_t count = 3;
  double factor = 0.25;
  Length pixel = {1.1e-3};
  Angle angle = 20_deg;
  Mode mode = Mode::fancy;
  std::string note = "none";
  std::string out;
  std::vector<double> weights = {1, 2.5};
  std::vector<double> shifts;
  std::optional<double> energy;
  std::optional<int64_t> rows;
  Learnable<double> axis{-3.5, {}};
  Learnable<std::vector<double>> drift;
  Learnable<std::optional<NumberArray>> picture;
};
inline void describe_filter(NodeBuilder<FilterParams>& n) {
  using P = FilterParams;
  n.id("sample.filter", 2).title("Filter").category("Correction").summary("Has one parameter of every kind.");
  n.description("Nothing is computed.").cite("Nobody, Nothing, 1900").synonyms({"sieve"});
  n.input<Projections>("projections", "What is filtered.").input<Scalar>("hint", "A number.", false);
  n.output<Projections>("projections", "The filtered scan.");
  n.param("flag", "flag", &P::flag).help("On or off.");
  n.param("count", "count", &P::count).help("An integer.").range(-5, 10);
  n.param("factor", "factor", &P::factor).help("A number.").range(0, 1);
  n.param("pixel", "pixel", &P::pixel).help("A length.").range(0.01, 1000, Unit::um);
  n.param("angle", "angle", &P::angle).help("An angle.").range(-180, 180, Unit::deg);
  n.param("mode", "mode", &P::mode,
          {{Mode::plain, "plain", "Plain"}, {Mode::fancy, "fancy", "Fancy"}, {Mode::wild, "wild", "Wild"}})
      .help("A choice.");
  n.advanced_param("note", "note", &P::note).help("A text.");
  n.param("out", "out", &P::out).help("A file.").output_file();
  n.param("weights", "weights", &P::weights).help("Numbers.").range(0, 100);
  n.param("shifts", "shifts", &P::shifts).help("Numbers with a unit.").unit(Unit::px).per_view();
  n.param("energy", "energy", &P::energy).help("A number or auto.").at_least(0).automatic("taken from the scan");
  n.param("rows", "rows", &P::rows).help("An integer or auto.").at_least(1).automatic("all of them");
  n.param("axis", "Rotation axis", &P::axis).help("Learnable.").range(-100, 100, Unit::px).learnable();
  n.param("drift", "drift", &P::drift).help("Learnable numbers.").unit(Unit::px).per_view().learnable();
  n.param("picture", "picture", &P::picture)
      .help("An array or auto.")
      .unit(Unit::um)
      .automatic("two zeros")
      .learnable();
  n.array_of_auto("picture", [](const P&, const Infos&) { return NumberArray::filled({1, 2}, 0, Unit::mm); });
  n.not_differentiable("it is made up");
}

struct SinkParams {
  std::string file = "out.tif";
};
inline void describe_sink(NodeBuilder<SinkParams>& n) {
  n.id("sample.sink", 1).title("Sink").category("Output").summary("Swallows a volume.").writes_files();
  n.input<Volume>("volume", "What is written.");
  n.param("file", "file", &SinkParams::file).help("Its name.").output_file();
}

inline Registry registry() {
  return Registry({NodeBuilder<SourceParams>::build(describe_source), NodeBuilder<FilterParams>::build(describe_filter),
                   NodeBuilder<SinkParams>::build(describe_sink)});
}

// A sound graph: a source and a filter, the filter's `factor` driven by the source.
inline Graph graph() {
  Graph g;
  g.title = "Sample \xc3\xa9";
  g.nodes["load"] = {"sample.source", 1, {{"file", std::string("scan \"a\".h5")}, {"views", int64_t{16}}}};
  g.nodes["filter"] = {"sample.filter", 2, {}};
  g.links = {{"load", "projections", "filter", "projections"}, {"load", "angle", "filter", "factor"}};
  return g;
}

}  // namespace tl::sample
