// Reports: every parameter and reference of a pipeline is in them, whatever texts files hold stays text, drawings are
// valid XML, and a run's report shows its result.
#include "core/history/report/report.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <set>

#include "core/base/printable.h"
#include "core/graph/graph_json.h"
#include "core/history/recorder.h"
#include "core/history/report/bibtex.h"
#include "core/history/report/drawing.h"
#include "core/history/report/entry_report.h"
#include "core/history/report/plots.h"
#include "core/run/automatic/batch.h"
#include "tests/support/test_case.h"

namespace tl::history {
namespace report_test {

namespace {

constexpr const char* hostile = "</title><script>alert(1)</script>\"' onload=x <svg> & \x1b[2J";
const std::string no_utf8 = std::string(hostile) + "\xff";

// One node of every type, without links.
Graph every_node() {
  Graph graph;
  graph.title = hostile;
  for (const NodeType& type : Registry::all().types())
    graph.nodes[graph.free_id(type.id)] = {type.id, type.version, {}};
  return graph;
}

Entry entry_with(const Graph& graph) {
  Entry entry = entry_of(Kind::run, graph, Registry::all());
  entry.state = State::done;
  entry.begun = 1.7e9;
  entry.seconds = 12;
  entry.version = "0.9.0";
  entry.device = no_utf8;
  entry.inputs = {{std::string("/data/") + no_utf8 + "/scan.h5", no_utf8, 10}};
  return entry;
}

QString page_of(const Report& report) { return QString::fromStdString(report_html(report)); }
QString escaped(const std::string& text) { return QString::fromStdString(html_escaped(text)); }

// What a reader of XML says against each drawing; "" if nothing. Scripts and links out of the page are said, too.
QString faults_of_drawings(const QString& page) {
  static const QRegularExpression drawing(QStringLiteral("<svg .*?</svg>"),
                                          QRegularExpression::DotMatchesEverythingOption);
  int count = 0;
  for (auto found = drawing.globalMatch(page); found.hasNext(); ++count) {
    QXmlStreamReader xml(found.next().captured());
    while (!xml.atEnd()) {
      xml.readNext();
      if (xml.isStartElement() && xml.name() == QStringLiteral("script")) return QStringLiteral("a script");
      for (const QXmlStreamAttribute& a : xml.attributes())
        if (a.name().startsWith(QStringLiteral("on"))) return QStringLiteral("an event handler");
    }
    if (xml.hasError()) return xml.errorString();
  }
  return count > 0 ? QString() : QStringLiteral("no drawing");
}

}  // namespace

class ReportTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void every_parameter_and_reference_is_there() {
    const Graph graph = every_node();
    const Report report = report_of(entry_with(graph), Registry::all(), SliceBefore::leave_out);
    const QString page = page_of(report);
    QCOMPARE(report.nodes.size(), graph.nodes.size());
    for (const ReportNode& node : report.nodes) {
      const NodeType& type = *Registry::all().find(graph.nodes.at(node.id).type);
      QCOMPARE(node.parameters.size(), type.params.size());
      for (std::size_t i = 0; i < type.params.size(); ++i) {
        QCOMPARE(node.parameters[i].name, type.params[i].title);
        QCOMPARE(node.parameters[i].value, to_text(type.params[i].initial));
        QVERIFY2(page.contains(escaped(node.parameters[i].value)), type.params[i].name.c_str());
      }
      for (const std::string& all : type.citations)
        for (const QString& one : QString::fromStdString(all).split(QStringLiteral("; "))) {
          const Citation citation = parse_citation(one.toStdString());
          for (const std::string& part : {citation.title, citation.rest, citation.year})
            QVERIFY2(report.bibtex.find(part) != std::string::npos, part.c_str());
        }
    }
    QCOMPARE(faults_of_drawings(page), QString());
  }

  // A reference has authors, a year, and no word of it is lost.
  void references_are_understood() {
    for (const NodeType& type : Registry::all().types())
      for (const std::string& all : type.citations)
        for (const QString& one : QString::fromStdString(all).split(QStringLiteral("; "))) {
          const Citation c = parse_citation(one.toStdString());
          QVERIFY2(!c.authors.empty() && !c.rest.empty() && c.year.size() == 4, qPrintable(one));
          std::string together;
          for (const std::string& author : c.authors) together += author + ", ";
          if (!c.title.empty()) together += c.title + ", ";
          QCOMPARE(QString::fromStdString(together + c.rest), one);
        }
    const Citation kak = parse_citation(
        "A. C. Kak, M. Slaney, Principles of Computerized Tomographic Imaging, IEEE Press 1988, chapter 3");
    QCOMPARE(kak.authors, (std::vector<std::string>{"A. C. Kak", "M. Slaney"}));
    QCOMPARE(kak.title, std::string("Principles of Computerized Tomographic Imaging"));
    QCOMPARE(kak.rest, std::string("IEEE Press 1988, chapter 3"));
    QCOMPARE(kak.year, std::string("1988"));
    QCOMPARE(parse_citation("Vo, Drakopoulos, Atwood, Reinhard, Optics Express 22 (2014) 19078").authors.size(), 4U);
    QCOMPARE(parse_citation("T. Pock, A. Chambolle, Preconditioning, ICCV (2011) 1762").year, std::string("2011"));
    QCOMPARE(parse_citation("Nobody").rest, std::string("Nobody"));
  }

  void keys_of_references_differ() {
    const std::string all = bibtex_of(every_node(), Registry::all());
    static const QRegularExpression entry(QStringLiteral("@misc\\{([^,]*),"));
    std::set<QString> keys;
    int count = 0;
    for (auto found = entry.globalMatch(QString::fromStdString(all)); found.hasNext(); ++count)
      keys.insert(found.next().captured(1));
    QVERIFY(count > 20);
    QCOMPARE(static_cast<int>(keys.size()), count);
    QCOMPARE(std::count(all.begin(), all.end(), '{'), std::count(all.begin(), all.end(), '}'));
    Graph bypassed = every_node();
    for (auto& [id, node] : bypassed.nodes) node.use = NodeUse::bypassed;
    QCOMPARE(bibtex_of(bypassed, Registry::all()), std::string());
  }

  void hostile_names_stay_text() {
    Graph graph = every_node();
    for (auto& [id, node] : graph.nodes)
      for (const ParamDecl& decl : Registry::all().find(node.type)->params)
        if (std::holds_alternative<std::string>(decl.initial) && decl.choices.empty()) node.params[decl.name] = hostile;
    graph.ui = "{\"nodes\": {\"fbp\": {\"title\": \"<script>alert(2)</script> \\\" x\"}}}";
    Entry entry = entry_with(graph);
    entry.error = hostile;
    entry.values = {{"fbp", no_utf8, no_utf8, no_utf8, 0.1, no_utf8}};
    Report report = report_of(entry, Registry::all(), SliceBefore::leave_out);
    report.plots.push_back({hostile, line_plot_svg({hostile, hostile, {0, 1}, {0, 1}})});
    report.plots.push_back({hostile, bars_svg({{hostile, hostile, 1}}, hostile)});
    report.images.push_back({hostile, "not a PNG"});
    report.messages.emplace_back(hostile);
    const QString page = page_of(report);
    QVERIFY(!page.contains(QStringLiteral("<script"), Qt::CaseInsensitive));
    QVERIFY(!page.contains(QLatin1Char('\x1b')));
    QVERIFY(page.contains(QStringLiteral("&lt;script&gt;alert(1)")));
    QVERIFY(page.contains(QStringLiteral("&lt;script&gt;alert(2)")));
    QCOMPARE(faults_of_drawings(page), QString());
  }

  // Layouts, records and graphs are untrusted: a report is made of whatever can be read.
  void what_is_damaged_is_left_out_data() {
    QTest::addColumn<QString>("record");
    for (const char* record :
         {"", "[]", "{\"pipeline\": 3}", "{\"run\": {\"nodes\": 5, \"versions\": [], \"device\": null}}",
          "{\"run\": {\"nodes\": {\"fbp\": 1}}, \"learning\": {\"history\": [1, {\"loss\": \"x\"}]}}"})
      QTest::newRow(record) << QString(record);
  }
  void what_is_damaged_is_left_out() {
    QFETCH(QString, record);
    Entry entry = entry_with(every_node());
    entry.record = record.toStdString();
    entry.values = {{"fbp", "cutoff", "0.8", "Nyquist", {}, ""}};
    const Report report = report_of(entry, Registry::all(), SliceBefore::compute);
    QVERIFY(report.pipeline.empty() && report.bibtex.empty());
    QVERIFY(page_of(report).contains(QStringLiteral("0.8 Nyquist")));
  }
  void layouts_are_limited() {
    Graph graph = every_node();
    for (const char* ui :
         {"[1]", "{\"nodes\": 7, \"frames\": 8}", "{\"nodes\": {\"fbp\": {\"x\": 1e300, \"y\": \"a\"}}}",
          "{\"frames\": [1, {\"x\": 1}, {\"x\": 0, \"y\": 0, \"width\": -5, \"height\": 1}]}"}) {
      graph.ui = ui;
      const QString svg = QString::fromStdString(pipeline_svg(drawing_of(graph, Registry::all())));
      QCOMPARE(faults_of_drawings(svg), QString());
    }
    Graph unknown;
    unknown.nodes["x"] = {"no.such_node", 1, {}};
    unknown.links.push_back({"x", "a", "x", "b"});
    QCOMPARE(faults_of_drawings(QString::fromStdString(pipeline_svg(drawing_of(unknown, Registry::all())))), QString());
    QVERIFY(pipeline_svg({}).empty());
  }

  // A scan is simulated, reconstructed and saved: the report has its slice, the slice before, times and files.
  void a_run_has_slices_times_and_files() {
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    Graph graph;
    graph.title = "Disc";
    graph.nodes["simulate"] = {
        "input.simulate_scan", 1, {{"views", int64_t{60}}, {"rows", int64_t{4}}, {"cols", int64_t{48}}}};
    graph.nodes["flat"] = {"correct.flat_field", 1, {}};
    graph.nodes["fbp"] = {"recon.fbp", 1, {}};
    graph.nodes["save"] = {"output.save_volume", 1, {{"file", std::string("disc.tif")}}};
    graph.links = {{"simulate", "projections", "flat", "projections"},
                   {"flat", "projections", "fbp", "projections"},
                   {"fbp", "volume", "save", "volume"}};
    RunOptions options;
    options.output_dir = root;
    Executor executor(Registry::all(), options);
    const RunReport run = run_batch(executor, graph, Registry::all()).or_throw();
    const Recorder recorder(Store(root / "history.sqlite"), "test", Registry::all(), [](const Error&) {});
    Entry entry = entry_of(Kind::run, graph, Registry::all());
    recorder.begin(entry);
    recorder.end(entry, {run.files, 3, {}});
    const Entry kept = recorder.store().get(entry.id).value();
    const Report report = report_of(kept, Registry::all(), SliceBefore::compute);
    QVERIFY2(report.messages.empty(), report.messages.empty() ? "" : report.messages.front().c_str());
    QCOMPARE(report.images.size(), 2U);
    for (const ReportImage& image : report.images) QVERIFY(image.png.starts_with("\x89PNG"));
    QVERIFY(report.images[0].caption.starts_with("Before") && report.images[1].caption.starts_with("After"));
    QCOMPARE(report.plots.size(), 2U);  // values, times
    const QString page = page_of(report);
    for (const char* word : {"disc.tif", "took", "Wrote", "torch", "Kak", "Filtered", "Versions"})
      QVERIFY2(page.contains(QLatin1String(word), Qt::CaseInsensitive), word);
    QCOMPARE(faults_of_drawings(page), QString());
    const std::filesystem::path file = root / "report.html";
    const io::OutputRules rules = io::no_inputs(io::Overwrite::refuse);
    QVERIFY(write_report(report, file, rules).ok());
    QVERIFY(!write_report(report, file, rules).ok());  // it exists
    QVERIFY(!write_report(report, root / "report.tif", rules).ok());
    QCOMPARE(std::filesystem::file_size(file), report_html(report).size());
  }

  void plots_need_numbers() {
    const double none = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(line_plot_svg({"x", "y", {1}, {2}}).empty());
    QVERIFY(line_plot_svg({"x", "y", {1, 2}, {none, none}}).empty());
    QVERIFY(!line_plot_svg({"x", "y", {1, 2, 3}, {5, none, 5}}).empty());
    QVERIFY(histogram_svg({1, 2, {NAN, NAN}}, "").empty());
    QVERIFY(!histogram_svg({1, 2, {1, 1}}, "1/mm").empty());
    QVERIFY(bars_svg({}, "").empty());
    QVERIFY(png_of({}).empty());
    QVERIFY(!png_of({1, 2, {NAN, INFINITY}}).empty());
  }
};

TL_TEST_CASE(ReportTest)

}  // namespace report_test
}  // namespace tl::history

#include "report.moc"
