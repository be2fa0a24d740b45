// What `live` is connected to besides the detector: a log of numbers, a plug-in, and programs that show planes.
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
// The trigger and the seconds before it.
Result<stream::RecordStart> record_start(const LinkOptions& options);
// Planes and bytes that were sent, and both per second.
nlohmann::ordered_json sent_json(const stream::PlaneCounts& counts);
// Values and what was sent, as members of the event "end".
void add_links(nlohmann::ordered_json& end, const stream::ValueLog& values, const stream::PlaneLinks& planes);
// What the event says of links, as lines of text.
std::vector<std::string> link_lines(const nlohmann::ordered_json& end);

}  // namespace tl::cli
