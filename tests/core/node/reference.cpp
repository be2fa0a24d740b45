// Node reference: everything that a node declares appears on the page and in the JSON.
#include "core/node/reference.h"

#include <nlohmann/json.hpp>

#include "core/node/node_builder.h"
#include "tests/support/test_case.h"

namespace tl::reference_test {

namespace {

struct Params {
  double cutoff = 0.5;
  Angle gap = 20_deg;
  std::optional<Pixels> axis;
  int64_t size = 16;
  std::string file;
  enum class Window { ramp, hann } window = Window::hann;
};

void describe(NodeBuilder<Params>& n) {
  n.id("test.sample", 3).title("Sample").category("Testing").summary("Shows what a declaration can say.");
  n.cite("Someone 1999, Journal 1:2").synonyms({"specimen"});
  n.input<Projections>("projections", "What comes in | or not");
  n.input<Scalar>("shift", "Optional shift", false);
  n.output<Volume>("volume", "What goes out");
  n.param("cutoff", "cutoff", &Params::cutoff).range(0, 1).unit(Unit::nyquist).help("Lower is smoother.");
  n.advanced_param("gap", "gap", &Params::gap).at_least(1, Unit::deg).help("Largest gap.");
  n.param("axis", "axis", &Params::axis).range(-100, 100, Unit::px).help("Axis.").automatic("the centre");
  n.param("size", "size", &Params::size).help("Size.");
  n.param("file", "file", &Params::file).input_file().help("A file.");
  n.param("window", "window", &Params::window,
          {{Params::Window::ramp, "ramp", "Ramp"}, {Params::Window::hann, "hann", "Hann"}})
      .help("Window.");
  n.not_differentiable("it only tests");
}

}  // namespace

class ReferenceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void accepted() {
    const NodeType t = NodeBuilder<Params>::build(describe);
    QCOMPARE(accepted_values(*t.param("cutoff")), std::string("0 to 1 ") + std::string(symbol(Unit::nyquist)));
    QCOMPARE(accepted_values(*t.param("gap")), std::string(">= 1 deg"));
    QCOMPARE(accepted_values(*t.param("axis")), std::string("-100 to 100 px, or auto"));
    QCOMPARE(accepted_values(*t.param("window")), std::string("ramp, hann"));
    QCOMPARE(accepted_values(*t.param("file")), std::string("an input file"));
  }
  void the_page_holds_every_word() {
    const NodeType t = NodeBuilder<Params>::build(describe);
    const std::string page = node_markdown(t);
    for (const char* word :
         {"### Sample", "`test.sample`, version 3, Testing", "Shows what a declaration can say.", "`projections`",
          "What comes in \\| or not", "scalar, optional", "`volume`", "`cutoff`", "Lower is smoother.", "20 deg",
          "`auto`: the centre.", "(advanced)", "No gradients: it only tests.", "Someone 1999, Journal 1:2"})
      QVERIFY2(page.find(word) != std::string::npos, word);
  }
  void json_reads_back() {
    const auto j = nlohmann::json::parse(node_json(NodeBuilder<Params>::build(describe)));
    QCOMPARE(j["id"].get<std::string>(), std::string("test.sample"));
    QCOMPARE(j["parameters"].size(), std::size_t{6});
    QCOMPARE(j["parameters"][0]["high"].get<double>(), 1.0);
    QCOMPARE(j["parameters"][1]["level"].get<std::string>(), std::string("advanced"));
    QCOMPARE(j["parameters"][2]["default"].get<std::string>(), std::string("auto"));
    QCOMPARE(j["parameters"][5]["choices"][1]["name"].get<std::string>(), std::string("hann"));
    QCOMPARE(j["inputs"][1]["required"].get<bool>(), false);
  }
  // Every node of the program documents itself completely.
  void every_node_has_a_page() {
    const Registry& registry = Registry::all();
    const std::string all = registry_markdown(registry);
    for (const NodeType& t : registry.types()) {
      QVERIFY2(all.find("`" + t.id + "`, version") != std::string::npos, t.id.c_str());
      for (const ParamDecl& p : t.params)
        QVERIFY2(node_markdown(t).find("`" + p.name + "`") != std::string::npos, p.name.c_str());
    }
    QCOMPARE(nlohmann::json::parse(registry_json(registry)).size(), registry.types().size());
  }
};

TL_TEST_CASE(ReferenceTest)

}  // namespace tl::reference_test

#include "reference.moc"
