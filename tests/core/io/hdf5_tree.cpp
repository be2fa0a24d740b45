// The tree of an HDF5 file: groups, datasets, links that lead, miss or go to other files, filters that are missing, and
// files that are damaged or too large to list.
#include <QTemporaryDir>

#include "core/io/hdf5/tree_text.h"
#include "core/io/process/remote_scan.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::hdf5_tree_test {

using io::LinkState;
using io::TreeEntry;
using io::TreeKind;
using tl::test::Hdf5Maker;
using tl::test::mentions;
using tl::test::ramp;
namespace fs = std::filesystem;

namespace {

// The entry of a path; an empty one if there is none.
TreeEntry entry_of(const io::Hdf5Tree& tree, const std::string& path) {
  for (const TreeEntry& entry : tree.entries)
    if (entry.path == path) return entry;
  return {};
}

// A dataset whose chunks name a filter that no library has.
void make_filtered(Hdf5Maker& h5, const std::string& name, H5Z_filter_t filter) {
  const hsize_t shape[] = {4, 4}, chunk[] = {2, 2};
  const hid_t space = H5Screate_simple(2, shape, nullptr), plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 2, chunk);
  H5Pset_filter(plist, filter, H5Z_FLAG_OPTIONAL, 0, nullptr);
  H5Dclose(H5Dcreate2(h5.file(), name.c_str(), H5T_NATIVE_UINT16, space, H5P_DEFAULT, plist, H5P_DEFAULT));
  H5Pclose(plist);
  H5Sclose(space);
}

}  // namespace

class Hdf5TreeTest : public test::ScanFolder {
  Q_OBJECT

  [[nodiscard]] fs::path scan() const {
    if (fs::exists(path("scan.h5"))) return path("scan.h5");
    Hdf5Maker h5(path("scan.h5").string());
    h5.text("/entry/definition", "none known");
    h5.frames<uint16_t>("/entry/imaging/data", 6, 4, 5, 0, {1, 4, 5}, test::Packing::deflate);
    h5.frames<float>("/entry/imaging/small", 2, 4, 5, 0);
    h5.numbers<double>("/entry/imaging/stage", {6}, ramp(6, 0, 10), "deg");
    h5.numbers<double>("/entry/gap", {}, {3.5}, "mm");
    h5.attribute("/entry", "NX_class", "NXentry");
    h5.attribute("/entry", "default", "imaging");
    h5.attribute("/entry/imaging", "axes", std::vector<std::string>{"stage", ".", "."});
    h5.attribute("/entry/imaging", "signal", int64_t{1});
    h5.soft_link("/entry/imaging/data", "/frames");
    h5.soft_link("/nowhere", "/gone");
    h5.external_link("other.h5", "/raw", "/outside");
    h5.external_link("missing.h5", "/raw", "/lost");
    H5Lcreate_hard(h5.file(), "/entry", h5.file(), "/entry/again", H5P_DEFAULT, H5P_DEFAULT);
    make_filtered(h5, "/packed", 32015);
    Hdf5Maker(path("other.h5").string()).numbers<double>("/raw", {1}, {1});
    return path("scan.h5");
  }

 private Q_SLOTS:
  void groups_and_datasets() {
    const io::Hdf5Tree tree = io::read_hdf5_tree(scan()).or_throw();
    QVERIFY(tree.left_out.empty());
    QCOMPARE(tree.entries.front().path, std::string("/"));
    const TreeEntry data = entry_of(tree, "/entry/imaging/data"), stage = entry_of(tree, "/entry/imaging/stage");
    QVERIFY(data.kind == TreeKind::dataset && data.type == "uint16" && data.shape == (std::vector<int64_t>{6, 4, 5}));
    QCOMPARE(data.storage, std::string("chunks 1 x 4 x 5, deflate (1)"));
    QVERIFY(stage.unit == "deg" && stage.type == "float64" && stage.storage.empty());
    QVERIFY(entry_of(tree, "/entry/gap").shape.empty() && entry_of(tree, "/entry/definition").type == "text");
    using Attributes = std::vector<std::pair<std::string, std::string>>;
    QCOMPARE(entry_of(tree, "/entry").attributes, (Attributes{{"NX_class", "NXentry"}, {"default", "imaging"}}));
    QCOMPARE(entry_of(tree, "/entry/imaging").attributes, (Attributes{{"signal", "1"}, {"axes", "stage, ., ."}}));
    QCOMPARE(io::possible_frames(tree), (std::vector<std::string>{"/entry/imaging/data", "/entry/imaging/small"}));
  }

  void links_are_listed_and_not_followed() {
    const io::Hdf5Tree tree = io::read_hdf5_tree(scan()).or_throw();
    const auto is = [&](const char* path, TreeKind kind, LinkState state, const char* target) {
      const TreeEntry entry = entry_of(tree, path);
      return entry.kind == kind && entry.link == state && entry.target == target;
    };
    QVERIFY(is("/frames", TreeKind::soft_link, LinkState::leads, "/entry/imaging/data"));
    QVERIFY(is("/gone", TreeKind::soft_link, LinkState::missing, "/nowhere"));
    QVERIFY(is("/outside", TreeKind::external_link, LinkState::not_followed, "other.h5:/raw"));
    QVERIFY(is("/lost", TreeKind::external_link, LinkState::missing, "missing.h5:/raw"));
    // A circle is listed once.
    QVERIFY(is("/entry/again", TreeKind::group, LinkState::none, "/entry"));
    QVERIFY(entry_of(tree, "/entry/again/imaging").path.empty());
  }

  void missing_filters_are_named() {
    const io::Hdf5Tree tree = io::read_hdf5_tree(scan()).or_throw();
    const TreeEntry packed = entry_of(tree, "/packed");
    QVERIFY(mentions(packed.storage, {"chunks 2 x 2", "zstd (32015)"}));
    QVERIFY2(mentions(packed.problem, {"filter 32015 (zstd)", "not installed"}), packed.problem.c_str());
  }

  void text_and_json() {
    const io::Hdf5Tree tree = io::read_hdf5_tree(scan()).or_throw();
    const std::string text = io::describe(tree), json = io::describe_json(tree);
    QVERIFY2(mentions(text, {"/entry/imaging/data", "uint16 6 x 4 x 5, chunks 1 x 4 x 5, deflate (1)",
                             "float64 6 [deg]", "group, NX_class=NXentry, default=imaging", "-> /nowhere (missing)",
                             "-> other.h5:/raw (another file)", "the same group as /entry"}),
             text.c_str());
    QVERIFY2(mentions(json, {"\"path\": \"/entry/imaging/data\"", "\"link\": \"not followed\"", "\"unit\": \"deg\""}),
             json.c_str());
    // Names that control a terminal are shown as text.
    Hdf5Maker(path("control.h5").string()).numbers<double>("/a\x1b[2Jb", {1}, {1});
    QVERIFY(mentions(io::describe(io::read_hdf5_tree(path("control.h5")).or_throw()), {"\\x1b[2J"}));
  }

  void deep_and_large_trees_end() {
    {
      Hdf5Maker h5(path("deep.h5").string());
      std::string name;
      for (int i = 0; i < 60; ++i) name += "/g";
      h5.numbers<double>(name + "/data", {1}, {1});
      for (int i = 0; i < 17000; ++i)
        H5Gclose(H5Gcreate2(h5.file(), ("n" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    const io::Hdf5Tree tree = io::read_hdf5_tree(path("deep.h5")).or_throw();
    QVERIFY(tree.entries.size() <= (std::size_t{1} << 14) && tree.entries.size() > 16000);
    QVERIFY(mentions(tree.left_out, {"more than 32 levels"}));
    QVERIFY(mentions(io::describe(tree), {"not listed: groups more than"}));
  }

  void what_is_not_an_hdf5_file_is_refused() {
    const auto refused = [&](const char* name, std::initializer_list<std::string> words) {
      const auto tree = io::read_hdf5_tree(path(name));
      QVERIFY(!tree.ok());
      QVERIFY2(mentions(tree.error().message(), words), tree.error().message().c_str());
    };
    refused("nothing.h5", {"does not exist", "nothing.h5"});
    test::put(path("text.h5"), "no tree");
    refused("text.h5", {"not an HDF5 file", "text.h5"});
    const std::string whole = test::contents(scan());
    test::put(path("half.h5"), whole.substr(0, whole.size() / 2));
    refused("half.h5", {"half.h5"});
  }
};

TL_TEST_CASE(Hdf5TreeTest)

}  // namespace tl::hdf5_tree_test

#include "hdf5_tree.moc"
