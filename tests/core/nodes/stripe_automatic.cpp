// Rings in the automatic pipeline: named and removed where there are some, not a word and not a bit where there are
// none.
#include <ATen/ATen.h>

#include "core/node/registry.h"
#include "core/run/executor.h"
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
