// The node input.load_movie: movies of TIFF and MRC, groups of frames per angle, gain and dark reference, and 'Align
// frames' behind it.
#include <ATen/ATen.h>
#include <tiffio.h>

#include <QTemporaryDir>
#include <cmath>

#include "core/run/executor.h"
#include "tests/support/file_tree.h"
#include "tests/support/frames/burst.h"
#include "tests/support/given_scan.h"
#include "tests/support/io/mrc_maker.h"
#include "tests/support/test_case.h"

namespace tl::load_movie_test {

namespace fs = std::filesystem;

namespace {

// Frames [frame, row, col] as the pages of a TIFF of float32.
void write_tiff(const fs::path& file, const at::Tensor& frames) {
  const at::Tensor pixels = frames.to(at::kFloat).contiguous();
  TIFF* tiff = TIFFOpen(file.c_str(), "w");
  for (int64_t n = 0; n < frames.size(0); ++n) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<uint32_t>(frames.size(2)));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<uint32_t>(frames.size(1)));
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    for (int64_t r = 0; r < frames.size(1); ++r)
      TIFFWriteScanline(tiff, pixels[n][r].data_ptr<float>(), static_cast<uint32_t>(r), 0);
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}
// The same as MRC, whose rows begin at the bottom.
void write_mrc(const fs::path& file, const at::Tensor& frames) {
  const at::Tensor pixels = frames.to(at::kFloat).flip(1).contiguous();
  const auto size = [&](int64_t axis) { return static_cast<int32_t>(frames.size(axis)); };
  const auto* first = pixels.const_data_ptr<float>();
  test::MrcMaker header(2);
  header.three<int32_t>(0, size(2), size(1), size(0)).three<int32_t>(28, size(2), size(1), size(0));
  test::put(file, header.with(std::vector<float>(first, first + pixels.numel())));
}

at::Tensor ramp(int64_t frames, int64_t rows, int64_t cols) {
  return 1 + at::arange(frames * rows * cols, at::kFloat).view({frames, rows, cols});
}

}  // namespace

class LoadMovieTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;

  [[nodiscard]] fs::path path(const std::string& name) const {
    return dir_->filePath(QString::fromStdString(name)).toStdString();
  }
  static Graph movie(const fs::path& file, std::map<std::string, ParamValue> params = {}) {
    Graph g;
    params["file"] = file.string();
    g.nodes["movie"] = {"input.load_movie", 1, params};
    return g;
  }
  static Result<Projections> loaded(const fs::path& file, const std::map<std::string, ParamValue>& params = {},
                                    test::HeardMessages* heard = nullptr) {
    RunOptions options;
    options.events = heard;
    Executor e(Registry::all(), options);
    TL_TRY(const Value v, e.pull(movie(file, params), "movie", "projections"));
    return std::get<Projections>(v);
  }
  static std::vector<double> angles_of(const Projections& p) {
    std::vector<double> degrees;
    const Orbit orbit = p.geometry.orbit().value();
    for (const double a : orbit.angles) degrees.push_back(std::round(a * 180 / M_PI * 1e6) / 1e6);
    return degrees;
  }
  static bool refuses(const fs::path& file, const std::map<std::string, ParamValue>& params, const std::string& words) {
    const auto found = loaded(file, params);
    if (found.ok()) return false;
    if (found.error().message().find(words) != std::string::npos) return true;
    qWarning("%s", found.error().message().c_str());
    return false;
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void all_frames_look_one_way() {
    write_tiff(path("m.tif"), ramp(4, 5, 6));
    write_mrc(path("m.mrc"), ramp(4, 5, 6));
    for (const char* name : {"m.tif", "m.mrc"}) {
      const Projections p = loaded(path(name)).or_throw();
      QVERIFY(at::equal(p.data, ramp(4, 5, 6)));
      QCOMPARE(angles_of(p), std::vector<double>(4, 0.0));
      QVERIFY(p.kind == PixelKind::transmission);
    }
    QCOMPARE(loaded(path("m.mrc"), {{"pixels", std::string("absorption")}}).or_throw().kind, PixelKind::absorption);
    QVERIFY(
        std::abs(loaded(path("m.tif"), {{"pixel_size", Number{0.5, Unit::um}}}).or_throw().geometry.detector().pitch_u -
                 5e-4) < 1e-12);
  }
  void tilt_series() {
    write_tiff(path("m.tif"), ramp(6, 5, 6));
    test::put(path("m.tlt"), "-20.0\n0.0\n 20.0\n");
    const Projections p = loaded(path("m.tif"), {{"angles_file", path("m.tlt").string()}}).or_throw();
    QCOMPARE(angles_of(p), (std::vector<double>{-20, -20, 0, 0, 20, 20}));
    const Projections by_step =
        loaded(path("m.tif"), {{"group", int64_t{3}}, {"angle_step", Number{4, Unit::deg}}}).or_throw();
    QCOMPARE(angles_of(by_step), (std::vector<double>{0, 0, 0, 4, 4, 4}));
    test::put(path("m.tlt"), "1 2 3 4\n");
    QVERIFY(refuses(path("m.tif"), {{"angles_file", path("m.tlt").string()}}, "4 angles for 6 frames"));
    QVERIFY(
        refuses(path("m.tif"), {{"group", int64_t{4}}, {"angle_step", Number{4, Unit::deg}}}, "do not make 6 frames"));
    QVERIFY(refuses(path("m.tif"), {{"group", int64_t{3}}}, "have the same direction"));
    QVERIFY(refuses(path("m.tif"), {{"angle_step", Number{4, Unit::deg}}}, "where a view ends"));
  }
  // A movie a file, in natural order.
  void folder_of_movies() {
    for (const bool mrc : {false, true}) {
      const fs::path folder = path(mrc ? "mrc" : "tif");
      fs::create_directory(folder);
      for (const int i : {10, 9, 8}) {
        const fs::path file = folder / ("tilt_" + std::to_string(i) + (mrc ? ".mrc" : ".tif"));
        (mrc ? write_mrc : write_tiff)(file, ramp(2, 4, 5) + 100.0 * i);
      }
      test::put(path("a.rawtlt"), "-3\n0\n3\n");
      const Projections p = loaded(folder, {{"angles_file", path("a.rawtlt").string()}}).or_throw();
      QCOMPARE(angles_of(p), (std::vector<double>{-3, -3, 0, 0, 3, 3}));
      for (int64_t i = 0; i < 3; ++i)
        QVERIFY(at::equal(p.data.slice(0, 2 * i, 2 * i + 2), ramp(2, 4, 5) + 100.0 * static_cast<double>(8 + i)));
    }
  }
  void gain_and_dark() {
    write_tiff(path("m.tif"), ramp(3, 4, 6));
    const at::Tensor gain = 0.5 + at::rand({1, 4, 6}), dark = at::rand({2, 4, 6});
    write_tiff(path("gain.tif"), gain);
    write_mrc(path("gain.mrc"), gain);
    write_tiff(path("dark.tif"), dark);
    const at::Tensor expected = (ramp(3, 4, 6) - dark.to(at::kDouble).mean(0, true).to(at::kFloat)) * gain;
    for (const char* name : {"gain.tif", "gain.mrc"}) {
      const Projections p =
          loaded(path("m.tif"), {{"gain", path(name).string()}, {"dark", path("dark.tif").string()}}).or_throw();
      QVERIFY(at::allclose(p.data, expected, 1e-6, 1e-6));
    }
    // As they are on disk: each is what undoes the rotation and mirroring that the node is asked for.
    const std::pair<const char*, int64_t> quarters[] = {{"none", 0}, {"once", 1}, {"twice", 2}, {"three_times", 3}};
    for (const auto& [rotation, times] : quarters)
      for (const char* mirror : {"none", "columns", "rows"}) {
        at::Tensor stored =
            std::string(mirror) == "none" ? gain[0] : gain[0].flip(std::string(mirror) == "rows" ? 0 : 1);
        stored = at::rot90(stored, -times, {0, 1});
        write_tiff(path("turned.tif"), stored.unsqueeze(0));
        const Projections p = loaded(path("m.tif"), {{"gain", path("turned.tif").string()},
                                                     {"gain_rotation", std::string(rotation)},
                                                     {"gain_mirror", std::string(mirror)}})
                                  .or_throw();
        QVERIFY(at::equal(p.data, ramp(3, 4, 6) * gain));
      }
    QVERIFY(refuses(path("m.tif"), {{"gain", path("gain.tif").string()}, {"gain_rotation", std::string("once")}},
                    "once it is rotated"));
    QVERIFY(refuses(path("m.tif"), {{"gain_rotation", std::string("once")}}, "not there"));
  }
  void gain_without_a_value() {
    write_tiff(path("m.tif"), ramp(3, 4, 6));
    at::Tensor gain = at::ones({1, 4, 6});
    gain[0][1][2] = 0;
    gain[0][3][5] = std::nanf("");
    write_tiff(path("gain.tif"), gain);
    test::HeardMessages heard;
    const Projections p = loaded(path("m.tif"), {{"gain", path("gain.tif").string()}}, &heard).or_throw();
    QVERIFY2(heard.warned("2 pixels of the gain reference") && heard.warned("2/1, 5/3"), heard.warnings.c_str());
    QCOMPARE(p.data.isnan().sum().item<int64_t>(), 6);
    QVERIFY(p.data.select(1, 1).select(1, 2).isnan().all().item<bool>());
    write_tiff(path("gain.tif"), at::zeros({1, 4, 6}));
    QVERIFY(refuses(path("m.tif"), {{"gain", path("gain.tif").string()}}, "no pixel of the gain"));
  }
  void faults() {
    QVERIFY(refuses("", {}, "no movie is chosen"));
    test::put(path("m.eer"), "events");
    QVERIFY(refuses(path("m.eer"), {}, "electron events"));
    fs::create_directory(path("f"));
    write_tiff(path("f") / "a.tif", ramp(1, 4, 6));
    write_tiff(path("f") / "gain.tif", ramp(1, 4, 6));
    QVERIFY(refuses(path("f"), {{"gain", (path("f") / "gain.tif").string()}}, "one of the frames"));
    write_tiff(path("f") / "b.tif", ramp(1, 5, 6));
    QVERIFY(!loaded(path("f")).ok());
    write_tiff(path("other.tif"), ramp(1, 5, 6));
    QVERIFY(refuses(path("f") / "a.tif", {{"dark", path("other.tif").string()}}, "5 x 6"));
  }
  // Straight into the alignment: a burst with a gain that does not move with the image.
  void align_frames_takes_them() {
    test::BurstSpec spec;
    spec.frames = 8;
    spec.noise = 0.02;
    const at::Tensor seen = 2 + test::burst(spec, [](int64_t n, double, double) -> std::array<double, 2> {
                              return {1.3 * static_cast<double>(n), -0.7 * static_cast<double>(n)};
                            });
    at::manual_seed(3);
    const at::Tensor gain = 0.8 + 0.4 * at::rand({1, spec.rows, spec.cols});
    write_mrc(path("burst.mrc"), seen / gain);
    write_tiff(path("gain.tif"), gain);
    Graph g = movie(path("burst.mrc"), {{"gain", path("gain.tif").string()}});
    g.nodes["align"] = {"align.frames", 1, {}};
    g.links = {{"movie", "projections", "align", "projections"}};
    Executor e(Registry::all(), {});
    const Table shifts = std::get<Table>(e.pull(g, "align", "shifts").or_throw());
    constexpr double tolerance = 0.1;  // [px], issue 50
    for (std::size_t i = 1; i < 8; ++i) {
      QVERIFY(std::abs(shifts.columns.at(2).values[i] - shifts.columns.at(2).values[i - 1] - 1.3) < tolerance);
      QVERIFY(std::abs(shifts.columns.at(3).values[i] - shifts.columns.at(3).values[i - 1] + 0.7) < tolerance);
    }
    QCOMPARE(std::get<Projections>(e.pull(g, "align", "projections").or_throw()).data.size(0), 1);
  }
};

TL_TEST_CASE(LoadMovieTest)

}  // namespace tl::load_movie_test

#include "load_movie.moc"
