// Verification report: writes the table of checks as JSON, Markdown or HTML.
#include "app/cli/common/verify_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/run/record/provenance.h"
#include "gpu/device/device.h"

namespace tl::cli {
namespace {

// Title and explanation of a kind of check, found by the first word of its id.
struct Meaning {
  const char *id, *title, *text;
};
constexpr Meaning meanings[] = {
    {"A1", "Axis by gradient", "The rotation axis of simulated scans, learned from 0 without a step set by hand."},
    {"A3", "Phase contrast by gradients",
     "Delta and beta of a simulated box, learned together from its views at a distance, from water on. The pattern "
     "alone determines their ratio only."},
    {"A4", "Attenuation", "Coefficients from the compiled tables against published values."},
    {"B", "Reconstruction compared with RTK", "Error of standard Shepp-Logan cases, bounded by the error of itk-rtk."},
    {"C1", "Disc, worst pixel", "A disc whose projections are known in closed form, reconstructed."},
    {"C2", "Disc, mean", "Bias and mean error of a small disc."},
    {"C5", "Rotation axis of a block", "Every axis finder finds the known axis."},
    {"C6", "Paganin filter", "The filter on plane waves, where its effect is one number."},
    {"C7", "Conventions of phase retrieval",
     "The same phase retrieval with the parameters of other programs gives the same image."},
    {"C9", "Transposes", "Operator and adjoint agree: by dot products of random vectors and by single matrix entries."},
    {"C10", "Gradients", "Derivatives against central differences."},
    {"C11", "First moment", "The centre of mass of parallel views is a sinusoid around the axis."},
    {"axis", "Known rotation axes", "Every finder, with and without noise."},
    {"C14", "Refusals", "Axis finders report flat, railed or ambiguous if the data do not determine an axis."},
    {"coverage", "Uncertainties",
     "True values within one reported sigma, over noisy phantoms; 60 to 76 % are promised."},
    {"invariance", "Invariance", "Moving, rotating or scaling scan and volume together changes nothing."},
    {"gridrec", "Gridrec", "Root mean square difference from filtered back-projection, over the range of the values."},
    {"network", "Networks",
     "Gradients against central differences, images in tiles against whole images, fully convolutional networks "
     "against their sliding-window forms, known norms and parameter counts."},
    {"solver", "Iterative solvers",
     "Answers by hand, resuming, objectives that never grow, total variation, independence of sizes."},
    {"segmentation", "Segmentation",
     "Thresholds, watersheds and random walks with known results, and phantoms with known sizes. Against "
     "scikit-image on random volumes (masks, walks, contours, components, tables of regions): `ctest -R "
     "gpu/segmentation`; larger than memory: `ctest -R core/nodes/segment`; on oblique planes: `ctest -R "
     "core/nodes/labels`; a measured tooth: the guide."},
    {"stripes", "Stripe removal", "Every kind of stripe falls five times, other columns move by 0.5 % at most."},
    {"trained", "Trained networks",
     "Generated volumes and images at their quick size (`tomoloom train`, `tomoloom prune`): differences of scores on "
     "test items; the second score must be higher by at least the bound. The scores, and more seeds: the guide."},
    {"variants", "Variants for other processors",
     "Plain and AVX2 loops compared with the fastest ones, as a share of the range."},
};

Meaning check_meaning(const std::string& id) {
  const std::string word = id.substr(0, id.find(' '));
  for (const Meaning& m : meanings)
    if (word == m.id) return m;
  for (const Meaning& m : meanings)
    if (std::string(m.id).size() == 1 && word.starts_with(m.id)) return m;
  return {"", "Other checks", ""};
}

// One table per kind, in the order in which the kinds first appear.
std::vector<std::pair<Meaning, CheckTable>> grouped(const CheckTable& table) {
  std::vector<std::pair<Meaning, CheckTable>> groups;
  for (const CheckRow& row : table) {
    const Meaning m = check_meaning(row.id);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& g) { return std::string(g.first.title) == m.title; });
    if (group == groups.end()) group = groups.insert(groups.end(), {m, {}});
    group->second.push_back(row);
  }
  return groups;
}

// The reasons that rows give for their bounds, each with the ids of these rows.
std::vector<std::pair<std::string, std::string>> reasons(const CheckTable& rows) {
  std::vector<std::pair<std::string, std::string>> said;
  for (const CheckRow& r : rows) {
    if (r.reason.empty()) continue;
    auto same = std::find_if(said.begin(), said.end(), [&](const auto& s) { return s.first == r.reason; });
    if (same == said.end())
      said.emplace_back(r.reason, r.id);
    else if ((", " + same->second + ",").find(", " + r.id + ",") == std::string::npos)
      same->second += ", " + r.id;
  }
  return said;
}

// How much of its bound a row uses, on a logarithmic scale of six decades: 0 = 1e-6 or less, 100 = all or more.
int used_percent(const CheckRow& row) {
  if (row.value <= 0) return 0;
  if (row.bound <= 0 || !std::isfinite(row.value)) return 100;
  return static_cast<int>(100 * std::clamp(1 + std::log10(row.value / row.bound) / 6, 0.0, 1.0));
}

constexpr const char* style = R"(<style>
:root{color-scheme:light dark;--ink:#1d2430;--quiet:#667085;--line:#d7dce3;--paper:#fff;--good:#2f855a;--bad:#c53030}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ee;--quiet:#98a2b3;--line:#38414e;--paper:#181c22;--good:#68d391;--bad:#fc8181}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{margin-bottom:0}h2{margin:2rem 0 .2rem;font-size:1.15rem}p{color:var(--quiet);margin:.2rem 0 .8rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.25rem .7rem;border-bottom:1px solid var(--line)}th{color:var(--quiet);font-weight:500}
td.n{text-align:right}.good{color:var(--good)}.bad{color:var(--bad);font-weight:600}
meter{width:7rem}summary{cursor:pointer;color:var(--quiet)}
</style>)";

std::string html_table(const CheckTable& table) {
  std::string text =
      "<table><tr><th>check</th><th>what</th><th>scan or data</th><th>type</th><th>found</th><th>bound</th>"
      "<th>used, six decades</th><th></th></tr>\n";
  for (const CheckRow& r : table) {
    const std::string used = std::to_string(used_percent(r));
    text += "<tr><td>" + html_escaped(r.id) + "</td><td>" + html_escaped(r.op) + "</td><td>" +
            html_escaped(r.geometry) + "</td><td>" + html_escaped(r.dtype) + "</td><td class=n>" +
            formatted("%.4g", r.value) + "</td><td class=n>" + formatted("%.4g", r.bound) +
            "</td><td><meter min=0 max=100 high=95 value=" + used + ">" + used +
            " %</meter></td><td class=" + (r.passed ? "good>holds" : "bad>FAILS") + "</td></tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace

std::string verify_json(const CheckTable& table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const CheckRow& r : table)
    rows.push_back({{"id", r.id},
                    {"operator", r.op},
                    {"geometry", r.geometry},
                    {"dtype", r.dtype},
                    {"value", r.value},
                    {"bound", r.bound},
                    {"passed", r.passed},
                    {"reason", r.reason}});
  return nlohmann::ordered_json{{"passed", all_passed(table)},
                                {"version", version()},
                                {"device", devices().front().name},
                                {"checks", rows}}
             .dump(2) +
         "\n";
}

std::string verify_markdown(const CheckTable& table, VerifySize size) {
  const std::string command =
      size == VerifySize::full ? "tomoloom verify --full --markdown" : "tomoloom verify --markdown";
  const auto failed = std::count_if(table.begin(), table.end(), [](const CheckRow& r) { return !r.passed; });
  std::string text =
      "# Verification\n\nMade by `" + command + " > resources/docs/verification.md` (version " + version() + ") on " +
      devices().front().name + ".\nA check holds if the found value does not exceed its bound. " +
      std::to_string(table.size() - static_cast<std::size_t>(failed)) + " of " + std::to_string(table.size()) +
      " hold.\nHow honest uncertainties are over many scans, and what learning finds at full size, is "
      "measured apart: [learning](learning-cases.md); there are the case studies A3, A5, A6 and of several unknowns at "
      "once, too, with what was published and seconds. The page that is kept ends with their figures.\n"
      "What somebody new has to click and type in the studio is counted apart: [first hour](first-hour.md).\n";
  for (const auto& [meaning, rows] : grouped(table)) {
    text += "\n## " + std::string(meaning.title) + "\n\n" + meaning.text + (*meaning.text != 0 ? "\n\n" : "") +
            "| case | what | scan or data | type | found | bound | |\n| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const CheckRow& r : rows)
      text += "| " + r.id + " | " + r.op + " | " + r.geometry + " | " + r.dtype + " | " + formatted("%.4g", r.value) +
              " | " + formatted("%.4g", r.bound) + " | " + (r.passed ? "holds" : "**FAILS**") + " |\n";
    for (const auto& [reason, cases] : reasons(rows)) text += "\nBound of " + cases + ": " + reason + "\n";
  }
  return text;
}

std::string verify_html(const CheckTable& table) {
  const auto failed = std::count_if(table.begin(), table.end(), [](const CheckRow& r) { return !r.passed; });
  std::string text =
      "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
      "<title>Tomoloom verification</title>\n" +
      std::string(style) + "\n<h1>Verification</h1>\n<p>Tomoloom " + html_escaped(version()) + " on " +
      html_escaped(devices().front().name) + ".</p>\n<p class=" +
      (failed == 0 ? "good>All " + std::to_string(table.size()) + " checks hold."
                   : "bad>" + std::to_string(failed) + " of " + std::to_string(table.size()) +
                         " checks fail. Do not trust results of this machine.") +
      "</p>\n<p>A check holds if the found value does not exceed its bound.</p>\n";
  for (const auto& [meaning, rows] : grouped(table)) {
    text += "<h2>" + std::string(meaning.title) + "</h2>\n<p>" + meaning.text + "</p>\n" + html_table(rows);
    for (const auto& [reason, cases] : reasons(rows))
      text += "<p>Bound of " + html_escaped(cases) + ": " + html_escaped(reason) + "</p>\n";
  }
  return text + "</html>\n";
}

}  // namespace tl::cli
