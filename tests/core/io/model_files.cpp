// Model files: what is written comes back, any change is noticed, wrong files are refused.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <filesystem>
#include <fstream>

#include "core/io/model/safetensors.h"
#include "core/net/files/network_file.h"
#include "tests/support/test_case.h"

namespace tl::model_files_test {

namespace {

Model sample() {
  Model m;
  m.description = "a text with \"quotes\", ä and {braces}";
  m.arrays["weights"] = at::arange(24, at::kFloat).view({2, 3, 4}).mul(0.37);
  m.arrays["half"] = at::arange(6, at::kHalf);
  m.arrays["brain"] = at::arange(6, at::kBFloat16);
  m.arrays["double"] = at::arange(5, at::kDouble).mul(-1.1);
  m.arrays["bytes"] = at::arange(7, at::kByte);
  m.arrays["signs"] = at::arange(7, at::kChar).neg();
  m.arrays["short"] = at::arange(3, at::kShort).neg();
  m.arrays["int"] = at::arange(3, at::kInt).neg();
  m.arrays["long"] = at::arange(3, at::kLong).neg();
  m.arrays["mask"] = at::arange(3, at::kInt).gt(1);
  m.arrays["scalar"] = at::full({}, 2.5);
  m.arrays["empty"] = at::empty({0, 3}, at::kFloat);
  return m;
}

void expect_same(const Model& a, const Model& b) {
  QCOMPARE(a.description, b.description);
  QCOMPARE(a.arrays.size(), b.arrays.size());
  for (const auto& [name, array] : a.arrays) {
    QVERIFY2(b.arrays.count(name) == 1, name.c_str());
    const at::Tensor& other = b.arrays.at(name);
    QVERIFY2(array.scalar_type() == other.scalar_type() && array.equal(other), name.c_str());
  }
}

// A file with this header, in which ' stands for ", and so many bytes behind it.
std::string file_with(std::string header, std::size_t bytes) {
  std::replace(header.begin(), header.end(), '\'', '"');
  std::string text(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) text[i] = static_cast<char>(header.size() >> (8 * i));
  return text + header + std::string(bytes, '\1');
}

}  // namespace

class ModelFilesTest : public QObject {
  Q_OBJECT

  static bool refused(const std::string& bytes, const std::string& what) {
    const auto read = io::model_from_safetensors(bytes, "m.safetensors");
    if (read.ok()) return false;
    const Error& e = read.error();
    if (e.what.find(what) == std::string::npos) qWarning("%s", e.message().c_str());
    return e.kind == ErrorKind::invalid && e.where == "m.safetensors" && !e.hint.empty() &&
           e.what.find(what) != std::string::npos;
  }

 private Q_SLOTS:
  void what_is_written_comes_back() {
    const std::string bytes = io::to_safetensors(sample());
    expect_same(sample(), io::model_from_safetensors(bytes, "test").or_throw());
    QCOMPARE(io::to_safetensors(sample()), bytes);
    expect_same(Model{}, io::model_from_safetensors(io::to_safetensors({}), "test").or_throw());
  }

  void arrays_begin_at_multiples_of_eight() {
    const std::string bytes = io::to_safetensors(sample());
    QCOMPARE(static_cast<unsigned char>(bytes[0]) % 8, 0);
  }

  void any_changed_byte_is_noticed() {
    const std::string good = io::to_safetensors(sample());
    const std::size_t header = 8 + static_cast<unsigned char>(good[0]) + 256U * static_cast<unsigned char>(good[1]);
    for (std::size_t i = header; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ 4);
      QVERIFY(refused(bad, "checksum") || refused(bad, "truth"));
    }
    for (std::size_t length = 0; length < good.size(); length += 7)
      QVERIFY(!io::model_from_safetensors(good.substr(0, length), "test").ok());
    QVERIFY(refused(good + "x", "more or fewer bytes"));
  }

  void files_of_other_programs_are_read() {
    const Model m =
        io::model_from_safetensors(file_with("{'a':{'dtype':'U8','shape':[2,2],'data_offsets':[0,4]}}", 4), "test")
            .or_throw();
    QVERIFY(m.description.empty() && m.arrays.at("a").equal(at::ones({2, 2}, at::kByte)));
  }

  void wrong_headers_are_refused() {
    QVERIFY(refused("", "too short"));
    QVERIFY(refused(std::string(8, '\xff'), "beyond the end"));
    QVERIFY(refused(file_with("[1, 2]", 0), "not JSON"));
    QVERIFY(refused(file_with("{", 0), "not JSON"));
    QVERIFY(refused(file_with(std::string(100, '[') + std::string(100, ']'), 0), "not JSON"));
    const auto array = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
      return "{'a':{'dtype':'" + dtype + "','shape':" + shape + ",'data_offsets':" + offsets + "}}";
    };
    QVERIFY(refused(file_with(array("F8", "[4]", "[0,4]"), 4), "of the type"));
    QVERIFY(refused(file_with(array("F32", "[4]", "[0,4]"), 4), "as its shape says"));
    QVERIFY(refused(file_with(array("U8", "[4]", "[0,8]"), 4), "beyond the end"));
    QVERIFY(refused(file_with(array("U8", "[4]", "[4,0]"), 4), "beyond the end"));
    QVERIFY(refused(file_with(array("U8", "[-4]", "[0,4]"), 4), "has no shape"));
    QVERIFY(refused(file_with(array("U8", "[4.5]", "[0,4]"), 4), "has no shape"));
    QVERIFY(refused(file_with(array("U8", "[4294967296,4294967296]", "[0,4]"), 4), "shape says"));
    QVERIFY(refused(file_with(array("U8", "[0,9223372036854775807]", "[0,0]"), 0), "has no shape"));
    QVERIFY(refused(file_with(array("U8", "[2]", "[2,4]"), 4), "leaves a gap"));
    QVERIFY(refused(file_with(array("U8", "[2]", "[0,2]"), 4), "more or fewer bytes"));
    QVERIFY(refused(file_with(array("U8", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,1]"), 1), "dimensions"));
    QVERIFY(refused(file_with("{'a':3}", 0), "no type"));
    QVERIFY(refused(file_with("{'__metadata__':3}", 0), "metadata"));
    QVERIFY(refused(
        file_with(
            "{'a':{'dtype':'U8','shape':[2],'data_offsets':[0,2]},'b':{'dtype':'U8','shape':[2],'data_offsets':[1,3]}}",
            3),
        "overlaps"));
    QVERIFY(!io::read_model("no/such/file.safetensors").ok());
  }

  // Not cut in silence: the sizes of sparse files cost nothing.
  void files_that_are_too_large_are_refused_unread() {
    const QTemporaryDir dir;
    for (const char* name : {"large.safetensors", "large.onnx"}) {
      const std::filesystem::path file = std::filesystem::path(dir.path().toStdString()) / name;
      std::ofstream(file) << "x";
      std::filesystem::resize_file(file, static_cast<uintmax_t>(io::max_model_bytes) + 1);
      const auto bytes = io::model_file_bytes(file);
      QVERIFY(!bytes.ok());
      QCOMPARE(bytes.error().kind, ErrorKind::invalid);
      QVERIFY2(bytes.error().what.find("2048 MiB; models have at most 2047") != std::string::npos,
               bytes.error().message().c_str());
      QVERIFY(!net::read_network(file).ok());
    }
  }
};

TL_TEST_CASE(ModelFilesTest)

}  // namespace tl::model_files_test

#include "model_files.moc"
