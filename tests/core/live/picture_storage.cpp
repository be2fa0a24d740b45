// Pictures of oblique planes are computed from views in half precision; results never are.
#include <ATen/ATen.h>

#include "core/run/executor.h"
#include "tests/support/test_main.h"

using namespace tl;

namespace {

constexpr int64_t views = 180, rows = 64, cols = 96;
constexpr int64_t scan_bytes = views * rows * cols * static_cast<int64_t>(sizeof(float));

// A value of half precision is off by at most 2^-11 of itself, evenly: 2^-11 / sqrt(3) rms at the lower end of a binade
// and half of that at its upper end. A point adds up 180 of them with as many signs, and what is filtered is largest at
// edges: of the range of the plane that leaves some 1e-5 rms, and a few times as much at the worst of 3000 points.
constexpr double half_rms = 2e-5, half_worst = 1e-4;

Graph graph(Beam beam) {
  Graph g;
  g.nodes["scan"] = {"input.simulate_scan", 1, {{"views", views}, {"rows", rows}, {"cols", cols}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["volume"] = {"recon.fbp", 1, {}};
  if (beam == Beam::cone) {
    g.nodes["scan"].params["beam"] = std::string("cone");
    g.nodes["volume"].type = "recon.fdk";
  }
  g.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "volume", "projections"}};
  return g;
}

class Look {
 public:
  explicit Look(Executor& e)
      : executor_(e), before_(e.use({{}, nullptr, io::Overwrite::refuse, {}, 0, Purpose::picture})) {}
  ~Look() { executor_.use(before_); }
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

 private:
  Executor& executor_;
  CallOptions before_;
};

RunOptions options() {
  RunOptions o;
  o.memory = int64_t{1} << 30;
  return o;
}

VolumeGrid grid(Executor& e, Beam beam) {
  return std::get<VolumeInfo>(e.infos(graph(beam), "volume").or_throw().at("volume")).grid;
}
VolumeGrid plane(Executor& e, Beam beam, double lean = 0.4) {
  return VolumeGrid::plane(50, 60, norm(grid(e, beam).step_x), {}, {0.8, 0.6, 0}, {-0.6 * lean, 0.8 * lean, 1 - lean});
}
at::Tensor pulled(Executor& e, Beam beam, const VolumeGrid& region) {
  return std::get<Volume>(e.pull(graph(beam), "volume", "volume", region).or_throw()).data;
}

}  // namespace

class PictureStorageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_picture_is_close_to_the_result() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      Executor e(Registry::all(), options()), other(Registry::all(), options());
      const at::Tensor result = pulled(e, beam, plane(e, beam));
      const Look look(other);
      const at::Tensor picture = pulled(other, beam, plane(other, beam));
      QVERIFY(picture.scalar_type() == at::kFloat);
      const at::Tensor off = (picture - result) / (result.max() - result.min());
      const double rms = off.square().mean().sqrt().item<double>(), worst = off.abs().max().item<double>();
      QVERIFY2(rms > 0 && rms <= half_rms, std::to_string(rms).c_str());
      QVERIFY2(worst <= half_worst, std::to_string(worst).c_str());
    }
  }

  // What a picture left behind is not used for a result; a picture finds what was made before it, results first.
  void pictures_are_kept_apart_from_results() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      Executor e(Registry::all(), options()), fresh(Registry::all(), options());
      const VolumeGrid region = plane(e, beam);
      at::Tensor picture;
      {
        const Look look(e);
        picture = pulled(e, beam, region);
        QVERIFY(e.known(graph(beam), "volume", "volume", region).or_throw());
        QVERIFY(pulled(e, beam, region).equal(picture));
        QCOMPARE(e.stats().at("volume").calls, 1);
      }
      QVERIFY(!e.known(graph(beam), "volume", "volume", region).or_throw());
      const at::Tensor result = pulled(e, beam, region);
      QVERIFY(result.equal(pulled(fresh, beam, region)));
      QVERIFY(!result.equal(picture));
      const Look look(e);
      QVERIFY(pulled(e, beam, region).equal(result));
      QCOMPARE(e.stats().at("volume").calls, 2);
    }
  }

  void slices_are_what_they_are() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      Executor e(Registry::all(), options()), other(Registry::all(), options());
      const VolumeGrid all = grid(e, beam), slice = all.slab({20, 21}),
                       front = all.sub({0, all.nz}, {9, 10}, {0, all.nx});
      const Look look(other);
      for (const VolumeGrid& region : {slice, front})
        QVERIFY(pulled(other, beam, region).equal(pulled(e, beam, region)));
    }
  }

  // The memory that filtered views take while a plane is turned.
  void half_of_the_memory() {
    const auto kept = [&](Purpose purpose) {
      Executor e(Registry::all(), options());
      std::optional<Look> look;
      if (purpose == Purpose::picture) look.emplace(e);
      pulled(e, Beam::parallel, plane(e, Beam::parallel));
      const int64_t one = e.cache().used();
      pulled(e, Beam::parallel, plane(e, Beam::parallel, 0.5));
      const int64_t more = e.cache().used() - one;
      // The next plane adds itself and no views.
      return more < scan_bytes / 4 ? one : int64_t{-1};
    };
    const int64_t full = kept(Purpose::result), half = kept(Purpose::picture);
    QVERIFY(half > 0);
    QCOMPARE(full - half, scan_bytes / 2);
  }
};

TL_TEST_MAIN(PictureStorageTest)
#include "picture_storage.moc"
