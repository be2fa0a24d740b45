// Opens and sums up the links of `live`.
#include "app/cli/live_links.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <utility>

#include "core/stream/values/log_lines.h"

namespace tl::cli {
namespace {

std::string one_decimal(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

nlohmann::ordered_json values_json(const stream::ValueLog& values) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const stream::ValueSummary& s : values.summaries()) {
    nlohmann::ordered_json one = {{"count", s.count},   {"first", s.first},     {"last", s.last},
                                  {"lowest", s.lowest}, {"highest", s.highest}, {"mean", s.mean}};
    if (!s.unit.empty()) one["unit"] = s.unit;
    std::string name = s.name;
    if (all.contains(name)) name += " [" + s.unit + "]";  // the same name in another unit
    all[name] = std::move(one);
  }
  return all;
}

}  // namespace

void add_link_options(CLI::App& command, LinkOptions& o, CLI::Option* record) {
  command.add_option("--log", o.log,
                     "Where numbers next to the scan come from, as lines {\"time\",\"name\",\"value\",\"unit\"} of a "
                     "PUSH socket; with --bind it is waited for there");
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
      "--plugin", o.plugin, "Where a plug-in of RECAST3D waits for planes, for example tcp://127.0.0.1:5652");
  command.add_option("--plugin-back", o.plugin_back, "Where the planes that it has changed are taken")
      ->capture_default_str()
      ->needs(plugin);
  command.add_option("--send", o.send,
                     "Where other programs may subscribe to the planes, for example tcp://127.0.0.1:5560");
}

Result<void> apply_trigger(const LinkOptions& o, stream::ScansOptions& scans) {
  if (o.trigger.empty()) return ok();
  TL_TRY(scans.trigger, stream::Trigger::parse(o.trigger));
  scans.before = o.before.value_or(0);
  return ok();
}

Result<std::unique_ptr<LiveLinks>> LiveLinks::open(const LinkOptions& o, stream::SocketEnd end, stream::Scans& scans,
                                                   Alarm alarm) {
  std::unique_ptr<LiveLinks> links(new LiveLinks(std::move(alarm)));
  LiveLinks* self = links.get();
  links->has_trigger_ = !o.trigger.empty();
  links->has_log_ = !o.log.empty();
  if (!o.send.empty()) {
    TL_TRY(links->publisher_, stream::PlanePublisher::open(o.send));
  }
  if (!o.plugin.empty()) {
    TL_TRY(links->plugin_, stream::PluginLink::open({o.plugin, o.plugin_back,
                                                     [self](const stream::Plane& plane) { self->publish(plane); }}));
  }
  if (!o.log.empty()) {
    constexpr int64_t max_message = int64_t{1} << 22;
    const auto reported = std::make_shared<bool>(false);  // used by the thread of the log alone
    const auto bad = [self, reported](const std::string& what) {
      if (!std::exchange(*reported, true)) self->alarm_(what);
    };
    TL_TRY(links->log_, stream::Receiver::open(
                            {.address = o.log, .end = end, .wire = &stream::log_wire(), .max_message = max_message},
                            {[&scans, bad](const stream::Message& message, const stream::Wire&) {
                               const auto* lines = std::get_if<stream::LogLines>(&message);
                               if (lines == nullptr) return;
                               scans.add(*lines);
                               if (lines->bad > 0) bad("a line of the log is not understood: it is left out");
                             },
                             [bad](const Error& error) { bad("the log: " + error.message()); }}));
  }
  return links;
}

void LiveLinks::publish(const stream::Plane& plane) {
  if (!publisher_) return;
  if (const Result<void> sent = publisher_->send(plane); !sent.ok())
    alarm_("a plane is not sent: " + sent.error().message());
}

void LiveLinks::send(stream::Plane plane) {
  if (plugin_) return plugin_->send(std::move(plane));
  publish(plane);
}

nlohmann::ordered_json LiveLinks::sent() const {
  if (!publisher_) return nullptr;
  const stream::PlaneCounts counts = publisher_->counts();
  nlohmann::ordered_json sent = {{"planes", counts.planes}, {"bytes", counts.bytes}};
  if (counts.planes_per_second) sent["planes_per_second"] = *counts.planes_per_second;
  if (counts.bytes_per_second) sent["bytes_per_second"] = *counts.bytes_per_second;
  return sent;
}

void LiveLinks::add_to(nlohmann::ordered_json& end, const stream::Scans& scans) const {
  end["values"] = values_json(scans.values());
  if (has_log_) end["bad_lines"] = scans.bad_lines() + log_->counts().broken;
  if (has_trigger_) end["triggered"] = scans.has_triggered();
  if (publisher_) end["sent"] = sent();
  if (plugin_) {
    const stream::PluginCounts counts = plugin_->counts();
    end["plugin"] = {
        {"sent", counts.sent}, {"returned", counts.returned}, {"skipped", counts.skipped}, {"broken", counts.broken}};
  }
}

std::vector<std::string> LiveLinks::summary(const stream::Scans& scans) const {
  std::vector<std::string> lines;
  for (const stream::ValueSummary& s : scans.values().summaries())
    lines.push_back(s.name + ": " + std::to_string(s.count) + " values from " + one_decimal(s.lowest) + " to " +
                    one_decimal(s.highest) + (s.unit.empty() ? "" : " " + s.unit));
  if (has_log_) lines.push_back("bad lines of the log: " + std::to_string(scans.bad_lines() + log_->counts().broken));
  if (has_trigger_ && !scans.has_triggered()) lines.emplace_back("the trigger never held: nothing was recorded");
  if (publisher_) {
    const stream::PlaneCounts sent = publisher_->counts();
    lines.push_back("sent " + std::to_string(sent.planes) + " planes" +
                    (sent.planes_per_second ? ", " + one_decimal(*sent.planes_per_second) + " per second" : ""));
  }
  if (plugin_) {
    const stream::PluginCounts counts = plugin_->counts();
    lines.push_back("the plug-in took " + std::to_string(counts.sent) + " planes and gave back " +
                    std::to_string(counts.returned));
  }
  return lines;
}

}  // namespace tl::cli
