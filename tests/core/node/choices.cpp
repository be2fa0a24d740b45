// Choices: read and written by their values, whatever their order; wrong declarations are refused at registration.
#include "core/base/choices.h"

#include "core/node/node_builder.h"
#include "tests/support/test_case.h"

namespace tl::choices_test {

namespace {

enum class Window { ramp, hann, tukey };
struct Params {
  Window window = Window::hann;
  std::optional<Window> other;
};

using Windows = Choices<Window>;
const Windows sound = {{Window::tukey, "tukey", "Tukey"}, {Window::hann, "hann", "Hann"}};
Windows declared = sound;

void describe(NodeBuilder<Params>& n) { n.param("window", "window", &Params::window, declared).help("Window."); }

// What the registration of a node with these choices is refused for; empty if it is not.
std::string refused(const Windows& choices) {
  declared = choices;
  try {
    NodeBuilder<Params>::build(describe);
  } catch (const Failure& f) {
    return f.error().message();
  }
  return {};
}

}  // namespace

class ChoicesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void values_are_found_whatever_their_order() {
    declared = sound;
    const NodeType type = NodeBuilder<Params>::build(describe);
    const ParamDecl& window = *type.param("window");
    QCOMPARE(std::get<std::string>(window.initial), std::string("hann"));
    Params p;
    window.assign(&p, std::string("tukey"));
    QVERIFY(p.window == Window::tukey);
    QCOMPARE(std::get<std::string>(window.read(&p)), std::string("tukey"));
    QVERIFY(!window.validate(std::string("ramp")).ok());
  }

  void nothing_may_be_one_of_them() {
    const auto with_automatic = +[](NodeBuilder<Params>& n) {
      n.param("other", "other", &Params::other,
              {{std::nullopt, "automatic", "Automatic"}, {Window::ramp, "ramp", "Ramp"}});
    };
    const NodeType type = NodeBuilder<Params>::build(with_automatic);
    QCOMPARE(std::get<std::string>(type.param("other")->initial), std::string("automatic"));
    Params p;
    type.param("other")->assign(&p, std::string("ramp"));
    QVERIFY(p.other == Window::ramp);
  }

  void wrong_declarations_are_refused() {
    QCOMPARE(refused(sound), std::string());
    const auto value_twice = refused({{Window::hann, "hann", "Hann"}, {Window::hann, "ramp", "Ramp"}});
    QVERIFY2(value_twice.find("the same value") != std::string::npos, value_twice.c_str());
    const auto name_twice = refused({{Window::hann, "hann", "Hann"}, {Window::ramp, "hann", "Ramp"}});
    QVERIFY2(name_twice.find("the same name") != std::string::npos, name_twice.c_str());
    const auto no_default = refused({{Window::ramp, "ramp", "Ramp"}, {Window::tukey, "tukey", "Tukey"}});
    QVERIFY2(no_default.find("not among the choices") != std::string::npos, no_default.c_str());
  }
};

TL_TEST_CASE(ChoicesTest)

}  // namespace tl::choices_test

#include "choices.moc"
