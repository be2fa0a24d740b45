// A table of the examples: how each is computed.
#include "core/run/automatic/example_source.h"

#include <algorithm>

namespace tl {
namespace {

constexpr auto half_scan = ExampleSource::Range::half_turn, full_scan = ExampleSource::Range::full_turn;
constexpr ExampleSource sources[] = {{"absorption", "parallel", half_scan}, {"transmission", "parallel", half_scan},
                                     {"counts", "parallel", half_scan},     {"absorption", "parallel", full_scan},
                                     {"absorption", "cone", full_scan},     {"transmission", "cone", full_scan},
                                     {"counts", "cone", full_scan}};

// Thresholds of attenuation [1/mm] for the objects and for the empty space around them, without noise.
constexpr double surely_dense = 0.0045, surely_empty = 0.0005;

GraphNode threshold(std::map<std::string, ParamValue> params) { return {"segment.threshold", 1, std::move(params)}; }
// Two classes and voxels of neither.
GraphNode strokes() { return threshold({{"method", std::string("multi_otsu")}, {"classes", int64_t{3}}}); }

ExampleOutput scan(Graph& g, const ExampleSource& source) {
  if (source.kind == "counts") return {"scan", "projections"};
  if (g.nodes.count("flat") == 0) {
    g.nodes["flat"] = {
        "correct.flat_field", 1, {{"logarithm", std::string(source.kind == "absorption" ? "on" : "off")}}};
    g.links.push_back({"scan", "projections", "flat", "projections"});
  }
  return {"flat", "projections"};
}

ExampleOutput volume(Graph& g, const ExampleSource& source) {
  if (g.nodes.count("volume") == 0) {
    const auto [node, port] = scan(g, source);
    g.nodes["volume"] = {source.beam == "cone" ? "recon.fdk" : "recon.fbp", 1, {}};
    g.links.push_back({node, port, "volume", "projections"});
  }
  return {"volume", "volume"};
}

// Adds a node that reads the volume.
ExampleOutput of_volume(Graph& g, const ExampleSource& source, const char* id, GraphNode node, const char* output) {
  const auto [from, port] = volume(g, source);
  if (g.nodes.emplace(id, std::move(node)).second) g.links.push_back({from, port, id, "volume"});
  return {id, output};
}

ExampleOutput labels(Graph& g, const ExampleSource& source) {
  return of_volume(g, source, "labels", threshold({}), "labels");
}

ExampleOutput stroke_labels(Graph& g, const ExampleSource& source) {
  const ExampleOutput output = labels(g, source);
  g.nodes["labels"] = strokes();
  return output;
}

ExampleOutput maps(Graph& g, const ExampleSource& source) {
  of_volume(g, source, "strokes", strokes(), "labels");
  const GraphNode classifier{
      "segment.pixel_classifier", 1, {{"sigmas", NumberList{{1, 3.5}, Unit::px}}, {"trees", int64_t{20}}}};
  const bool is_new = g.nodes.count("maps") == 0;
  const ExampleOutput output = of_volume(g, source, "maps", classifier, "probabilities");
  if (is_new) g.links.push_back({"strokes", "labels", "maps", "strokes"});
  return output;
}

// Voxels that are certainly dense, with the number 2: they exceed two equal thresholds.
ExampleOutput dense_voxels(Graph& g, const ExampleSource& source) {
  const NumberList twice{{surely_dense, surely_dense}, Unit::none};
  return of_volume(g, source, "dense", threshold({{"method", std::string("manual")}, {"values", twice}}), "labels");
}

// The dense voxels and, with the number 1, empty ones; voxels in between are undecided.
ExampleOutput seeds(Graph& g, const ExampleSource& source) {
  dense_voxels(g, source);
  of_volume(g, source, "empty",
            threshold({{"method", std::string("manual")},
                       {"keep", std::string("dark")},
                       {"value", Number{surely_empty, Unit::none}}}),
            "labels");
  g.nodes["seeds"] = {"segment.combine", 1, {{"operation", std::string("either")}}};
  g.links.push_back({"dense", "labels", "seeds", "first"});
  g.links.push_back({"empty", "labels", "seeds", "second"});
  return {"seeds", "labels"};
}

struct Example {
  std::string_view name;
  ExampleOutput (*add)(Graph&, const ExampleSource&);
  bool of_any_kind = false;  // usable for any kind of scan; else only for absorption
};
// Examples by type of port, then by name of input.
constexpr Example of_types[] = {{"scan", scan, true}, {"volume", volume}, {"labels", labels}, {"maps", maps}};
constexpr Example of_names[] = {{"strokes", stroke_labels}, {"seeds", seeds}, {"second", dense_voxels}};

const Example* find(std::span<const Example> examples, std::string_view name) {
  const auto found = std::find_if(examples.begin(), examples.end(), [&](const Example& e) { return e.name == name; });
  return found == examples.end() ? nullptr : &*found;
}

}  // namespace

std::span<const ExampleSource> example_sources() { return sources; }

GraphNode simulated_scan(const ExampleSource& source) {
  return {"input.simulate_scan",
          1,
          {{"views", int64_t{160}},
           {"rows", int64_t{120}},
           {"cols", int64_t{160}},
           {"range", Number{source.range == full_scan ? 360.0 : 180.0, Unit::deg}},
           {"beam", std::string(source.beam)},
           {"photons", Number{5000.0, Unit::none}},
           {"stripes", Number{0.1, Unit::none}},
           {"attenuation", Number{0.006, Unit::per_mm}},
           {"zingers", Number{0.0005, Unit::none}},
           {"dead_pixels", Number{0.002, Unit::none}}}};
}

std::optional<ExampleOutput> add_example(Graph& graph, const PortDecl& input, const ExampleSource& source) {
  const Example* example = find(of_types, row_of(input.type).example);
  if (example == nullptr || !(example->of_any_kind || source.kind == "absorption")) return std::nullopt;
  const Example* named = find(of_names, input.name);
  return (named == nullptr ? example : named)->add(graph, source);
}

}  // namespace tl
