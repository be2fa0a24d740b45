// Times a live scan: a window of views through the live engine over its operators alone and a hop of it over a whole
// one, receiving and recording over plain loops, and the studio in use while frames come. Under Xvfb; prints lines of
// JSON and a table with what is asked. cases=windows,transport,studio chooses.
#include "tests/bench/stream/stream_cases.h"

#include "tests/bench/bench.h"

using namespace tl;

// arguments: cases=windows,transport,studio views=60 hop=6 rows=647 cols=768 repeat=3 threads=2; of transport:
// frames=400 folder=/tmp; of the studio: rate=33 seconds=30 settled=10 (memory over ten minutes after the first:
// cases=studio seconds=660 settled=60)
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const bench::SentScan scan{a.number("views", 60), a.number("hop", 6), a.number("rows", 647), a.number("cols", 768)};
  const std::string cases = "," + a.text("cases", "windows,transport,studio") + ",";
  const int64_t frames = a.number("frames", 400);
  const std::filesystem::path folder = a.text("folder", std::filesystem::temp_directory_path().string());
  bench::StudioUse use;
  use.rate = static_cast<double>(a.number("rate", 33));
  use.seconds = static_cast<double>(a.number("seconds", 30));
  use.settled = static_cast<double>(a.number("settled", std::min<int64_t>(60, a.number("seconds", 30) / 3)));
  a.finish();
  if (scan.views < 2 || scan.hop < 1 || scan.hop > scan.views) bench::stop("a hop is within a window of two or more");
  bench::StreamTable table;
  const auto chosen = [&](const char* name) { return cases.find("," + std::string(name) + ",") != std::string::npos; };
  if (!chosen("windows") && !chosen("transport") && !chosen("studio")) bench::stop("there is no such case");
  if (chosen("windows")) bench::time_windows(scan, a.repeat(), table);
  if (chosen("transport")) bench::time_transport(scan, frames, folder, a.repeat(), table);
  if (chosen("studio")) bench::time_studio(scan, use, table);
  table.print();
  return 0;
}
