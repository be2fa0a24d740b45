// Parameters: what a declaration accepts, how values are written and read, and how they reach the node's struct.
#include "core/node/params.h"

#include <ATen/ATen.h>

#include "core/node/nearest.h"
#include "tests/support/sample_nodes.h"
#include "tests/support/test_case.h"

namespace tl::params_test {

namespace {

const NodeType& filter() {
  static const Registry r = sample::registry();
  return *r.find("sample.filter");
}
const ParamDecl& decl(const char* name) { return *filter().param(name); }

void expect_refused(const char* name, const ParamValue& value, const std::string& part) {
  const auto valid = decl(name).validate(value);
  QVERIFY2(!valid.ok(), name);
  QCOMPARE(valid.error().kind, ErrorKind::invalid);
  QVERIFY2(valid.error().message().find(part) != std::string::npos, valid.error().message().c_str());
}

void expect_read(const char* name, const std::string& text, const ParamValue& value) {
  const auto read = parse_value(decl(name), text);
  QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
  QVERIFY2(read.value() == value, to_text(read.value()).c_str());
}

}  // namespace

class ParamsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_builder_declares_kind_unit_and_default() {
    const std::map<std::string, std::pair<ParamKind, ParamValue>> expected = {
        {"flag", {ParamKind::flag, true}},
        {"count", {ParamKind::integer, int64_t{3}}},
        {"factor", {ParamKind::number, Number{0.25, Unit::none}}},
        {"mode", {ParamKind::choice, std::string("fancy")}},
        {"note", {ParamKind::text, std::string("none")}},
        {"out", {ParamKind::path, std::string()}},
        {"weights", {ParamKind::numbers, NumberList{{1, 2.5}, Unit::none}}},
        {"shifts", {ParamKind::numbers, NumberList{{}, Unit::px}}},
        {"energy", {ParamKind::number, std::monostate{}}},
        {"rows", {ParamKind::integer, std::monostate{}}},
        {"axis", {ParamKind::number, Number{-3.5, Unit::px}}},
        {"drift", {ParamKind::numbers, NumberList{{}, Unit::px}}},
        {"picture", {ParamKind::array, std::monostate{}}}};
    for (const auto& [name, want] : expected) {
      QVERIFY2(decl(name.c_str()).kind == want.first, name.c_str());
      QVERIFY2(decl(name.c_str()).initial == want.second, name.c_str());
    }
    // Stored in mm and rad, declared in um and deg.
    const auto pixel = std::get<Number>(decl("pixel").initial), angle = std::get<Number>(decl("angle").initial);
    QVERIFY(qFuzzyCompare(pixel.value, 1.1) && pixel.unit == Unit::um);
    QVERIFY(qFuzzyCompare(angle.value, 20.0) && angle.unit == Unit::deg);
    QCOMPARE(decl("axis").title, std::string("Rotation axis"));
    QCOMPARE(decl("drift").title, std::string("drift"));
    QVERIFY(decl("axis").learnable && decl("axis").set_tensor && !decl("factor").set_tensor);
    QCOMPARE(decl("note").level, ParamLevel::advanced);
    QCOMPARE(decl("out").path, PathRole::output);
    QCOMPARE(decl("mode").choices.size(), std::size_t{3});
  }

  void a_decimal_comma_is_read_where_it_is_clear() {
    expect_read("factor", "0,5", Number{0.5, Unit::none});
    expect_read("factor", "-,25", Number{-0.25, Unit::none});
    expect_read("factor", "0,125", Number{0.125, Unit::none});
    expect_read("factor", "1,5e3", Number{1500, Unit::none});
    expect_read("pixel", "1,1 um", Number{1.1, Unit::um});
    expect_read("pixel", "1234,567", Number{1234.567, Unit::um});
    expect_read("weights", "1,5", NumberList{{1, 5}, Unit::none});
    expect_read("weights", "1,5; 2", NumberList{{1.5, 2}, Unit::none});
    const auto unclear = parse_value(decl("factor"), "1,250");
    QVERIFY(!unclear.ok());
    QCOMPARE(unclear.error().hint, std::string("Write 1.250 or 1250"));
    for (const char* text : {"1,2,3", "1.000,5", ",", "1,", "a,5"})
      QVERIFY2(!parse_value(decl("factor"), text).ok(), text);
  }

  void a_wrong_unit_names_the_units_of_the_quantity() {
    QCOMPARE(parse_value(decl("pixel"), "3 parsec").error().hint, std::string("Give it in um, mm, nm, cm or m"));
    QCOMPARE(decl("pixel").validate(Number{1, Unit::keV}).error().hint, std::string("Give it in um, mm, nm, cm or m"));
    QCOMPARE(parse_value(decl("axis"), "3 parsec").error().hint, std::string("Give it in px"));
    QCOMPARE(parse_value(decl("factor"), "3 parsec").error().hint, std::string("Give a plain number"));
  }

  void values_reach_the_struct_and_come_back() {
    const auto params = filter().make_params();
    auto& p = *static_cast<sample::FilterParams*>(params.get());
    const auto assign = [&](const char* name, const ParamValue& v) {
      decl(name).assign(params.get(), to_stored(v));
      QVERIFY2(in_unit(decl(name).read(params.get()), decl(name).unit) == v, name);
    };
    assign("flag", false);
    assign("count", int64_t{-2});
    assign("factor", Number{0.5, Unit::none});
    assign("pixel", Number{2.5, Unit::um});
    assign("angle", Number{90, Unit::deg});
    assign("mode", std::string("wild"));
    assign("note", std::string("x"));
    assign("weights", NumberList{{3}, Unit::none});
    assign("shifts", NumberList{{1, 2}, Unit::px});
    assign("energy", Number{12, Unit::none});
    assign("rows", int64_t{4});
    assign("axis", Number{7, Unit::px});
    assign("drift", NumberList{{1}, Unit::px});
    QVERIFY(!p.flag && p.count == -2 && p.factor == 0.5 && p.mode == sample::Mode::wild && p.note == "x");
    QCOMPARE(p.pixel.value, 2.5e-3);
    QCOMPARE(p.angle.value, pi / 2);
    QVERIFY(p.weights == std::vector<double>{3} && p.shifts == (std::vector<double>{1, 2}));
    QVERIFY(p.energy == 12.0 && p.rows == int64_t{4} && p.axis.value == 7 && p.drift.value == std::vector<double>{1});
    const NumberArray picture = NumberArray::make({1, 3}, {1, -2.5F, 0.25F}, Unit::um).or_throw();
    assign("picture", picture);
    QVERIFY(p.picture.value->unit() == Unit::mm && p.picture.value->values()[1] == -2.5e-3F);
    assign("picture", std::monostate{});
    QVERIFY(!p.picture.value);
    assign("energy", std::monostate{});
    assign("rows", std::monostate{});
    QVERIFY(!p.energy && !p.rows);
  }

  void arrays_are_shared_and_compared_by_their_numbers() {
    const NumberArray a = NumberArray::make({2, 2}, {1, 2, 3, 4}, Unit::px).or_throw(), copy = a;
    QVERIFY(&copy.values() == &a.values());
    QVERIFY(NumberArray::make({2, 2}, {1, 2, 3, 4}, Unit::px).or_throw() == a);
    QVERIFY(!(NumberArray::make({4}, {1, 2, 3, 4}, Unit::px).or_throw() == a));
    QVERIFY(!(NumberArray::make({2, 2}, {1, 2, 3, 5}, Unit::px).or_throw() == a));
    QVERIFY(!(NumberArray::make({2, 2}, {1, 2, 3, 4}).or_throw() == a));
    QCOMPARE(to_text(ParamValue(a)), "array 2 x 2 px " + a.digest());
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{}, {3}, {-2, -2}, {int64_t{1} << 40, int64_t{1} << 40}, {0}})
      QVERIFY2(!NumberArray::make(shape, {1, 2, 3, 4}).ok(), shape_text(shape).c_str());
    QVERIFY(!NumberArray::filled({NumberArray::max_values + 1}, 0).ok());
    QVERIFY(!decl("picture").validate(NumberArray::filled({2}, 1, Unit::keV).or_throw()).ok());
    QVERIFY(!decl("picture").validate(NumberArray::filled({2}, NAN, Unit::um).or_throw()).ok());
  }

  void a_learnable_given_as_tensor_is_what_the_node_computes_with() {
    const auto params = filter().make_params();
    auto& p = *static_cast<sample::FilterParams*>(params.get());
    QCOMPARE(tensor_of(p.axis).item<double>(), -3.5);
    QCOMPARE(tensor_of(p.axis).scalar_type(), at::kDouble);
    QCOMPARE(tensor_of(p.drift).numel(), int64_t{0});
    const at::Tensor supplied = at::scalar_tensor(2.0, at::kDouble);
    decl("axis").set_tensor(params.get(), supplied);
    QVERIFY(tensor_of(p.axis).is_same(supplied));
    decl("drift").set_tensor(params.get(), at::ones({3}, at::kDouble));
    QCOMPARE(tensor_of(p.drift).numel(), int64_t{3});
  }

  void text_is_read() {
    expect_read("flag", "yes", true);
    expect_read("flag", "0", false);
    expect_read("count", " -5 ", int64_t{-5});
    expect_read("factor", "1e-3", Number{1e-3, Unit::none});
    expect_read("pixel", "1.1", Number{1.1, Unit::um});  // the declared unit
    expect_read("pixel", "1.1e-3 mm", Number{1.1e-3, Unit::mm});
    expect_read("pixel", "1.1um", Number{1.1, Unit::um});
    expect_read("mode", "wild", std::string("wild"));
    expect_read("note", "auto", std::string("auto"));
    expect_read("energy", "auto", std::monostate{});
    expect_read("rows", "auto", std::monostate{});
    expect_read("weights", "1, 2,3", NumberList{{1, 2, 3}, Unit::none});
    expect_read("shifts", "1,2 px", NumberList{{1, 2}, Unit::px});
    expect_read("shifts", "1,2", NumberList{{1, 2}, Unit::px});
    expect_read("shifts", "", NumberList{{}, Unit::px});
  }
  void wrong_text_is_refused() {
    for (const auto& [name, text] : std::vector<std::pair<const char*, std::string>>{{"flag", "maybe"},
                                                                                     {"flag", "True "},
                                                                                     {"count", "1.5"},
                                                                                     {"count", ""},
                                                                                     {"count", "99999999999999999999"},
                                                                                     {"factor", ""},
                                                                                     {"factor", "x"},
                                                                                     {"factor", "auto"},
                                                                                     {"factor", "1 2"},
                                                                                     {"factor", "1e999"},
                                                                                     {"pixel", "1 furlong"},
                                                                                     {"weights", "1,,2"},
                                                                                     {"weights", "1,"},
                                                                                     {"weights", "1 2"},
                                                                                     {"shifts", "1 px, 2 px"},
                                                                                     {"shifts", "1 mm, 2 px"}}) {
      const auto read = parse_value(decl(name), text);
      QVERIFY2(!read.ok(), (std::string(name) + " = " + text).c_str());
      QVERIFY2(!read.error().hint.empty(), read.error().message().c_str());
      QCOMPARE(read.error().where, std::string(name));
    }
  }
  void text_round_trip() {
    for (const ParamDecl& d : filter().params) {
      const auto read = parse_value(d, to_text(d.initial));
      QVERIFY2(read.ok() && read.value() == d.initial, d.name.c_str());
    }
    expect_read("shifts", to_text(NumberList{{0.1, 1.0 / 3}, Unit::px}), NumberList{{0.1, 1.0 / 3}, Unit::px});
  }

  void ranges_hold_in_any_unit() {
    QVERIFY(decl("pixel").validate(Number{0.01, Unit::um}).ok());
    QVERIFY(decl("pixel").validate(Number{1, Unit::mm}).ok());  // exactly at the end, after conversion
    QVERIFY(decl("pixel").validate(Number{10, Unit::nm}).ok());
    expect_refused("pixel", Number{1.001, Unit::mm}, "0.01 um to 1000 um");
    expect_refused("pixel", Number{1, Unit::deg}, "Give it in um");
    expect_refused("pixel", Number{1, Unit::none}, "Give it in um");
    expect_refused("factor", Number{1, Unit::px}, "plain number");
    expect_refused("factor", Number{std::nan(""), Unit::none}, "finite");
    expect_refused("count", int64_t{11}, "-5 to 10");
    expect_refused("rows", int64_t{0}, "1 to inf");
    expect_refused("weights", NumberList{{1, 101}, Unit::none}, "out of range");
    expect_refused("weights", NumberList{{1, -1}, Unit::none}, "out of range");
  }
  void kinds_are_not_mixed() {
    expect_refused("flag", int64_t{1}, "a flag");
    expect_refused("count", Number{1, Unit::none}, "an integer");
    expect_refused("factor", int64_t{1}, "a number");
    expect_refused("factor", std::monostate{}, "cannot be auto");
    expect_refused("mode", int64_t{1}, "a choice");
    expect_refused("mode", std::string("fency"), "\"fancy\"");
    expect_refused("weights", Number{1, Unit::none}, "a list of numbers");
    expect_refused("energy", std::string("auto"), "or auto");
    QVERIFY(decl("energy").validate(std::monostate{}).ok());
  }
  void texts_must_fit_a_file() {
    QVERIFY(decl("note").validate(std::string("\xc2\xb5m \xe2\x82\xac \xf0\x9f\x98\x80\n")).ok());
    for (const std::string& bad :
         {std::string("a\0b", 3), std::string("\xff"), std::string("\xc0\xaf"), std::string("\xed\xa0\x80"),
          std::string("\xf4\x90\x80\x80"), std::string("\xe2\x82"), std::string("\xe0\x80\x80"), std::string("\x80")}) {
      expect_refused("note", bad, "UTF-8");
      expect_refused("out", bad, "Rename");
    }
  }

  void the_nearest_name_is_suggested() {
    const std::vector<std::string> names = {"window", "cutoff", "axis"};
    QCOMPARE(nearest("windw", names), std::string("window"));
    QCOMPARE(nearest("axes", names), std::string("axis"));
    QCOMPARE(nearest("temperature", names), std::string());
    QCOMPARE(suggest("windw", names), std::string("Did you mean \"window\"?"));
    QCOMPARE(suggest("temperature", names), std::string("Known: window, cutoff, axis"));
    QCOMPARE(suggest("x", {}), std::string("There are none"));
    QCOMPARE(nearest(std::string(1'000'000, 'x'), names), std::string());
  }
};

TL_TEST_CASE(ParamsTest)

}  // namespace tl::params_test

#include "params.moc"
