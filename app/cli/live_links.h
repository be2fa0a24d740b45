// Connections of `live` besides the detector: a log of numbers, a plug-in, and programs that show planes.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/stream/planes/plane_links.h"
#include "core/stream/scans.h"

namespace tl::cli {

struct LinkOptions {
  std::string log, trigger;
  std::optional<double> before;
  stream::PlaneLinkOptions planes;
};

// Adds --log, --trigger, --before, --plugin, --plugin-back and --send. A trigger needs `record`.
void add_link_options(CLI::App& command, LinkOptions& options, CLI::Option* record);
// The trigger that starts a record, and the seconds recorded before it.
Result<stream::RecordStart> record_start(const LinkOptions& options);
// Numbers of planes and bytes that were sent, in total and per second.
nlohmann::ordered_json sent_json(const stream::PlaneCounts& counts);
// Adds values of the log and counts of sent planes to the event "end".
void add_links(nlohmann::ordered_json& end, const stream::ValueLog& values, const stream::PlaneLinks& planes);
// The entries about links in the event "end", as lines of text.
std::vector<std::string> link_lines(const nlohmann::ordered_json& end);

}  // namespace tl::cli
