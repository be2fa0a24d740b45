// The datasets of a file of no known layout: suggestions by shapes and names, what does not fit, and the same choice in
// other files of that layout.
#include "core/io/hdf5/dataset_choice.h"

#include "core/io/open_scan.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::dataset_choice_test {

using io::DatasetChoice;
using io::DatasetRole;
using tl::test::Hdf5Maker;
using tl::test::ramp;
namespace fs = std::filesystem;

class DatasetChoiceTest : public test::ScanFolder {
  Q_OBJECT

  [[nodiscard]] io::Hdf5Tree scan(const std::string& name, int number, hsize_t views) const {
    const std::string group = "/run_" + std::to_string(number);
    {
      Hdf5Maker h5(path(name).string());
      h5.frames<uint16_t>(group + "/images", views, 3, 5, 1);
      h5.frames<float>(group + "/white", 2, 3, 5, 900);
      h5.numbers<double>(group + "/dark", {3, 5}, ramp(15, 7, 0));
      h5.numbers<double>(group + "/theta_set", {views}, ramp(static_cast<int>(views), 0, 30), "deg");
      h5.numbers<double>(group + "/theta", {views}, ramp(static_cast<int>(views), 0, 30), "deg");
      h5.numbers<double>(group + "/height", {views}, ramp(static_cast<int>(views), 0, 1), "mm");
      h5.soft_link(group + "/images", "/shortcut");
      h5.soft_link("/nowhere", "/broken");
    }
    return io::read_hdf5_tree(path(name)).or_throw();
  }

 private Q_SLOTS:
  void what_is_suggested_opens_as_a_scan() {
    const io::Hdf5Tree tree = scan("scan.h5", 1, 6);
    const DatasetChoice choice = io::suggested_choice(tree);
    QCOMPARE(choice[DatasetRole::frames], std::string("/run_1/images"));
    QCOMPARE(choice[DatasetRole::flats], std::string("/run_1/white"));
    QCOMPARE(choice[DatasetRole::darks], std::string("/run_1/dark"));
    QCOMPARE(choice[DatasetRole::angles], std::string("/run_1/theta"));
    QVERIFY(choice[DatasetRole::kinds].empty());
    for (const DatasetRole role : io::dataset_roles) QCOMPARE(io::problem_of(tree, choice, role), std::string());
    QCOMPARE(io::settings_of(choice), (std::vector<std::string>{"data=/run_1/images", "flats=/run_1/white",
                                                                "darks=/run_1/dark", "angles_dataset=/run_1/theta"}));
    const auto opened = io::open_scan(path("scan.h5"), {},
                                      {.choices = {.data = choice[DatasetRole::frames],
                                                   .flats = choice[DatasetRole::flats],
                                                   .darks = choice[DatasetRole::darks],
                                                   .angles_dataset = choice[DatasetRole::angles]}})
                            .or_throw();
    QCOMPARE(opened->info().views, 6);
    QCOMPARE(opened->info().flats, 2);
    QCOMPARE(opened->info().darks, 1);
  }

  void keys_are_suggested_where_nothing_else_marks_flats() {
    {
      Hdf5Maker h5(path("keys.h5").string());
      h5.frames<uint16_t>("/images", 6, 3, 5, 1);
      h5.numbers<int32_t>("/image_key", {6}, {2, 1, 0, 0, 0, 0});
    }
    const DatasetChoice choice = io::suggested_choice(io::read_hdf5_tree(path("keys.h5")).or_throw());
    QCOMPARE(choice[DatasetRole::kinds], std::string("/image_key"));
    QVERIFY(io::suggested_choice({}).empty());
  }

  void what_does_not_fit_has_a_reason() {
    const io::Hdf5Tree tree = scan("wrong.h5", 1, 6);
    const auto problem = [&](DatasetRole role, const std::string& path) {
      DatasetChoice choice;
      choice[DatasetRole::frames] = "/run_1/images";
      choice[role] = path;
      return io::problem_of(tree, choice, role);
    };
    QVERIFY(test::mentions(problem(DatasetRole::frames, "/run_1/dark"), {"three dimensions", "3 x 5"}));
    QVERIFY(test::mentions(problem(DatasetRole::frames, ""), {"must be named"}));
    QVERIFY(test::mentions(problem(DatasetRole::frames, "/run_1"), {"not a dataset"}));
    QVERIFY(test::mentions(problem(DatasetRole::frames, "/broken"), {"not a dataset"}));
    QVERIFY(test::mentions(problem(DatasetRole::flats, "/run_1/theta"), {"differ from those of the frames"}));
    QVERIFY(test::mentions(problem(DatasetRole::kinds, "/run_1/dark"), {"one number per frame", "6"}));
    QVERIFY(test::mentions(problem(DatasetRole::angles, "/run_1/white"), {"must be a list"}));
    QVERIFY(test::mentions(problem(DatasetRole::darks, "/none"), {"no dataset of that name"}));
    // What a link leads to is not listed: nothing is said about it.
    QCOMPARE(problem(DatasetRole::frames, "/shortcut"), std::string());
    DatasetChoice both;
    both[DatasetRole::frames] = "/run_1/images";
    both[DatasetRole::flats] = "/run_1/white";
    both[DatasetRole::kinds] = "/run_1/theta";
    QVERIFY(test::mentions(io::problem_of(tree, both, DatasetRole::kinds), {"not both"}));
  }

  // Sizes and the numbers in names differ from scan to scan; a name more is another layout.
  void the_choice_is_found_again_in_the_same_layout() {
    const io::Hdf5Tree first = scan("first.h5", 1, 6), second = scan("second.h5", 27, 9);
    QCOMPARE(io::layout_fingerprint(first), io::layout_fingerprint(second));
    const auto again = io::choice_in(second, io::suggested_choice(first));
    QVERIFY(again.has_value());
    QCOMPARE((*again)[DatasetRole::frames], std::string("/run_27/images"));
    QCOMPARE((*again)[DatasetRole::angles], std::string("/run_27/theta"));
    {
      Hdf5Maker h5(path("other.h5").string());
      h5.frames<uint16_t>("/run_1/images", 6, 3, 5, 1);
    }
    const io::Hdf5Tree other = io::read_hdf5_tree(path("other.h5")).or_throw();
    QVERIFY(io::layout_fingerprint(first) != io::layout_fingerprint(other));
    QVERIFY(!io::choice_in(other, io::suggested_choice(first)).has_value());
    // Two that differ in their numbers alone: neither is meant.
    {
      Hdf5Maker h5(path("two.h5").string());
      for (const char* group : {"/run_2", "/run_3"}) h5.frames<uint16_t>(std::string(group) + "/images", 6, 3, 5, 1);
    }
    DatasetChoice frames;
    frames[DatasetRole::frames] = "/run_1/images";
    const io::Hdf5Tree two = io::read_hdf5_tree(path("two.h5")).or_throw();
    QVERIFY(!io::choice_in(two, frames).has_value());
    frames[DatasetRole::frames] = "/run_3/images";
    QCOMPARE((*io::choice_in(two, frames))[DatasetRole::frames], std::string("/run_3/images"));
  }
};

TL_TEST_CASE(DatasetChoiceTest)

}  // namespace tl::dataset_choice_test

#include "dataset_choice.moc"
