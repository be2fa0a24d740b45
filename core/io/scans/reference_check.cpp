// Reads samples of references and views, and puts into sentences what is wrong with them.
#include "core/io/scans/reference_check.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/text.h"
#include "core/base/wording.h"
#include "core/io/reader/scan_checks.h"
#include "gpu/correction/flats/reference_levels.h"

namespace tl::io {
namespace {

constexpr int64_t rows_read = 16, pixels_read = int64_t{1} << 24;
// Series that differ by more among each other are named: of the signal of a flat.
constexpr double clear_flat_spread = 0.1, clear_dark_spread = 0.02;
// Noise and phase contrast stay within, after rows are averaged.
constexpr double min_transmission = -0.05, largest_transmission = 1.3;
// Of pixels that are said to be transmission or absorption.
constexpr double impossible_transmission = 3, percent_from = 20, percent_to = 150, impossible_absorption = 30;

std::string percent(double share) { return formatted("%.3g", 100 * share) + " %"; }

// "1 of 9 flats is left out, because its signal is not that of the others: number 5 (0.1 %)"
Doubt odd_ones(const std::vector<ops::OddFrame>& odd, int64_t all, OddReferences use, const std::string& name,
               const std::string& why, const std::string& cause) {
  constexpr std::size_t max_named = 5;
  const bool one = odd.size() == 1, kept = use == OddReferences::keep;
  std::string text = std::to_string(odd.size()) + " of " + counted(all, name) + (one ? " is " : " are ") +
                     (kept ? "used, as asked for, although " : "left out, because ") + (one ? "its" : "their") + why +
                     ": number ";
  for (std::size_t i = 0; i < std::min(odd.size(), max_named); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(odd[i].index + 1) + " (" + percent(odd[i].level) + ")";
  if (odd.size() > max_named) text += " and " + std::to_string(odd.size() - max_named) + " more";
  return {DoubtAbout::references, text,
          cause + (kept ? "."
                        : "; " +
                              two_wordings("--set load.odd_references=keep keeps them",
                                           "Odd flats and darks, in the form of the load node, can keep them") +
                              ".")};
}

std::string without_darks() {
  return two_wordings("--set load.use_darks=none takes the dark signal as 0",
                      "Darks of the scan, in the form of the load node, can be left out: the dark signal is then 0") +
         ".";
}

Range middle_rows(const ScanInfo& info) {
  const int64_t frames = std::max<int64_t>(info.flats + info.darks + 3, 1);
  const int64_t count = std::min(info.rows, std::clamp<int64_t>(pixels_read / (frames * info.cols), 1, rows_read));
  const int64_t first = (info.rows - count) / 2;
  return {first, first + count};
}

std::vector<int64_t> all_indices(int64_t count) {
  std::vector<int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), int64_t{0});
  return all;
}

std::vector<int64_t> some_views(int64_t views) {
  std::vector<int64_t> chosen = {views / 6, views / 2, (5 * views) / 6};
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

void leave_out(const std::vector<ops::OddFrame>& odd, std::vector<int64_t>& frames) {
  std::erase_if(frames, [&](int64_t i) {
    return std::any_of(odd.begin(), odd.end(), [i](const ops::OddFrame& o) { return o.index == i; });
  });
}

void doubt_series(const ops::ReferenceLevels& levels, const ScanInfo& info, OddReferences use,
                  std::vector<Doubt>& doubts) {
  const auto add = [&](const std::string& evidence, const std::string& advice) {
    doubts.push_back({DoubtAbout::references, evidence, advice});
  };
  if (!levels.odd_flats.empty())
    doubts.push_back(odd_ones(levels.odd_flats, info.flats, use, "flat", " signal is not that of the others",
                              "A closed shutter, a lost beam or an object in it does that"));
  if (!levels.odd_darks.empty())
    doubts.push_back(odd_ones(levels.odd_darks, info.darks, use, "dark",
                              " level differs from the others, in parts of the flats' signal",
                              "An open shutter does that"));
  if (levels.flat_spread > clear_flat_spread)
    add("Flats that were taken together differ by " + percent(levels.flat_spread) +
            " of their signal, and nothing says which of them is wrong",
        "Look at them: values may be wrong by half of that.");
  if (levels.dark_spread > clear_dark_spread)
    add("Darks differ from each other by " + percent(levels.dark_spread) +
            " of the flats' signal, and nothing says which of them is wrong",
        "Look at them: was the shutter open?");
  if (!levels.flats_exceed_darks)
    add("The darks are as bright as the flats",
        "Were they exchanged, or was the shutter open for the darks? " + without_darks());
  if (!levels.has_transmissions) return;
  if (levels.low_transmission < min_transmission)
    add("Views are darker than the " + std::string(info.darks > 0 ? "darks" : "empty detector") + ", by " +
            percent(-levels.low_transmission) + " of the flats' signal, which no object can be",
        "Was the shutter open for the darks, or are they of another exposure?" +
            (info.darks > 0 ? " " + without_darks() : std::string()));
  if (levels.high_transmission > largest_transmission)
    add("Views are brighter than the flats: " + formatted("%.3g", levels.high_transmission) + " times",
        "Are the flats of another exposure or another scan, or was the shutter closed?");
}

void doubt_kind(const at::Tensor& views, PixelKind kind, std::vector<Doubt>& doubts) {
  const at::Tensor known = views.masked_select(views.isfinite());
  if (known.numel() == 0) return;
  constexpr double high_share = 0.95;
  const auto k = static_cast<int64_t>(high_share * static_cast<double>(known.numel() - 1));
  const double high = std::get<0>(known.kthvalue(k + 1)).item<double>();
  const std::string reaches = " but reach " + formatted("%.4g", high);
  const std::string by_air = "The node correct.beam_intensity makes the air next to the object 1.";
  if (kind == PixelKind::transmission && high > impossible_transmission)
    doubts.push_back({DoubtAbout::pixels, "Pixels are said to be transmission, 1 in air," + reaches,
                      high > percent_from && high < percent_to
                          ? "In percent, values are wrong by a factor: " +
                                two_wordings("--set load.pixels=percent divides them by 100",
                                             "set what the pixels are, in the form of the load node, to percent") +
                                ". " + by_air
                          : "Are they counts, which need flats, or scaled to integers? " + by_air});
  if (kind == PixelKind::absorption && high > impossible_absorption)
    doubts.push_back({DoubtAbout::pixels,
                      "Pixels are said to be absorption, which lets less than 1e-13 pass," + reaches,
                      "Are they counts, which need flats, or transmission?"});
}

struct ReferencesAndViews {
  ops::ReferenceSample sample;
  at::Tensor views;
};

Result<ReferencesAndViews> read_sample(ScanReader& scan, const ScanInfo& info, const CancelToken& cancel) {
  const Range rows = middle_rows(info), cols{0, info.cols};
  ReferencesAndViews read;
  if (info.flats > 0) {
    TL_TRY(read.sample.flats, scan.read_flats(rows, cols, cancel));
  }
  if (info.darks > 0) {
    TL_TRY(read.sample.darks, scan.read_darks(rows, cols, cancel));
  }
  read.sample.flat_positions = info.flat_positions;
  // A view that was never recorded says nothing about the references.
  auto views = scan.read_views(some_views(info.views), rows, cols, Samples::floats, cancel);
  if (views.ok()) read.views = std::move(views).value();
  return read;
}

}  // namespace

Result<ReferenceCheck> check_references(ScanReader& scan, const ScanChoices& choices, const CancelToken& cancel) {
  ScanInfo info = scan.info();
  if (choices.use_darks == UseOfDarks::none) info.darks = 0;
  ReferenceCheck check{all_indices(info.flats), all_indices(info.darks), {}};
  auto read = read_sample(scan, info, cancel);
  if (!read.ok() && read.error().kind == ErrorKind::cancelled) return read.error();
  if (!read.ok()) return check;
  ReferencesAndViews& frames = read.value();
  if (info.kind == PixelKind::counts) {
    frames.sample.views = frames.views;
    const ops::ReferenceLevels levels = ops::compare_references(frames.sample);
    if (choices.odd_references == OddReferences::leave_out) {
      leave_out(levels.odd_flats, check.flats);
      leave_out(levels.odd_darks, check.darks);
    }
    doubt_series(levels, info, choices.odd_references, check.doubts);
  } else if (frames.views.defined()) {
    doubt_kind(frames.views * choices.pixel_unit(), info.kind, check.doubts);
  }
  return check;
}

}  // namespace tl::io
