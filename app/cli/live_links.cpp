// Options for the links of `live`, and counts of the data sent over them.
#include "app/cli/live_links.h"

#include <utility>

#include "core/base/text.h"

namespace tl::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string one_decimal(double value) { return formatted("%.1f", value); }

Json values_json(const stream::ValueLog& values) {
  Json all = Json::object();
  for (const auto& [name, s] : values.series()) {
    Json one = {{"count", s.count},   {"first", s.first},     {"last", s.last},
                {"lowest", s.lowest}, {"highest", s.highest}, {"mean", s.mean}};
    if (!s.unit.empty()) one["unit"] = s.unit;
    all[name] = std::move(one);
  }
  return all;
}

}  // namespace

void add_link_options(CLI::App& command, LinkOptions& o, CLI::Option* record) {
  command.add_option("--log", o.log,
                     "Address of the sender of sample values during the scan, as lines "
                     "{\"time\",\"name\",\"value\",\"unit\"} of a PUSH socket; with --bind, wait there for the sender");
  CLI::Option* trigger =
      command
          .add_option(
              "--trigger", o.trigger,
              "Record from when this holds, for example 'load > 5': a number of the log or of headers of frames")
          ->check(CLI::Validator(
              [](const std::string& text) {
                const auto parsed = stream::Trigger::parse(text);
                return parsed.ok() ? std::string() : parsed.error().message();
              },
              "NAME > NUMBER"))
          ->needs(record);
  command.add_option("--before", o.before, "Seconds of frames before the trigger that are recorded as well")
      ->check(CLI::Range(0.0, 1e6))
      ->needs(trigger);
  CLI::Option* plugin = command.add_option(
      "--plugin", o.planes.plugin, "Where a plug-in of RECAST3D waits for planes, for example tcp://127.0.0.1:5652");
  command
      .add_option("--plugin-back", o.planes.plugin_back, "Address for receiving the planes that the plug-in changed")
      ->capture_default_str()
      ->needs(plugin);
  command.add_option("--send", o.planes.send,
                     "Address at which other programs may subscribe to the planes, for example tcp://127.0.0.1:5560");
}

Result<stream::RecordStart> record_start(const LinkOptions& o) {
  stream::RecordStart start;
  if (o.trigger.empty()) return start;
  TL_TRY(start.trigger, stream::Trigger::parse(o.trigger));
  start.before = o.before.value_or(0);
  return start;
}

Json sent_json(const stream::PlaneCounts& counts) {
  Json sent = {{"planes", counts.planes}, {"bytes", counts.bytes}};
  if (counts.planes_per_second) sent["planes_per_second"] = *counts.planes_per_second;
  if (counts.bytes_per_second) sent["bytes_per_second"] = *counts.bytes_per_second;
  return sent;
}

void add_links(Json& end, const stream::ValueLog& values, const stream::PlaneLinks& planes) {
  end["values"] = values_json(values);
  if (const auto sent = planes.sent()) end["sent"] = sent_json(*sent);
  if (const auto plugin = planes.plugin())
    end["plugin"] = {{"sent", plugin->sent},
                     {"returned", plugin->returned},
                     {"skipped", plugin->skipped},
                     {"broken", plugin->broken}};
}

std::vector<std::string> link_lines(const Json& end) {
  std::vector<std::string> lines;
  const auto count = [](const Json& number) { return std::to_string(number.get<int64_t>()); };
  for (const auto& [name, s] : end["values"].items())
    lines.push_back(name + ": " + count(s["count"]) + " values from " + one_decimal(s["lowest"].get<double>()) +
                    " to " + one_decimal(s["highest"].get<double>()) +
                    (s.contains("unit") ? " " + s["unit"].get<std::string>() : ""));
  if (end.contains("bad_lines")) lines.push_back("bad lines of the log: " + count(end["bad_lines"]));
  if (end.contains("triggered") && !end["triggered"].get<bool>())
    lines.emplace_back("the trigger condition was never met: nothing was recorded");
  if (end.contains("sent"))
    lines.push_back("sent " + count(end["sent"]["planes"]) + " planes" +
                    (end["sent"].contains("planes_per_second")
                         ? ", " + one_decimal(end["sent"]["planes_per_second"].get<double>()) + " per second"
                         : ""));
  if (end.contains("plugin"))
    lines.push_back("the plug-in took " + count(end["plugin"]["sent"]) + " planes and gave back " +
                    count(end["plugin"]["returned"]));
  return lines;
}

}  // namespace tl::cli
