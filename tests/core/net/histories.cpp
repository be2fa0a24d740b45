// Histories of networks: they come back from files, stay within their bounds and name no folders.
#include <cmath>
#include <limits>

#include "core/io/model/safetensors.h"
#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"
#include "core/net/network_json.h"
#include "core/net/prune/prune.h"
#include "tests/support/test_case.h"

namespace tl::histories_test {

using namespace net;

namespace {

HistoryEntry training() {
  return {"training",
          "0.1.0",
          {{"seed", "18446744073709551615"}, {"optimiser", "adam"}},
          {{"epochs", 30}, {"validation loss", 0.1}, {"macro F1", std::numeric_limits<double>::quiet_NaN()}},
          {{"bone", 1.0 / 3}, {"marrow \"spongy\"", std::numeric_limits<double>::quiet_NaN()}},
          {"a.tif (training)"},
          {"a.tif (validation)", "b.tif"}};
}

Network with_history(History history) {
  Network network = make_network("msd", {"depth=4"}).or_throw();
  randomise(network, 1).or_throw();
  network.history = std::move(history);
  return network;
}

Network through_a_file(const Network& network) {
  return network_of(io::model_from_safetensors(io::to_safetensors(model_of(network)), "f").or_throw(), "f").or_throw();
}

}  // namespace

class Histories : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void they_come_back_from_files() {
    const Network network = with_history({training(), {"pruning", "", {}, {}, {}, {}, {}}});
    const Network again = through_a_file(network);
    QCOMPARE(to_json_text(again), to_json_text(network));
    QCOMPARE(again.history.size(), std::size_t{2});
    const HistoryEntry& e = again.history.front();
    QCOMPARE(e.settings, training().settings);
    QCOMPARE(e.f1.front().second, 1.0 / 3);
    QVERIFY(std::isnan(e.f1.back().second) && std::isnan(e.results.at("macro F1")));
    QCOMPARE(e.validation_data, training().validation_data);
    // Files without one are what they were before there were histories.
    const Network without = with_history({});
    QVERIFY(to_json_text(without).find("history") == std::string::npos);
    QVERIFY(through_a_file(without).history.empty());
  }

  void pruning_adds_an_entry() {
    PruneOptions options;
    options.keep = 0.5;
    options.steps = 2;
    options.program = "0.1.0";
    const Network first = with_history({training()});
    const Network pruned = prune(first, options).or_throw().network;
    QCOMPARE(pruned.history.size(), std::size_t{2});
    QCOMPARE(to_json_text(History{pruned.history.front()}), to_json_text(first.history));
    const HistoryEntry& e = pruned.history.back();
    QCOMPARE(e.kind, std::string("pruning"));
    QCOMPARE(e.settings.at("method"), std::string("lean"));
    QCOMPARE(e.results.at("share asked for"), 0.5);
    QVERIFY(e.results.at("filters kept") < e.results.at("filters"));
    // Of the trainings in between, the last one.
    int calls = 0;
    options.fine_tune = [&](Network& n, const FilterMasks&) -> Result<void> {
      HistoryEntry between = training();
      between.results["epochs"] = ++calls;
      add_to(n.history, between);
      return ok();
    };
    const History both = prune(first, options).or_throw().network.history;
    QCOMPARE(both.size(), std::size_t{3});
    QCOMPARE(both[1].settings.at("trained in between"), std::string("yes"));
    QCOMPARE(both[2].results.at("epochs"), 2.0);
  }

  void they_are_bounded() {
    HistoryEntry large = training();
    for (int i = 0; i < 1000; ++i) {
      const std::string name = std::to_string(i) + std::string(300, 'x');
      large.settings[name] = name;
      large.results[name] = i;
      large.f1.emplace_back(name, 0.5);
      large.training_data.push_back(name);
    }
    large.program = std::string(longest_history_text - 1, 'a') + "\xc3\xa4";  // a character across the end
    History history;
    for (std::size_t i = 0; i < max_entries + 3; ++i) {
      HistoryEntry e = large;
      e.kind = std::to_string(i);
      add_to(history, e);
    }
    QCOMPARE(history.size(), max_entries);
    QCOMPARE(history.front().kind, std::string("3"));
    QCOMPARE(history.front().program.size(), longest_history_text - 1);
    QCOMPARE(to_json_text(history_from_json(to_json_text(history), "f").or_throw()), to_json_text(history));
  }

  void names_lose_their_folders() {
    for (const auto& [name, short_name] :
         {std::pair("/data/scans/bone.tif (training)", "bone.tif (training)"), std::pair("bone.tif", "bone.tif"),
          std::pair("../a/pipeline.json: labels/1", "pipeline.json: labels/1"), std::pair("/data/slices/", "slices"),
          std::pair("/data/a.h5:/entry/data", "a.h5:/entry/data"), std::pair("", "")})
      QCOMPARE(without_folders(name), std::string(short_name));
  }

  void damaged_ones_are_refused_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("words");
    const auto entry = [](const char* fields) { return QString("[{\"kind\":\"training\"%1}]").arg(fields); };
    QTest::newRow("no list") << "{}"
                             << "not a list";
    QTest::newRow("no object") << "[1]"
                               << "no kind";
    QTest::newRow("no kind") << "[{}]"
                             << "no kind";
    QTest::newRow("a number as text") << entry(",\"results\":{\"epochs\":\"3\"}") << "not a number";
    QTest::newRow("a number too large") << entry(",\"results\":{\"epochs\":1e999}") << "not a list";
    QTest::newRow("f1") << entry(",\"f1\":[[\"bone\"]]") << "class and number";
    QTest::newRow("a list of settings") << entry(",\"settings\":[\"a\"]") << "another type";
    QTest::newRow("data") << entry(",\"training_data\":[3]") << "not a string";
    QTest::newRow("long text") << entry(",\"program\":\"%1\"").arg(QString(300, 'x')) << "too long";
    QTest::newRow("many names") << entry(",\"training_data\":[%1\"\"]").arg(QString("\"\",").repeated(100))
                                << "more than";
    QTest::newRow("many entries") << "[" + QString("{\"kind\":\"a\"},").repeated(100) + "{\"kind\":\"a\"}]"
                                  << "more than";
    QTest::newRow("deep") << QString(1000, '[') << "not a list";
  }
  void damaged_ones_are_refused() {
    QFETCH(QString, json);
    QFETCH(QString, words);
    const auto read = history_from_json(json.toStdString(), "f.safetensors");
    QVERIFY(!read.ok());
    QVERIFY2(read.error().what.find(words.toStdString()) != std::string::npos, read.error().message().c_str());
    QVERIFY(read.error().where == "f.safetensors" && !read.error().hint.empty());
  }

  // A newer version may know more.
  void other_fields_are_ignored() {
    const History read = history_from_json(R"([{"kind":"training","more":[1,{"a":2}]}])", "f").or_throw();
    QCOMPARE(read.front().kind, std::string("training"));
  }
};

TL_TEST_CASE(Histories)

}  // namespace tl::histories_test

#include "histories.moc"
