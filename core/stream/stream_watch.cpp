// Compares the counts of a stream with those of the previous call.
#include "core/stream/stream_watch.h"

#include <algorithm>

#include "core/base/text.h"

namespace tl::stream {
namespace {

std::string seconds_text(double seconds) { return formatted("%.1f s", seconds); }

// Frames missed by a receiver that joined late, and flats and darks without which no correction is possible.
std::vector<std::string> missing_at_first_view(const IntakeCounts& counts) {
  std::vector<std::string> missing;
  if (*counts.first > 0) missing.push_back("frames before " + std::to_string(*counts.first));
  if (counts.flats == 0) missing.emplace_back("flats");
  if (counts.darks == 0) missing.emplace_back("darks");
  return missing;
}

}  // namespace

std::vector<StreamEvent> StreamWatch::look(const IntakeCounts& counts, std::optional<double> period,
                                           Intake::Clock::time_point last_frame) {
  using Kind = StreamEvent::Kind;
  std::vector<StreamEvent> events;
  const auto report = [&events](Kind kind, const std::string& text, int64_t number = 0) {
    StreamEvent& event = events.emplace_back();
    event.kind = kind;
    event.text = text;
    event.number = number;
  };
  if (counts.first && !began_) {
    began_ = true;
    report(Kind::first_frame, "the first frame has the number " + std::to_string(*counts.first), *counts.first);
  }
  if (counts.views > 0 && !has_views_) {
    has_views_ = true;
    if (std::vector<std::string> missing = missing_at_first_view(counts); !missing.empty()) {
      std::string text = "views arrive, but so far none of: ";
      for (std::size_t i = 0; i < missing.size(); ++i) text += (i > 0 ? ", " : "") + missing[i];
      report(Kind::joined, text);
      events.back().missing = std::move(missing);
    }
  }
  if (counts.refused > 0 && !refused_) {
    refused_ = true;
    report(Kind::alarm, "a frame has an impossible number, or a shape or type that is not taken: it is left out");
  }
  if (counts.no_beam > no_beam_) {
    if (!dark_)
      report(Kind::alarm, "there is no beam: views are below a twentieth of the flats; take new flats when it is back");
    dark_ = true;
  } else if (counts.views > views_) {
    if (dark_) report(Kind::beam, "the beam is back");
    dark_ = false;
  }
  no_beam_ = counts.no_beam;
  views_ = counts.views;
  constexpr double shortest = 1, periods = 5;  // [s]
  if (!period) return events;
  const double age = std::chrono::duration<double>(Intake::Clock::now() - last_frame).count();
  const bool silent = age > std::max(shortest, periods * *period);
  if (silent && !silent_) report(Kind::alarm, "no frame has come for " + seconds_text(age));
  if (!silent && silent_) report(Kind::resumed, "frames come again");
  silent_ = silent;
  return events;
}

}  // namespace tl::stream
