// Networks that are programs: they run only where they were trusted, byte for byte; they give the numbers and gradients
// of the same layers; whatever they do wrong becomes an error.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/io/bytes/input_files.h"
#include "core/net/script/script_module.h"
#include "core/net/script/trusted_programs.h"
#include "gpu/operator/forward_mode.h"
#include "tests/support/file_tree.h"
#include "tests/support/python_arrays.h"
#include "tests/support/script_maker.h"
#include "tests/support/test_case.h"

namespace tl::programs_test {

using namespace net;
namespace fs = std::filesystem;

namespace {

const std::string two_layers =
    "def forward(self, x):\n"
    "    y = torch.relu(torch.conv2d(x, self.first, self.bias, padding=[1, 1]))\n"
    "    return torch.conv2d(y, self.second)\n";

std::map<std::string, at::Tensor> weights(at::ScalarType type = at::kFloat) {
  const auto numbers = [&](at::IntArrayRef shape, double pitch) {
    return at::arange(c10::multiply_integers(shape), at::kDouble).mul(pitch).sin().view(shape).to(type);
  };
  return {{"first", numbers({4, 1, 3, 3}, 1.7)}, {"bias", numbers({4}, 0.9)}, {"second", numbers({3, 4, 1, 1}, 2.3)}};
}

at::Tensor two_layers_of_torch(const at::Tensor& x, const std::map<std::string, at::Tensor>& w) {
  return at::conv2d(at::relu(at::conv2d(x, w.at("first"), w.at("bias"), {1, 1}, {1, 1})), w.at("second"));
}

at::Tensor picture(at::ScalarType type = at::kFloat) {
  return at::arange(63, at::kDouble).mul(0.37).cos().view({1, 1, 7, 9}).to(type);
}

int mode_of(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<int>(status.st_mode & 0777) : -1;
}

}  // namespace

class Programs : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> dir_;
  fs::path path(const std::string& name) const { return fs::path(dir_->path().toStdString()) / name; }
  fs::path folder() const { return path("data") / "tomoloom" / "programs"; }

  // A program from its source, trusted and loaded.
  ScriptModule loaded(const std::string& source, const std::map<std::string, at::Tensor>& parameters = {}) const {
    const fs::path file = path("network.pt");
    test::save_script(file, source, parameters);
    return ScriptModule::load(trust_program(file).or_throw(), "network.pt").or_throw();
  }
  void expect_failure(const std::string& source, const std::string& words) const {
    const auto made = loaded(source).scores(picture(), 3);
    QVERIFY2(!made.ok(), words.c_str());
    const Error& e = made.error();
    QVERIFY2(e.what.find(words) != std::string::npos, e.message().c_str());
    QVERIFY2(e.kind == ErrorKind::invalid && e.where == "network.pt" && !e.hint.empty(), e.message().c_str());
  }
  template <class T>
  static void expect_error(const Result<T>& result, ErrorKind kind, const std::string& words) {
    QVERIFY2(!result.ok(), words.c_str());
    const Error& e = result.error();
    QVERIFY2(e.kind == kind && e.message().find(words) != std::string::npos, e.message().c_str());
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    test::use_data_folder(path("data"));
  }

  void scores_are_those_of_the_same_layers() {
    const at::AutoGradMode off(false);
    const ScriptModule program = loaded(two_layers, weights());
    QCOMPARE(program.bytes(), int64_t{4 * (36 + 4 + 12)});
    const at::Tensor expected = two_layers_of_torch(picture(), weights());
    for (int call = 0; call < 3; ++call)  // torch looks for shortcuts in the first ones
      QVERIFY(program.scores(picture(), 3).or_throw().equal(expected));
    // In the type of its weights; the result in that of the input.
    const at::Tensor exact = program.scores(picture(at::kDouble), 3).or_throw();
    QVERIFY(exact.scalar_type() == at::kDouble && exact.equal(expected.to(at::kDouble)));
  }

  // The files that people bring: torch.jit.script and torch.jit.trace of a module, as Python saves them.
  void files_of_pytorch_run() {
    if (const QString why = test::PythonArrays::missing("torch"); !why.isEmpty()) QSKIP(qPrintable(why));
    const test::PythonArrays python("torch");
    python.put("x", picture());
    python.run(QString(R"(
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3, padding=1), torch.nn.BatchNorm2d(4), torch.nn.ReLU(),
                                          torch.nn.Dropout(0.5), torch.nn.Conv2d(4, 3, 1))
    def forward(self, x):
        return self.layers(x)
torch.manual_seed(1)
net, x = Net(), torch.from_numpy(load('x', 'f4').copy())
with torch.no_grad():
    net(3 * x + 1)  # statistics of the batch norm
    torch.jit.script(net).save('%1')
    net.eval()
    torch.jit.trace(net, x).save('%2')
    save('y', net(x).numpy(), 'f4')
)")
                   .arg(QString::fromStdString(path("scripted.pt")), QString::fromStdString(path("traced.pt"))));
    const at::Tensor expected = python.get("y", at::kFloat);
    const at::AutoGradMode off(false);
    for (const char* name : {"scripted.pt", "traced.pt"}) {
      const ScriptModule program = ScriptModule::load(trust_program(path(name)).or_throw(), name).or_throw();
      const at::Tensor made = program.scores(picture(), 3).or_throw();
      constexpr double float32_sums = 1e-6;
      QVERIFY2((made - expected).abs().max().item<double>() <= float32_sums * expected.abs().max().item<double>(),
               name);
    }
  }

  void gradients_pass_to_the_input_alone() {
    const ScriptModule program = loaded(two_layers, weights(at::kDouble));
    const at::Tensor weight = at::arange(189, at::kDouble).mul(0.7).sin().view({1, 3, 7, 9});
    const auto value = [&](const at::Tensor& x) { return (program.scores(x, 3).or_throw().square() * weight).sum(); };
    const at::Tensor x = picture(at::kDouble).requires_grad_();
    for (int call = 0; call < 3; ++call) {
      x.mutable_grad() = at::Tensor();
      value(x).backward();
    }
    const at::Tensor direction = at::arange(63, at::kDouble).mul(1.3).sin().view({1, 1, 7, 9});
    constexpr double h = 1e-6;
    const at::AutoGradMode off(false);
    const double slope = (value(x + h * direction) - value(x - h * direction)).item<double>() / (2 * h);
    const double found = (x.grad() * direction).sum().item<double>();
    QVERIFY2(std::abs(slope) > 0.1 && std::abs(found - slope) < 1e-7 * std::abs(slope),
             (std::to_string(slope) + " " + std::to_string(found)).c_str());
  }

  // Forward mode would lose its tangents in the interpreter: it is refused, and learning goes backwards.
  void tangents_are_refused() {
    const ScriptModule program = loaded(two_layers, weights());
    const ForwardDirection direction;
    expect_error(program.scores(dual(picture(), picture()), 3), ErrorKind::unavailable, "backwards only");
  }

  void what_programs_may_give() {
    const at::AutoGradMode off(false);
    const at::Tensor x = picture();
    const at::Tensor three = at::cat({x, x, x}, 1);
    QVERIFY(loaded("def forward(self, x):\n    return {\"aux\": x, \"out\": torch.cat([x, x, x], 1)}\n")
                .scores(x, 3)
                .or_throw()
                .equal(three));
    QVERIFY(loaded("def forward(self, x):\n    return x\n").scores(x, 2).or_throw().equal(x));  // one of two classes
    QVERIFY(loaded("def forward(self, x):\n    return torch.cat([x, x, x], 1)\n")
                .scores(x.unsqueeze(2), 3)
                .or_throw()
                .equal(three.unsqueeze(2)));
    // In evaluation mode.
    QVERIFY(loaded("def forward(self, x):\n    return torch.cat([torch.dropout(x, 0.5, self.training), x], 1)\n")
                .scores(x, 2)
                .or_throw()
                .equal(at::cat({x, x}, 1)));
  }

  void what_programs_do_wrong_is_reported() {
    const at::AutoGradMode off(false);
    expect_failure("def forward(self, x):\n    return torch.cat([x, x], 1)\n", "gives 1 x 2 x 7 x 9");
    expect_failure("def forward(self, x):\n    return x\n", "gives 1 x 1 x 7 x 9");
    expect_failure("def forward(self, x):\n    return torch.cat([x, x, x], 1)[0]\n", "gives 3 x 7 x 9");
    expect_failure("def forward(self, x):\n    return torch.sum(x)\n", "gives one number");
    expect_failure("def forward(self, x):\n    return torch.cat([x, x, x], 1)[:, :, 1:]\n", "gives 1 x 3 x 6 x 9");
    expect_failure("def forward(self, x):\n    return torch.cat([x, x, x], 1).long()\n", "Long");
    expect_failure("def forward(self, x):\n    return (x, x)\n", "of the type Tuple");
    expect_failure("def forward(self, x):\n    return {\"in\": x}\n", "of the type GenericDict");
    expect_failure("def forward(self, x):\n    return torch.log(torch.cat([x, x, x], 1) - 9)\n", "not finite");
    expect_failure("def forward(self, x):\n    assert x.size(2) == x.size(3), \"only squares\"\n    return x\n",
                   "only squares");
    expect_failure("def forward(self, x):\n    return torch.conv2d(x, torch.ones([2, 5, 3, 3]))\n", "channels");
    expect_failure("def forward(self):\n    return 1\n", "forward");
  }

  void a_program_without_forward() {
    test::save_script(path("n.pt"), "def other(self, x):\n    return x\n");
    expect_error(ScriptModule::load(trust_program(path("n.pt")).or_throw(), "n.pt"), ErrorKind::invalid,
                 "no forward()");
  }

  void a_lost_gradient_is_not_zero() {
    const at::Tensor x = picture().requires_grad_();
    const auto made = loaded("def forward(self, x):\n    return torch.cat([x, x, x], 1).detach()\n").scores(x, 3);
    expect_error(made, ErrorKind::invalid, "have no gradient");
  }

  // The modes of the thread are its own again, also where the program fails.
  void modes_stay() {
    const ScriptModule program = loaded(
        "def forward(self, x):\n    torch.set_grad_enabled(False)\n    assert x.size(0) > 1, \"stop\"\n    return x\n");
    QVERIFY(at::GradMode::is_enabled());
    QVERIFY(!program.scores(picture(), 3).ok());
    QVERIFY(at::GradMode::is_enabled());
  }

  void trust_is_a_private_copy() {
    const fs::path file = path("network.pt");
    test::save_script(file, two_layers, weights());
    expect_error(trusted_copy(file), ErrorKind::invalid, not_trusted);
    expect_error(check_trusted(file), ErrorKind::invalid, "tomoloom trust " + file.string());
    QVERIFY(!fs::exists(path("data")));  // asking leaves nothing
    const fs::path copy = trust_program(file).or_throw();
    QCOMPARE(copy.parent_path(), folder());
    QCOMPARE(test::contents(copy), test::contents(file));
    QCOMPARE(mode_of(copy), 0400);
    QCOMPARE(mode_of(folder()), 0700);
    QCOMPARE(test::tree_of(folder()).size(), std::size_t{1});
    QCOMPARE(trusted_copy(file).or_throw(), copy);
    QVERIFY(check_trusted(file).ok());
    QCOMPARE(trust_program(file).or_throw(), copy);
    // The bytes are trusted, wherever they are.
    fs::copy_file(file, path("elsewhere.pt"));
    QCOMPARE(trusted_copy(path("elsewhere.pt")).or_throw(), copy);
    QVERIFY(forget_program(file).or_throw());
    QVERIFY(!fs::exists(copy));
    expect_error(check_trusted(file), ErrorKind::invalid, not_trusted);
    QVERIFY(!forget_program(file).or_throw());
    // The copy's own name does, too.
    QVERIFY(forget_program(trust_program(file).or_throw()).or_throw());
    expect_error(trusted_copy(file), ErrorKind::invalid, not_trusted);
  }

  void another_byte_is_another_program() {
    const fs::path file = path("network.pt");
    test::save_script(file, two_layers, weights());
    (void)trust_program(file).or_throw();
    QVERIFY(check_trusted(file).ok());
    struct stat before {};
    QVERIFY(::stat(file.c_str(), &before) == 0);
    std::string bytes = test::contents(file);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    test::put(file, bytes);
    expect_error(check_trusted(file), ErrorKind::invalid, not_trusted);
    expect_error(trusted_copy(file), ErrorKind::invalid, not_trusted);
    // Also with the size and the time of the trusted one.
    const timespec times[2] = {before.st_atim, before.st_mtim};
    QVERIFY(utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
    QVERIFY(io::stamp_of(before) == *io::stamp_of(file));
    expect_error(trusted_copy(file), ErrorKind::invalid, not_trusted);
  }

  // A file of the right name in the folder is not consent.
  void a_copy_that_was_changed_is_not_used() {
    const fs::path file = path("network.pt");
    test::save_script(file, two_layers, weights());
    const fs::path copy = trust_program(file).or_throw();
    QVERIFY(check_trusted(file).ok());
    std::string bytes = test::contents(copy);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add);
    test::put(copy, bytes);
    fs::permissions(copy, fs::perms::owner_write, fs::perm_options::remove);
    expect_error(trusted_copy(file), ErrorKind::invalid, not_trusted);
    expect_error(check_trusted(file), ErrorKind::invalid, not_trusted);
    QCOMPARE(trust_program(file).or_throw(), copy);
    QVERIFY(check_trusted(file).ok());
    // The bytes alone, as a pipeline's output could have put them there, are not consent.
    fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add);
    expect_error(trusted_copy(file), ErrorKind::invalid, not_trusted);
    QCOMPARE(trust_program(file).or_throw(), copy);
    QCOMPARE(mode_of(copy), 0400);
    QVERIFY(trusted_copy(file).ok());
    fs::permissions(folder(), fs::perms::group_write, fs::perm_options::add);
    for (const auto& result : {trusted_copy(file), trust_program(file)})
      expect_error(result, ErrorKind::unavailable, "chmod 700");
    expect_error(check_trusted(file), ErrorKind::unavailable, "chmod 700");
    fs::permissions(folder(), fs::perms::group_write, fs::perm_options::remove);
    fs::rename(copy, path("moved.pt"));
    fs::create_symlink(path("moved.pt"), copy);
    QVERIFY(!trusted_copy(file).ok());
  }

  void where_the_copies_are() {
    test::use_data_folder("relative");
    QVERIFY(programs_folder().or_throw().is_absolute());
    test::use_data_folder(path("data"));
    QCOMPARE(programs_folder().or_throw(), folder());
    std::ofstream(path("data")) << "a file";
    test::save_script(path("network.pt"), two_layers, weights());
    QVERIFY(!trust_program(path("network.pt")).ok());
  }

  void other_files_are_refused() {
    test::put(path("empty.pt"), "");
    test::put(path("random.pt"), "\x80\x02nothing of the kind");
    for (const char* name : {"empty.pt", "random.pt"}) {
      expect_error(trust_program(path(name)), ErrorKind::invalid, "not a TorchScript file");
      expect_error(trusted_copy(path(name)), ErrorKind::invalid, "not a TorchScript file");
    }
    std::ofstream(path("huge.pt")) << "PK\x03\x04";
    fs::resize_file(path("huge.pt"), uintmax_t{3} << 30);
    expect_error(trust_program(path("huge.pt")), ErrorKind::invalid, "MiB");
    expect_error(trust_program(path("none.pt")), ErrorKind::io, "cannot be read");
    expect_error(trust_program(path("")), ErrorKind::io, "not a regular file");
    QVERIFY(mkfifo(path("pipe.pt").c_str(), 0600) == 0);
    expect_error(trust_program(path("pipe.pt")), ErrorKind::io, "not a regular file");
    QVERIFY(!fs::exists(folder()));
  }

  void damaged_programs_are_refused() {
    const fs::path file = path("network.pt"), damaged = path("damaged.pt");
    test::save_script(file, two_layers, weights());
    const std::string good = test::contents(file);
    const auto load = [&](const std::string& bytes) {
      test::put(damaged, bytes);
      return ScriptModule::load(trust_program(damaged).or_throw(), "damaged.pt");
    };
    QVERIFY(load(good).ok());
    for (const std::size_t size : {std::size_t{4}, good.size() / 3, good.size() / 2, good.size() - 1})
      expect_error(load(good.substr(0, size)), ErrorKind::invalid, "damaged.pt");
    // A zip archive without a program, and one whose code is none.
    std::string other = good;
    for (std::size_t at = 0; (at = other.find("code/", at)) != std::string::npos;) other.replace(at, 4, "edoc");
    expect_error(load(other), ErrorKind::invalid, "damaged.pt");
    std::string wrong = good;
    const std::size_t at = wrong.find("code/__torch__");
    QVERIFY(at != std::string::npos && at + 160 < wrong.size());
    wrong.replace(at + 60, 100, std::string(100, 'Z'));
    expect_error(load(wrong), ErrorKind::invalid, "damaged.pt");
  }
};

TL_TEST_CASE(Programs)

}  // namespace tl::programs_test

#include "programs.moc"
