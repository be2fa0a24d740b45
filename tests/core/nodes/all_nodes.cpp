// What must hold for every node, walked through the registry: declarations complete, ranges exact, files round-trip.
// The made-up nodes of tests/support go through the same walk, so that the walk itself is tested.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "core/graph/graph_json.h"
#include "core/node/reference.h"
#include "core/run/hints/hint.h"
#include "tests/support/sample_nodes.h"
#include "tests/support/test_case.h"

namespace tl::all_nodes_test {

namespace {

struct Nothing {};

// Feeds any input.
NodeType feeder() {
  NodeType type = NodeBuilder<Nothing>::build([](NodeBuilder<Nothing>& n) {
    n.id("test.feeder", 1).title("Feeder").category("Input").summary("Has an output of every type.");
  });
  for (const PortTypeRow& row : port_types()) type.outputs.push_back({std::string(row.name), row.type, "."});
  return type;
}

std::vector<const NodeType*> all_types() {
  static const Registry samples = sample::registry();
  std::vector<const NodeType*> types;
  for (const Registry* r : {&samples, &Registry::all()})
    for (const NodeType& t : r->types()) types.push_back(&t);
  return types;
}

const NodeType& type_named(const QString& id) {
  for (const NodeType* t : all_types())
    if (t->id == id.toStdString()) return *t;
  throw std::logic_error("no such row");
}

// Valid values other than the default, if there are any.
ParamValue other_value(const ParamDecl& d) {
  std::vector<ParamValue> candidates;
  switch (d.kind) {
    case ParamKind::flag: candidates = {true, false}; break;
    case ParamKind::integer:
      for (const double v : {1.0, 2.0, d.low.value_or(3), d.high.value_or(5)})
        candidates.emplace_back(static_cast<int64_t>(v));
      break;
    case ParamKind::number:
      for (const double v : {0.3, 1.7, d.low.value_or(3), d.high.value_or(5)})
        candidates.emplace_back(Number{v, d.unit});
      break;
    case ParamKind::numbers:
      for (const double v : {0.3, 1.7, d.low.value_or(3), d.high.value_or(5)})
        candidates.emplace_back(NumberList{{v, v}, d.unit});
      break;
    case ParamKind::choice:
      for (const Choice& c : d.choices) candidates.emplace_back(c.name);
      break;
    case ParamKind::text: candidates = {std::string("some text")}; break;
    case ParamKind::path: candidates = {std::string("folder/file.h5")}; break;
    case ParamKind::array: candidates = {NumberArray::make({1, 2}, {0.25F, -1.5F}, d.unit).or_throw()}; break;
  }
  for (const ParamValue& v : candidates)
    if (!(v == d.initial) && d.validate(v).ok()) return v;
  return d.initial;
}

bool matches(const std::string& text, const char* pattern) { return std::regex_match(text, std::regex(pattern)); }

}  // namespace

class AllNodesTest : public QObject {
  Q_OBJECT

  static void rows() {
    QTest::addColumn<QString>("id");
    for (const NodeType* t : all_types()) QTest::newRow(t->id.c_str()) << QString::fromStdString(t->id);
  }

 private Q_SLOTS:
  // Every node file is in the registry: none is forgotten in the list, none is dropped by the linker.
  void every_node_file_is_registered() {
    std::size_t files = 0;
    QDirIterator all(QStringLiteral(TL_SOURCE_DIR "/core/nodes"), {QStringLiteral("*.cpp")}, QDir::Files,
                     QDirIterator::Subdirectories);
    while (all.hasNext()) {
      QFile file(all.next());
      QVERIFY(file.open(QIODevice::ReadOnly));
      if (file.readAll().contains("\nTL_NODE(")) ++files;
    }
    QCOMPARE(Registry::all().types().size(), files);
  }
  // recon.fbp is core/nodes/recon/fbp.cpp.
  void the_path_of_a_node_is_its_id() {
    for (const NodeType& t : Registry::all().types()) {
      const QString path = QString::fromStdString(t.id).replace('.', '/');
      QVERIFY2(QFile::exists(QStringLiteral(TL_SOURCE_DIR "/core/nodes/") + path + ".cpp"), t.id.c_str());
    }
  }
  void ids_are_unique() {
    std::set<std::string> ids;
    for (const NodeType* t : all_types()) QVERIFY2(ids.insert(t->id).second, t->id.c_str());
  }

  void declarations_are_complete_data() { rows(); }
  void declarations_are_complete() {
    QFETCH(QString, id);
    const NodeType& t = type_named(id);
    QVERIFY2(matches(t.id, "[a-z0-9_]+(\\.[a-z0-9_]+)+"), t.id.c_str());
    QVERIFY(t.version >= 1);
    QVERIFY(!t.title.empty());
    QVERIFY2(!t.summary.empty() && t.summary.back() == '.', "a summary is a sentence");
    const auto& known = node_categories();
    QVERIFY2(std::find(known.begin(), known.end(), t.category) != known.end(), t.category.c_str());
    QVERIFY(t.make_params);
    QVERIFY2(t.differentiable != !t.why_not_differentiable.empty(), "either differentiable or a reason why not");
    for (const char* cited : {"recon.", "phase.", "axis."})
      if (t.id.rfind(cited, 0) == 0) QVERIFY2(!t.citations.empty(), "a method needs its citation");
    std::set<std::string> inputs, outputs;
    for (const PortDecl& p : t.inputs) {
      QVERIFY2(matches(p.name, "[a-z][a-z0-9_]*") && inputs.insert(p.name).second, p.name.c_str());
      QVERIFY2(!p.help.empty(), p.name.c_str());
    }
    for (const PortDecl& p : t.outputs) {
      QVERIFY2(matches(p.name, "[a-z][a-z0-9_]*") && outputs.insert(p.name).second, p.name.c_str());
      QVERIFY2(!p.help.empty(), p.name.c_str());
    }
    QVERIFY(!t.inputs.empty() || !t.outputs.empty());
    for (const ParamDecl& d : t.params)  // a link to "node.name" must be one or the other
      QVERIFY2(inputs.insert(d.name).second, (d.name + " is declared twice").c_str());
  }

  void parameters_are_complete_data() { rows(); }
  void parameters_are_complete() {
    QFETCH(QString, id);
    const NodeType& t = type_named(id);
    for (const ParamDecl& d : t.params) {
      const char* name = d.name.c_str();
      QVERIFY2(matches(d.name, "[a-z][a-z0-9_]*"), name);
      QVERIFY2(!d.title.empty() && !d.help.empty() && d.assign && d.read, name);
      QVERIFY2(d.validate(d.initial).ok(), name);
      QVERIFY2((d.kind == ParamKind::choice) == !d.choices.empty(), name);
      QVERIFY2((d.kind == ParamKind::path) == (d.path != PathRole::none), name);
      QVERIFY2(!d.learnable || d.set_tensor, "a learnable parameter is a Learnable in its struct");
      const bool from_auto = d.kind == ParamKind::array && !d.automatic.empty();
      QVERIFY2(t.arrays_of_auto.count(d.name) == (from_auto ? 1u : 0u), "the node says what an array on auto is");
      QVERIFY2(!d.low || !d.high || *d.low < *d.high, name);
      for (const Choice& c : d.choices)
        QVERIFY2(matches(c.name, "[a-z0-9][a-z0-9_]*") && c.name != "auto" && !c.title.empty(), c.name.c_str());
      // "auto" is allowed exactly where the struct can hold it.
      const auto params = t.make_params();
      if (!d.automatic.empty()) {
        d.assign(params.get(), ParamValue{});
        QVERIFY2(std::holds_alternative<std::monostate>(d.read(params.get())), name);
      } else {
        QVERIFY2(!std::holds_alternative<std::monostate>(d.initial), name);
      }
    }
  }

  void range_ends_are_accepted_and_no_more_data() { rows(); }
  void range_ends_are_accepted_and_no_more() {
    QFETCH(QString, id);
    for (const ParamDecl& d : type_named(id).params) {
      const auto valid = [&d](double v) {
        if (d.kind == ParamKind::integer) return d.validate(static_cast<int64_t>(v)).ok();
        if (d.kind == ParamKind::array)
          return d.validate(NumberArray::filled({2}, static_cast<float>(v), d.unit).or_throw()).ok();
        if (d.kind == ParamKind::numbers) return d.validate(NumberList{{v}, d.unit}).ok();
        return d.validate(Number{v, d.unit}).ok();
      };
      // One step: an integer, or 1e-9 of the end, well beyond the rounding of a unit conversion.
      const auto step = [&d](double end) {
        return d.kind == ParamKind::integer ? 1 : std::max(1e-9, 1e-9 * std::abs(end));
      };
      if (d.low) QVERIFY2(valid(*d.low) && !valid(*d.low - step(*d.low)), d.name.c_str());
      if (d.high) QVERIFY2(valid(*d.high) && !valid(*d.high + step(*d.high)), d.name.c_str());
    }
  }

  void values_round_trip_as_text_and_through_the_struct_data() { rows(); }
  void values_round_trip_as_text_and_through_the_struct() {
    QFETCH(QString, id);
    const NodeType& t = type_named(id);
    for (const ParamDecl& d : t.params)
      for (const ParamValue& value : {d.initial, other_value(d)}) {
        const auto read = parse_value(d, to_text(value));
        // The text of an array names it by its digest: its numbers stand in the pipeline alone.
        if (std::holds_alternative<NumberArray>(value)) {
          QVERIFY2(!read.ok(), d.name.c_str());
        } else {
          QVERIFY2(read.ok() && read.value() == value, (d.name + " = " + to_text(value)).c_str());
        }
        const auto params = t.make_params();
        d.assign(params.get(), to_stored(value));
        const ParamValue back = in_unit(d.read(params.get()), d.unit);
        const auto* number = std::get_if<Number>(&value);
        // Conversion to the stored unit and back costs a few units in the last place.
        if (number != nullptr && std::holds_alternative<Number>(back))
          QVERIFY2(std::abs(std::get<Number>(back).value - number->value) <= 1e-14 * std::abs(number->value),
                   d.name.c_str());
        else if (const auto* list = std::get_if<NumberList>(&value))
          QVERIFY2(std::get<NumberList>(back).values.size() == list->values.size(), d.name.c_str());
        else
          QVERIFY2(back == value, d.name.c_str());
      }
  }

  void pipelines_round_trip_data() { rows(); }
  void pipelines_round_trip() {
    QFETCH(QString, id);
    const NodeType& t = type_named(id);
    const Registry registry({t, feeder()});
    Graph g;
    g.nodes["feeder"] = {"test.feeder", 1, {}};
    GraphNode& node = g.nodes["node"] = {t.id, t.version, {}};
    for (const ParamDecl& d : t.params) node.params[d.name] = other_value(d);
    for (const PortDecl& p : t.inputs) g.links.push_back({"feeder", std::string(to_string(p.type)), "node", p.name});
    const std::string text = to_json(g);
    const auto read = graph_from_json(text, registry);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
    QVERIFY(read.value() == g);
    QCOMPARE(to_json(read.value()), text);
  }

  void the_reference_tells_all_data() { rows(); }
  void the_reference_tells_all() {
    QFETCH(QString, id);
    const NodeType& t = type_named(id);
    const std::string page = node_markdown(t);
    const auto says = [&page](const std::string& part) {
      QVERIFY2(page.find(part) != std::string::npos, ("the page lacks: " + part).c_str());
    };
    const auto json = nlohmann::json::parse(node_json(t));
    QCOMPARE(json.at("parameters").size(), t.params.size());
    QCOMPARE(json.at("inputs").size(), t.inputs.size());
    QCOMPARE(json.at("outputs").size(), t.outputs.size());
    QCOMPARE(json.at("id").get<std::string>(), t.id);
    for (const std::string& part : {"# " + t.title, "`" + t.id + "`", t.summary, t.why_not_differentiable}) says(part);
    for (const std::string& c : t.citations) says(c);
    for (const ParamDecl& d : t.params) says("| `" + d.name + "` |");
    for (const PortDecl& p : t.inputs) says("| `" + p.name + "` | " + std::string(to_string(p.type)));
    // Every row of a table has the columns of its head: no help text breaks it.
    std::istringstream lines(page);
    std::ptrdiff_t columns = 0;
    for (std::string line; std::getline(lines, line);) {
      std::ptrdiff_t bars = 0;
      for (std::size_t i = 0; i < line.size(); ++i)
        if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) ++bars;
      if (bars > 0 && columns > 0) QCOMPARE(bars, columns);
      columns = bars;
    }
    QVERIFY(registry_markdown(Registry({t})).find(page) != std::string::npos);
  }

  void each_role_has_one_node() {
    for (int i = 1; i <= static_cast<int>(NodeRole::statistics); ++i) {
      const auto& all = Registry::all().types();
      const auto has = [i](const NodeType& t) { return t.role == static_cast<NodeRole>(i); };
      QVERIFY2(std::count_if(all.begin(), all.end(), has) == 1, std::to_string(i).c_str());
      QVERIFY(has(*Registry::all().with_role(static_cast<NodeRole>(i))));
    }
    QVERIFY(!Registry::all().has_role("no.such_node", NodeRole::none));
  }

  void remedies_are_of_problems_that_hints_find() {
    std::set<std::string> problems, recommended;
    for (int i = 0; i <= static_cast<int>(HintKind::zingers); ++i)
      problems.insert(std::string(to_string(static_cast<HintKind>(i))));
    for (const NodeType& t : Registry::all().types())
      for (const Remedy& remedy : t.remedies) {
        QVERIFY2(problems.count(remedy.problem) == 1, t.id.c_str());
        QVERIFY2(remedy.only_with.empty() || t.param(remedy.only_with) != nullptr, t.id.c_str());
        if (!remedy.is_recommended) continue;
        QVERIFY2(recommended.insert(remedy.problem).second, t.id.c_str());
        QVERIFY(Registry::all().recommended_remedy(remedy.problem) == t.id);
      }
    QVERIFY((recommended ==
             std::set<std::string>{"angular_range", "axis", "rings", "saturation", "truncation", "zingers"}));
  }
};

TL_TEST_CASE(AllNodesTest)

}  // namespace tl::all_nodes_test

#include "all_nodes.moc"
