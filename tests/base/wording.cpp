// Wording: one text with two wordings: each front end gets its own, whatever the text was joined with.
#include "core/base/wording.h"

#include "tests/support/test_case.h"

namespace tl::wording_test {

class WordingTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void each_front_end_has_its_own();
  void messages_and_hints_are_joined_first();
  void stray_marks_lose_no_text();
};

void WordingTest::each_front_end_has_its_own() {
  const std::string text = "Choose another name" + two_wordings(" (--overwrite)", ", or answer Replace") + ".";
  QCOMPARE(wording_for(FrontEnd::command_line, text), std::string("Choose another name (--overwrite)."));
  QCOMPARE(wording_for(FrontEnd::window, text), std::string("Choose another name, or answer Replace."));
  QCOMPARE(wording_for(FrontEnd::window, "plain"), std::string("plain"));
  QCOMPARE(wording_for(FrontEnd::window, ""), std::string());
}

void WordingTest::messages_and_hints_are_joined_first() {
  const Error error = invalid("it exists", "a.tif", two_wordings("--overwrite", "Replace") + ". 2 more problems");
  QCOMPARE(error.message(), std::string("it exists (a.tif). --overwrite. 2 more problems"));
  QCOMPARE(message_for(FrontEnd::window, error), std::string("it exists (a.tif). Replace. 2 more problems"));
  // Several in one text.
  const std::string two = two_wordings("a", "b") + "-" + two_wordings("c", "");
  QCOMPARE(wording_for(FrontEnd::command_line, two), std::string("a-c"));
  QCOMPARE(wording_for(FrontEnd::window, two), std::string("b-"));
}

void WordingTest::stray_marks_lose_no_text() {
  const std::string whole = two_wordings("left", "right");
  for (std::size_t length = 1; length < whole.size(); ++length)
    QCOMPARE(wording_for(FrontEnd::window, whole.substr(0, length)), whole.substr(0, length));
}

TL_TEST_CASE(WordingTest)

}  // namespace tl::wording_test

#include "wording.moc"
