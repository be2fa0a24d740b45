// Components: numbers in raster order as by a plain search, the same in slabs, threads and flips; small objects, holes.
#include "gpu/segmentation/components.h"

#include <ATen/Parallel.h>

#include <numeric>

#include "gpu/segmentation/cleaning.h"
#include "gpu/segmentation/hysteresis.h"
#include "gpu/segmentation/region_growing.h"
#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::components_test {

using namespace tl::ops;

namespace {

constexpr Connectivity all_connectivities[] = {Connectivity::faces, Connectivity::edges, Connectivity::corners};

at::Tensor labelled(const at::Tensor& v, Connectivity c = Connectivity::faces) {
  return components(v, {c, {}}).or_throw().labels;
}

// By flooding from every voxel that has no label yet.
at::Tensor by_search(const at::Tensor& voxels, Connectivity connectivity) {
  const Lattice l{voxels.size(0), voxels.size(1), voxels.size(2)};
  const auto value = test::values_of<int32_t>(voxels);
  std::vector<int32_t> label(value.size(), 0);
  int32_t last = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == 0 || label[i] != 0) continue;
    label[i] = ++last;
    std::vector<std::size_t> stack{i};
    while (!stack.empty()) {
      const auto at = static_cast<int64_t>(stack.back());
      stack.pop_back();
      for (const LatticeStep& s : neighbours_of(l, connectivity)) {
        const int64_t z = at / l.nx / l.ny + s.z, y = at / l.nx % l.ny + s.y, x = at % l.nx + s.x;
        if (z < 0 || z >= l.nz || y < 0 || y >= l.ny || x < 0 || x >= l.nx) continue;
        const auto n = static_cast<std::size_t>((z * l.ny + y) * l.nx + x);
        if (value[n] != value[i] || label[n] != 0) continue;
        label[n] = last;
        stack.push_back(n);
      }
    }
  }
  return at::tensor(at::ArrayRef<int32_t>(label), at::kInt).view(voxels.sizes());
}

// Masks with many touching and diagonal parts, and labels of several numbers.
std::vector<at::Tensor> samples() {
  std::vector<at::Tensor> all;
  for (int i = 0; i < 5; ++i) {
    const at::Tensor v = test::blobs(test::small_shape(i), 100 + i, i % 2);
    all.push_back(v.gt(0.2));
    all.push_back((v * 1.2).round().clamp(0, 3).to(i % 2 == 0 ? at::kInt : at::kByte));
  }
  all.push_back(at::zeros({3, 4, 5}, at::kBool));
  all.push_back(at::ones({3, 4, 5}, at::kBool));
  all.push_back(at::ones({1, 1, 1}, at::kBool));
  all.push_back(test::blobs({1, 30, 41}, 9).gt(0));
  return all;
}

// Labels slab by slab, cut before these slices.
at::Tensor in_slabs(const at::Tensor& v, Connectivity c, const std::vector<int64_t>& cuts, SlabComponents& slabs) {
  std::vector<at::Tensor> parts;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) parts.push_back(v.slice(0, cuts[i], cuts[i + 1]));
  slabs = SlabComponents({c, {}});
  for (const at::Tensor& p : parts) slabs.add(p, p.eq(1)).or_throw();
  slabs.finish().or_throw();
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = slabs.labels(parts[i], static_cast<int64_t>(i)).or_throw();
  return at::cat(parts);
}

}  // namespace

class ComponentsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void numbers_are_those_of_a_search_in_raster_order() {
    for (const at::Tensor& v : samples())
      for (const Connectivity c : all_connectivities) {
        const Components found = components(v, {c, {}}).or_throw();
        const at::Tensor expected = by_search(v, c);
        QVERIFY(at::equal(found.labels, expected));
        QCOMPARE(found.count(), expected.max().item<int64_t>());
        for (int64_t i = 0; i < found.count(); ++i)
          QCOMPARE(found.voxels[static_cast<std::size_t>(i)], expected.eq(i + 1).sum().item<int64_t>());
      }
  }
  void a_slice_has_four_or_eight_neighbours() {
    const at::Tensor diagonal = at::eye(4, at::kBool);
    QCOMPARE(components(diagonal, {}).or_throw().count(), int64_t{4});
    QCOMPARE(components(diagonal, {Connectivity::edges, {}}).or_throw().count(), int64_t{1});
    QCOMPARE(components(diagonal, {Connectivity::corners, {}}).or_throw().count(), int64_t{1});
    QCOMPARE(labelled(diagonal).sizes(), at::IntArrayRef({4, 4}));
  }
  void threads_change_nothing() {
    const at::Tensor v = test::blobs({40, 60, 50}, 7, 1).gt(0.1);
    const int before = at::get_num_threads();
    for (const Connectivity c : all_connectivities) {
      at::set_num_threads(1);
      const at::Tensor one = labelled(v, c);
      for (const int threads : {2, 3, 7}) {
        at::set_num_threads(threads);
        QVERIFY(at::equal(labelled(v, c), one));
      }
    }
    at::set_num_threads(before);
  }
  // The same parts after a flip, though numbered in another order: pairs of numbers occur together one to one.
  void flips_keep_the_parts() {
    const at::Tensor v = test::blobs({11, 23, 17}, 3, 1).gt(0.1);
    for (const Connectivity c : all_connectivities)
      for (const std::vector<int64_t>& axes : {std::vector<int64_t>{0}, {1}, {2}, {0, 1, 2}}) {
        const at::Tensor a = labelled(v, c).to(at::kLong), b = labelled(v.flip(axes).contiguous(), c).flip(axes);
        const int64_t count = a.max().item<int64_t>();
        QCOMPARE(b.max().item<int64_t>(), count);
        const at::Tensor pairs = std::get<0>(at::_unique2((a * (count + 1) + b).view(-1)));
        QCOMPARE(pairs.numel(), count + 1);
      }
  }
  void slabs_give_the_numbers_of_the_whole() {
    for (const at::Tensor& v : samples())
      for (const Connectivity c : all_connectivities) {
        const int64_t n = v.size(0);
        std::vector<int64_t> single(static_cast<std::size_t>(n) + 1);
        std::iota(single.begin(), single.end(), 0);
        const Components whole = components(v, {c, {}}).or_throw();
        for (const std::vector<int64_t>& cuts :
             {std::vector<int64_t>{0, n}, {0, n / 2, n}, {0, n / 3, n / 3 + 1, n}, single}) {
          if (n < 3 && cuts.size() > 2) continue;
          SlabComponents slabs({});
          QVERIFY(at::equal(in_slabs(v, c, cuts, slabs), whole.labels));
          QCOMPARE(slabs.voxels(), whole.voxels);
          for (int64_t i = 0; i < whole.count(); ++i) {
            const at::Tensor own = whole.labels.eq(i + 1), inner = own.slice(1, 1, -1).slice(2, 1, -1);
            const at::Tensor inside = n > 1 ? inner.slice(0, 1, -1) : inner;
            QCOMPARE(slabs.at_border()[static_cast<std::size_t>(i)],
                     inside.sum().item<int64_t>() < own.sum().item<int64_t>());
            QCOMPARE(slabs.marked()[static_cast<std::size_t>(i)], own.logical_and(v.eq(1)).any().item<bool>());
          }
        }
      }
  }
  void slabs_refuse_what_does_not_fit() {
    SlabComponents slabs({});
    QVERIFY(!slabs.add(at::ones({4, 5}, at::kBool)).ok());
    QVERIFY(slabs.add(at::ones({2, 4, 5}, at::kBool)).ok());
    QVERIFY(!slabs.add(at::ones({2, 4, 6}, at::kBool)).ok());
    QVERIFY(slabs.add(at::ones({1, 4, 5}, at::kBool)).ok());
    QVERIFY_THROWS_EXCEPTION(Failure, (void)slabs.labels(at::ones({2, 4, 5}, at::kBool), 0));
    QVERIFY(slabs.finish().ok());
    QVERIFY_THROWS_EXCEPTION(Failure, (void)slabs.finish());
    QVERIFY(!slabs.labels(at::zeros({2, 4, 5}, at::kBool), 0).ok());
    QVERIFY(!slabs.labels(at::ones({2, 4, 5}, at::kBool), 2).ok());
    SlabComponents empty({});  // without components nothing but the order of calls says what is finished
    QVERIFY(empty.add(at::zeros({2, 4, 5}, at::kBool)).ok());
    QVERIFY_THROWS_EXCEPTION(Failure, (void)empty.labels(at::zeros({2, 4, 5}, at::kBool), 0));
    QVERIFY(empty.finish().ok());
    QVERIFY_THROWS_EXCEPTION(Failure, (void)empty.add(at::zeros({2, 4, 5}, at::kBool)));
    QVERIFY(!empty.labels(at::zeros({2, 4, 5}, at::kBool), 0).or_throw().any().item<bool>());
  }
  void small_objects_vanish() {
    for (const at::Tensor& v : samples()) {
      const at::Tensor labels = labelled(v), large = remove_small(labels, {7, Connectivity::faces, {}}).or_throw();
      for (int64_t i = 1; i <= labels.max().item<int64_t>(); ++i) {
        const at::Tensor own = labels.eq(i);
        QVERIFY(at::equal(large.eq(i), own.sum().item<int64_t>() >= 7 ? own : at::zeros_like(own)));
      }
      if (v.scalar_type() == at::kBool)
        QVERIFY(at::equal(remove_small(v, {7, Connectivity::faces, {}}).or_throw(), large.gt(0)));
      const at::Tensor bytes = labels.clamp_max(255).to(at::kByte);
      const at::Tensor large_bytes = remove_small(bytes, {7, Connectivity::faces, {}}).or_throw();
      QCOMPARE(large_bytes.scalar_type(), at::kByte);
      QVERIFY(at::equal(large_bytes.to(at::kInt),
                        remove_small(bytes.to(at::kInt), {7, Connectivity::faces, {}}).or_throw()));
    }
  }
  // Without memory for the labels between: 2^31 counts are 16 GiB.
  void the_largest_label_is_counted_as_any_other() {
    const at::Tensor labels = at::tensor({0, 2147483647, 2147483647, 5}, at::kInt).view({2, 2});
    QVERIFY(
        at::equal(remove_small(labels, {2, Connectivity::faces, {}}).or_throw(), labels.masked_fill(labels.eq(5), 0)));
  }
  void holes_are_filled() {
    at::Tensor v = at::zeros({5, 9, 9}, at::kBool);
    v.slice(0, 0, 4).slice(1, 1, 8).slice(2, 1, 8) = true;
    v.slice(0, 1, 3).slice(1, 2, 4).slice(2, 2, 4) = false;  // closed, 8 voxels
    v.select(0, 2).select(0, 6).slice(0, 6, 7) = false;      // closed, 1 voxel
    v.select(1, 5).select(1, 4) = false;                     // open along z
    at::Tensor filled = v.clone(), small = v.clone();
    filled.slice(0, 1, 3).slice(1, 2, 4).slice(2, 2, 4) = true;
    filled[2][6][6] = true;
    small[2][6][6] = true;
    QVERIFY(at::equal(fill_holes(v, {}).or_throw(), filled));
    QVERIFY(at::equal(fill_holes(v, {3, {}}).or_throw(), small));
    // In a slice the border along z does not count.
    at::Tensor ring = at::ones({3, 3}, at::kBool);
    ring[1][1] = false;
    QVERIFY(fill_holes(ring, {}).or_throw().all().item<bool>());
    QVERIFY(fill_holes(ring.unsqueeze(0), {}).or_throw().all().item<bool>());
  }
  void hysteresis_keeps_components_of_strong_voxels() {
    for (int i = 0; i < 4; ++i) {
      const at::Tensor v = test::blobs(test::small_shape(i), 60 + i);
      for (const Connectivity c : all_connectivities) {
        const at::Tensor weak = labelled(v.gt(0.3), c);
        at::Tensor expected = at::zeros(v.sizes(), at::kBool);
        for (int64_t n = 1; n <= weak.max().item<int64_t>(); ++n)
          if (weak.eq(n).logical_and(v.gt(1)).any().item<bool>()) expected.logical_or_(weak.eq(n));
        QVERIFY(at::equal(hysteresis(v, {0.3, 1, c, {}}).or_throw(), expected));
      }
    }
    QVERIFY(!hysteresis(at::ones({3, 3}), {2, 1, Connectivity::faces, {}}).ok());
  }
  // One seed: the component, of the voxels within the tolerance, that contains it.
  void one_region_is_the_component_of_its_seed() {
    const at::Tensor v = test::blobs({9, 15, 13}, 5);
    at::Tensor seeds = at::zeros(v.sizes(), at::kInt);
    seeds[4][7][6] = 3;
    const at::Tensor near = labelled((v - v[4][7][6]).abs().le(0.8), Connectivity::edges);
    const at::Tensor grown = region_growing(v, seeds, {0.8, Connectivity::edges, {}}).or_throw();
    QVERIFY(at::equal(grown, near.eq(near[4][7][6]).to(at::kInt) * 3));
  }
  void regions_meet_half_way_and_do_not_enter_what_is_outside() {
    at::Tensor seeds = at::zeros({1, 9}, at::kInt), v = at::ones({1, 9});
    seeds[0][0] = 2;
    seeds[0][8] = 1;
    QCOMPARE(test::values_of<int32_t>(region_growing(v, seeds, {0, Connectivity::faces, {}}).or_throw()),
             std::vector<int32_t>({2, 2, 2, 2, 2, 1, 1, 1, 1}));
    seeds[0][2] = -1;
    v[0][6] = std::numeric_limits<float>::quiet_NaN();
    QCOMPARE(test::values_of<int32_t>(region_growing(v, seeds, {0, Connectivity::faces, {}}).or_throw()),
             std::vector<int32_t>({2, 2, 0, 0, 0, 0, 0, 1, 1}));
  }
  void refusals() {
    QVERIFY(!components(at::ones({3, 3}), {}).ok());
    QVERIFY(!components(at::ones({3}, at::kBool), {}).ok());
    QVERIFY(!components(at::ones({0, 3}, at::kBool), {}).ok());
    QVERIFY(!remove_small(at::full({3, 3}, -1, at::kInt), {}).ok());
    QVERIFY(!remove_small(at::ones({3, 3}, at::kBool), {-1, Connectivity::faces, {}}).ok());
    QVERIFY(!fill_holes(at::ones({3, 3}, at::kInt), {}).ok());
    const auto no_seeds = region_growing(at::ones({3, 3}), at::zeros({3, 3}, at::kInt), {});
    QVERIFY(!no_seeds.ok() && no_seeds.error().what.find("no seeds") != std::string::npos);
    QVERIFY(!region_growing(at::ones({3, 3}), at::ones({3, 4}, at::kInt), {}).ok());
    const at::Tensor nan = at::full({3, 3}, std::numeric_limits<float>::quiet_NaN());
    QVERIFY(!region_growing(nan, at::ones({3, 3}, at::kInt), {}).ok());
  }
  void cancelled_labelling_stops() {
    ComponentsSpec spec;
    spec.cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)components(at::ones({4, 5, 6}, at::kBool), spec));
    const RemoveSmallSpec small{1, Connectivity::faces, spec.cancel};
    for (const at::ScalarType type : {at::kBool, at::kByte, at::kInt})
      QVERIFY_THROWS_EXCEPTION(Failure, (void)remove_small(at::ones({4, 5, 6}, type), small));
  }
};

TL_TEST_CASE(ComponentsTest)

}  // namespace tl::components_test

#include "components.moc"
