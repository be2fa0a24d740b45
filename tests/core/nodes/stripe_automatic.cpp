// Rings in the automatic pipeline: named and removed where there are some, not a word and not a bit where there are
// none.
#include <ATen/ATen.h>

#include <map>

#include "core/base/angle_order.h"
#include "core/node/registry.h"
#include "core/run/executor.h"
#include "tests/support/clean_scans.h"
#include "tests/support/given_scan.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::stripe_automatic_test {

namespace {

Graph chain(double stripes, const std::string& phantom) {
  Graph g;
  g.nodes["scan"] = {"input.simulate_scan",
                     1,
                     {{"views", int64_t{160}},
                      {"rows", int64_t{6}},
                      {"cols", int64_t{200}},
                      {"phantom", phantom},
                      {"stripes", Number{stripes, Unit::none}},
                      {"photons", Number{2e4, Unit::none}},
                      {"flats", int64_t{20}},
                      {"seed", int64_t{3}}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["rings"] = {"correct.stripe_automatic", 1, {}};
  g.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "rings", "projections"}};
  return g;
}

// What the node says.
class Messages final : public EventSink {
 public:
  void message(LogLevel, std::string_view node, std::string_view text) override {
    if (node == "rings") all.emplace_back(text);
  }
  std::vector<std::string> all;
};

struct Passed {
  std::vector<std::string> messages;
  at::Tensor before, after;
};

Passed pass(const Graph& g) {
  Messages messages;
  RunOptions options;
  options.memory = int64_t{1} << 30;
  options.events = &messages;
  Executor e(Registry::all(), options);
  Passed p;
  p.before = std::get<Projections>(e.pull(g, "flat", "projections").or_throw()).data.clone();
  p.after = std::get<Projections>(e.pull(g, "rings", "projections").or_throw()).data.clone();
  p.messages = messages.all;
  return p;
}

// The stripe node with these parameters on a scan.
at::Tensor corrected(const Projections& scan, const std::string& type,
                     const std::map<std::string, ParamValue>& params) {
  test::given_scan = scan;
  Graph g;
  g.nodes["given"] = {"test.given", 1, {}};
  g.nodes["stripes"] = {type, test::registry_with_given().find(type)->version, params};
  g.links = {{"given", "projections", "stripes", "projections"}};
  RunOptions options;
  options.dtype = at::kDouble;
  Executor e(test::registry_with_given(), options);
  return std::get<Projections>(e.pull(g, "stripes", "projections").or_throw()).data.clone();
}

// A node that compares views with each other, one entry per choice of method and columns.
struct Correction {
  std::string type;
  std::map<std::string, ParamValue> params;
};
std::vector<Correction> all_corrections() {
  std::vector<Correction> all;
  for (const NodeType& type : test::registry_with_given().types()) {
    if (type.id.rfind("correct.stripe", 0) != 0 && type.id != "correct.double_flat") continue;
    std::vector<Correction> own{{type.id, {}}};
    for (const char* name : {"columns", "method"})
      for (const ParamDecl& param : type.params) {
        if (param.name != name) continue;
        std::vector<Correction> more;
        for (const Correction& correction : own)
          for (const auto& choice : param.choices) {
            more.push_back(correction);
            more.back().params[name] = choice.name;
          }
        own = more;
      }
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

double rms(const at::Tensor& x) { return x.square().mean().sqrt().item<double>(); }

}  // namespace

class StripeAutomaticTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void rings_are_named_and_removed() {
    Graph without = chain(0, "ellipses"), with = chain(0.03, "ellipses");
    const Passed clean = pass(without), ringed = pass(with);
    QCOMPARE(ringed.messages.size(), std::size_t{1});
    const std::string& text = ringed.messages[0];
    for (const char* part : {"stripes in ", "of 200 columns", " %", "lowered"})
      QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    // Against the same scan without stripes: the noise is the same but for where the gain is.
    const double before = rms(ringed.before - clean.before), after = rms(ringed.after - clean.before);
    QVERIFY2(after < 0.7 * before, (std::to_string(before) + " " + std::to_string(after)).c_str());
  }
  void clean_scans_pass_without_a_word_data() {
    QTest::addColumn<QString>("phantom");
    for (const char* phantom : {"ellipses", "shepp_logan", "disc", "hollow_box"}) QTest::newRow(phantom) << phantom;
  }
  void clean_scans_pass_without_a_word() {
    QFETCH(QString, phantom);
    const Passed clean = pass(chain(0, phantom.toStdString()));
    QVERIFY2(clean.messages.empty(), clean.messages.empty() ? "" : clean.messages[0].c_str());
    QVERIFY(clean.after.equal(clean.before));
  }
  void views_without_noise_pass_without_a_word() {
    for (const char* phantom : {"ellipses", "shepp_logan", "disc", "hollow_box"}) {
      Graph g = chain(0, phantom);
      g.nodes["scan"].params["noise"] = std::string("none");
      const Passed clean = pass(g);
      QVERIFY2(clean.messages.empty(), clean.messages.empty() ? "" : clean.messages[0].c_str());
      QVERIFY(clean.after.equal(clean.before));
    }
  }
  // Views in another order give the same views in that order: with stripes and noise, for every method.
  void the_order_of_views_does_not_matter() {
    constexpr double rounding = 1e-9;  // of absorption up to 2.5, in float64
    const std::vector<Correction> all = all_corrections();
    QVERIFY2(all.size() >= 1 + 2 + 2 + 12, std::to_string(all.size()).c_str());
    for (const std::string& order : test::view_orders()) {
      if (order != "golden ratio" && order != "interlaced" && order != "shuffled") continue;
      const test::CleanScan scan = test::CleanScans(11).make("ellipses", "photons", order);
      const at::Tensor rows = test::with_equal_stripes(scan.absorption.to(at::kDouble), {50, 71, 120}, 1, 1.15);
      const AngleOrder sorted = angle_order(scan.angles);
      std::vector<double> ascending;
      for (const int64_t view : sorted.views) ascending.push_back(scan.angles[static_cast<std::size_t>(view)]);
      const auto given = [&](const at::Tensor& data, const std::vector<double>& angles) {
        Orbit orbit;
        orbit.angles = angles;
        Projections p;
        p.data = data.contiguous();
        p.kind = PixelKind::absorption;
        p.geometry = ScanGeometry::from_orbit(orbit, {data.size(1), data.size(2), 1, 1}).or_throw();
        return p;
      };
      const at::Tensor places = at::tensor(sorted.views, at::kLong);
      // Methods for dead or wide columns find none here; others of the node do.
      std::map<std::string, bool> finds;
      for (const Correction& correction : all) {
        const at::Tensor recorded = corrected(given(rows, scan.angles), correction.type, correction.params);
        const at::Tensor swept =
            corrected(given(rows.index_select(0, places), ascending), correction.type, correction.params);
        const double apart = test::max_difference(recorded.index_select(0, places), swept);
        QVERIFY2(apart < rounding, (correction.type + ", " + order + ": " + std::to_string(apart)).c_str());
        finds[correction.type] = finds[correction.type] || !recorded.equal(rows);
      }
      for (const auto& [type, some] : finds) QVERIFY2(some, (type + " finds no stripe").c_str());
    }
  }
  void counts_are_refused() {
    Graph g = chain(0, "disc");
    g.nodes.erase("flat");
    g.links = {{"scan", "projections", "rings", "projections"}};
    Executor e(Registry::all(), {});
    const auto refused = e.pull(g, "rings", "projections");
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::invalid);
  }
};

TL_TEST_CASE(StripeAutomaticTest)

}  // namespace tl::stripe_automatic_test

#include "stripe_automatic.moc"
