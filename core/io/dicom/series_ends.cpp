// Compares the slice numbers that a DICOM series states with the slices that exist.
#include "core/io/dicom/series_ends.h"

#include <cmath>

namespace tl::io {

Result<void> check_ends(const DicomSeriesEnds& series, const std::filesystem::path& folder,
                        std::vector<std::string>& notes) {
  constexpr double most = 1 << 24;  // larger numbers do not count
  const auto there = static_cast<double>(series.slices);
  const double first = series.first.value_or(1), all = series.all.value_or(there);
  const std::string count = std::to_string(series.slices);
  const auto whole = [](double number) { return std::to_string(std::llround(number)); };
  if (series.is_ours && (all != there || first > 1))
    return invalid("the folder holds " + count + " slices" +
                       (all > there && all < most ? " of the " + whole(all) + " that were written"
                                                  : ", which differ from the written ones"),
                   folder.string(), "Copy the missing slices, or write the part that you want as a volume of its own");
  if (first > 1 && first < most)
    notes.push_back("The numbers of the slices begin with " + whole(first) + ": earlier slices are not in the folder.");
  if (all > there && all < most)
    notes.push_back("The folder holds " + count + " of the " + whole(all) + " images of the acquisition (0020,1002).");
  return ok();
}

}  // namespace tl::io
