// The table of port types: complete, without repetitions, and in agreement with the values of each type.
#include "core/values/port_types.h"

#include <ATen/ATen.h>

#include <set>

#include "core/run/common/value_pieces.h"
#include "tests/support/test_case.h"

namespace tl::port_types_test {

namespace {

constexpr int64_t slices = 6;

// A value of the type with contents; on a grid or of a scan, of `slices` slices or views.
template <class T>
T sample() {
  T value{};
  const auto numbers = [](at::IntArrayRef shape) {
    return at::arange(c10::multiply_integers(shape), at::kFloat).view(shape);
  };
  if constexpr (OnGrid<T>) {
    std::vector<int64_t> shape{slices, 4, 5};
    if (data_axes<T> == 4) shape.insert(shape.begin(), 2);
    value.data = numbers(shape);
    value.grid = VolumeGrid::cubic(slices, 4, 5, 0.5);
  }
  if constexpr (std::is_same_v<T, Projections>) {
    std::vector<double> angles;
    for (int64_t i = 0; i < slices; ++i) angles.push_back(0.1 * static_cast<double>(i));
    value.geometry = ScanGeometry::parallel(angles, {4, 5, 0.5, 0.5}).or_throw();
    value.data = numbers({slices, 4, 5});
  }
  if constexpr (requires { value.value; }) value.value = at::zeros({}, at::kDouble);
  if constexpr (requires { value.columns; }) value.columns = {{"x", Unit::none, {1, 2, 3}}};
  if constexpr (requires { value.energy; }) value.energy = value.weight = {1, 2, 3};
  if constexpr (requires { value.arrays; }) value.arrays["a"] = numbers({3});
  return value;
}

template <class T>
void check_values() {
  const PortTypeRow& row = row_of(PortTypeOf<T>::value);
  const Value whole = sample<T>();
  const std::string name(row.name);
  QVERIFY2(port_type(whole) == row.type, name.c_str());
  QVERIFY2(row.cut == (OnGrid<T> ? Cut::grid : std::is_same_v<T, Projections> ? Cut::scan : Cut::whole), name.c_str());
  QVERIFY2(bytes(whole) > bytes(Value{T{}}), name.c_str());  // its contents count
  if (row.cut == Cut::whole) {
    QVERIFY2(!slice(whole, WholeRegion{}, WholeRegion{}), name.c_str());
    return;
  }
  Region all, first, second;
  if constexpr (OnGrid<T>) {
    const VolumeGrid& grid = std::get<T>(whole).grid;
    all = grid;
    first = grid.slab({0, 2});
    second = grid.slab({2, slices});
  } else if constexpr (std::is_same_v<T, Projections>) {
    ScanRegion views = std::get<T>(whole).geometry.full();
    all = views;
    views.views = {0, 2};
    first = views;
    views.views = {2, slices};
    second = views;
  }
  const auto a = slice(whole, all, first), b = slice(whole, all, second);
  QVERIFY2(a && b, name.c_str());
  QVERIFY2(a->index() == whole.index() && bytes(*a) + bytes(*b) == bytes(whole), name.c_str());
  QVERIFY2(region_bytes(first, 4) < region_bytes(all, 4), name.c_str());
  const Value joined = join({*a, *b}, {first, second}, row.cut == Cut::scan ? CutAxis::views : CutAxis::z, all);
  if constexpr (requires(T v) { v.data; }) {
    QVERIFY2(std::get<T>(joined).data.equal(std::get<T>(whole).data), name.c_str());
    Value copy = whole;
    QVERIFY2(tensors_of(copy).pixels.front()->equal(std::get<T>(whole).data), name.c_str());
  }
}

template <class... All>
void check_all(const std::variant<All...>*) {
  QCOMPARE(port_types().size(), sizeof...(All));
  (check_values<All>(), ...);
}

}  // namespace

class PortTypesTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void every_row_is_complete_and_its_name_unique() {
    std::set<std::string_view> names, shapes;  // some colours are those of several types
    for (const PortTypeRow& row : port_types()) {
      const std::string name(row.name);
      QVERIFY2(!row.name.empty() && !row.colour.empty() && !row.shape.empty(), name.c_str());
      QVERIFY2(names.insert(row.name).second, name.c_str());
      QVERIFY2(shapes.insert(row.shape).second, name.c_str());
      QVERIFY2(&row_of(row.type) == &row && to_string(row.type) == row.name, name.c_str());
      // What is shown as an image has regions; a number or a curve is small.
      QVERIFY2(!is_image(row.type) || has_regions(row.type), name.c_str());
      QVERIFY2(!(is_number(row.type) || is_curve(row.type)) || !has_regions(row.type), name.c_str());
      QVERIFY2(!is_image(row.type) || !row.example.empty(), name.c_str());  // the reference shows what nodes do to it
    }
  }

  void values_agree_with_their_rows() { check_all(static_cast<const Value*>(nullptr)); }
};

TL_TEST_CASE(PortTypesTest)

}  // namespace tl::port_types_test

#include "port_types.moc"
