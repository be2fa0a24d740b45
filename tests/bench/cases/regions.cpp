// Directions of noisy images by network and matching: how often the region is right, errors, agreement, time.
#include "core/nodes/align/found_directions.h"
#include "tests/bench/cases/bursts_and_directions.h"
#include "tests/support/directions/particles.h"

namespace tl::bench {

void run_regions_case(Arguments& arguments) {
  test::ParticlesSpec particles;
  particles.images = arguments.number("images", 2000);
  particles.size = arguments.number("size", 64);
  particles.ratio = 0.01 * static_cast<double>(arguments.number("snr", 50));
  particles.shift = static_cast<double>(arguments.number("shift", 3));
  particles.widest = 0.01 * static_cast<double>(arguments.number("widest", 5));
  particles.seed = static_cast<uint64_t>(arguments.number("phantom", 7));
  DirectionsSpec spec;
  spec.regions = arguments.number("regions", 42);
  spec.steps = arguments.number("steps", 1000);
  spec.seed = static_cast<uint64_t>(arguments.number("seed", 1));
  spec.reach = static_cast<double>(arguments.number("reach", 4));
  spec.reference.edge = arguments.number("edge", 32);
  spec.reference.parts = arguments.number("parts", 8);
  arguments.finish();
  const test::Particles p = test::particles(particles);
  spec.images = p.images;
  spec.reference.volume = p.volume;
  spec.reference.grid = VolumeGrid::cubic(particles.size, particles.size, particles.size, 1);
  spec.reference.detector = p.geometry.detector();
  double loss = 0, before_training = 0, after_training = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto now = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  spec.trained = [&](int64_t step, double value) {
    if (step == 1) before_training = now();
    loss += (value - loss) * std::max(0.02, 1.0 / static_cast<double>(step));
    after_training = now();
  };
  FoundDirections found;
  const Times times = time_of([&] { found = find_directions(spec).or_throw(); });
  const ops::SphereRegions regions(spec.regions);
  double right = 0, near = 0, agreed = 0, flat = 0, ambiguous = 0;
  std::vector<double> errors, agreed_errors, rotations, shifts;
  for (int64_t i = 0; i < particles.images; ++i) {
    const FoundDirection& d = found.images[static_cast<std::size_t>(i)];
    const View& truth = p.geometry.view(i);
    const View view = view_of_pose(d.pose, p.geometry.detector(), spec.reference.edge, {});
    const int64_t region = regions.of(-1 * truth.beam);
    right += d.region == region ? 1 : 0;
    near += regions.are_near(d.region, region) ? 1 : 0;
    flat += d.verdict == Verdict::flat ? 1 : 0;
    ambiguous += d.verdict == Verdict::ambiguous ? 1 : 0;
    errors.push_back(test::direction_error(view, truth));
    rotations.push_back(test::rotation_error(view, truth));
    const ScanGeometry::Hit a = p.geometry.project(i, {});
    const double middle = 0.5 * static_cast<double>(particles.size - 1);
    shifts.push_back(
        std::hypot(a.col - (middle - dot(view.detector, view.u)), a.row - (middle + dot(view.detector, view.v))));
    if (!d.agrees) continue;
    ++agreed;
    agreed_errors.push_back(errors.back());
  }
  const auto n = static_cast<double>(particles.images);
  std::printf(
      "{\"case\": \"regions\", \"images\": %lld, \"size\": %lld, \"regions\": %lld, \"steps\": %lld, \"region_right\": "
      "%.4f, \"right_or_neighbour\": %.4f, \"median_deg\": %.3f, \"median_rotation_deg\": %.3f, \"median_shift_px\": "
      "%.3f, \"agree\": %.4f, \"median_agreeing_deg\": %.3f, \"flat\": %.0f, \"ambiguous\": %.0f, \"loss\": %.3f, "
      "\"matching_s\": %.1f, \"training_s\": %.1f, \"wall_s\": %.1f, \"processor_s\": %.1f}\n",
      static_cast<long long>(particles.images), static_cast<long long>(particles.size),
      static_cast<long long>(spec.regions), static_cast<long long>(spec.steps), right / n, near / n,
      test::median_of(errors), test::median_of(rotations), test::median_of(shifts), agreed / n,
      test::median_of(agreed_errors), flat, ambiguous, loss, before_training, after_training - before_training,
      times.wall, times.processor);
}

}  // namespace tl::bench
