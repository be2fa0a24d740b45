// Found text: writes learned values with uncertainties, and the words for verdicts, methods and decisions of learning.
#include "widgets/text/found_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/measured.h"
#include "core/learn/learning.h"
#include "core/values/enum_rows.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/typeset.h"

namespace tl::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Learning", text); }
QString with_unit(const QString& number, Unit unit) {
  const QString symbol = unit_text(unit);
  return typeset(symbol.isEmpty() ? number : number + QLatin1Char(' ') + symbol);
}

struct TrustRow {
  learn::Trust value;
  const char *word, *meaning;
  QLatin1StringView tone;
};
constexpr TrustRow trusts[] = {
    {learn::Trust::none,
     QT_TRANSLATE_NOOP("Learning", "not judged"),
     QT_TRANSLATE_NOOP("Learning", "Uncertainty and verdict were switched off."),
     {}},
    {learn::Trust::resolved, QT_TRANSLATE_NOOP("Learning", "resolved"),
     QT_TRANSLATE_NOOP("Learning", "The data distinguish this value from its neighbours."), QLatin1StringView("good")},
    {learn::Trust::railed, QT_TRANSLATE_NOOP("Learning", "railed"),
     QT_TRANSLATE_NOOP("Learning", "The loss still falls at the end of the range: widen the range."),
     QLatin1StringView("warning")},
    {learn::Trust::ambiguous, QT_TRANSLATE_NOOP("Learning", "ambiguous"),
     QT_TRANSLATE_NOOP("Learning", "Another value fits about as well: look at the landscape."),
     QLatin1StringView("warning")},
    {learn::Trust::flat, QT_TRANSLATE_NOOP("Learning", "flat"),
     QT_TRANSLATE_NOOP("Learning", "The objective hardly depends on this value."), QLatin1StringView("error")},
    {learn::Trust::not_identifiable, QT_TRANSLATE_NOOP("Learning", "not identifiable"),
     QT_TRANSLATE_NOOP("Learning", "These data do not determine this value, or only a combination with others."),
     QLatin1StringView("error")},
};
static_assert(has_rows_up_to(trusts, learn::Trust::not_identifiable));

template <class Enum>
struct Worded {
  Enum value;
  const char* name;
};
constexpr Worded<learn::Method> methods[] = {
    {learn::Method::automatic, QT_TRANSLATE_NOOP("Learning", "Automatic")},
    {learn::Method::newton, QT_TRANSLATE_NOOP("Learning", "Newton, trust region")},
    {learn::Method::sgd, QT_TRANSLATE_NOOP("Learning", "Gradient descent")},
    {learn::Method::nesterov, QT_TRANSLATE_NOOP("Learning", "Nesterov")},
    {learn::Method::adam, QT_TRANSLATE_NOOP("Learning", "Adam")},
    {learn::Method::lbfgs, QT_TRANSLATE_NOOP("Learning", "L-BFGS")},
};
constexpr Worded<learn::Decision> decisions[] = {
    {learn::Decision::accepted, QT_TRANSLATE_NOOP("Learning", "accepted")},
    {learn::Decision::rejected, QT_TRANSLATE_NOOP("Learning", "rejected")},
    {learn::Decision::undecided, QT_TRANSLATE_NOOP("Learning", "undecided")},
};

// An uncertainty alone.
QString uncertainty_text(double sigma) { return QString::fromStdString(measured_value(sigma, sigma)); }

}  // namespace

QString trust_word(learn::Trust trust) { return tr(enum_row(trusts, trust).word); }
QString trust_meaning(learn::Trust trust) { return tr(enum_row(trusts, trust).meaning); }
QString trust_tone(learn::Trust trust) { return enum_row(trusts, trust).tone; }
QString method_name(learn::Method method) { return tr(enum_row(methods, method).name); }
QString decision_word(learn::Decision decision) { return tr(enum_row(decisions, decision).name); }

QString iterations_text(int64_t count) { return count == 1 ? tr("1 iteration") : tr("%1 iterations").arg(count); }

QString found_text(double value, double sigma, Unit unit) {
  return with_unit(QString::fromStdString(measured_text(value, sigma)), unit);
}

QString found_text(const learn::Found& found) {
  if (!learn::is_determined(found.trust)) return tr("not known");
  if (found.value.size() == 1)
    return found_text(found.value[0], found.uncertainty.empty() ? 0 : found.uncertainty[0], found.unit);
  if (!found.shape.empty()) {
    const QString text = shape_words(found.shape);
    if (found.uncertainty.empty()) return text;
    return text + QStringLiteral(" ± ") +
           with_unit(uncertainty_text(learn::root_mean_square(found.uncertainty)), found.unit);
  }
  if (found.value.empty()) return {};
  const auto [low, high] = std::minmax_element(found.value.begin(), found.value.end());
  const double worst =
      found.uncertainty.empty() ? 0 : *std::max_element(found.uncertainty.begin(), found.uncertainty.end());
  const auto text_of = [worst](double v) { return QString::fromStdString(measured_value(v, worst)); };
  const QString values =
      QCoreApplication::translate("Learning", "%n values, %1 to %2", nullptr, static_cast<int>(found.value.size()))
          .arg(text_of(*low), text_of(*high));
  QString text = with_unit(values, found.unit);
  if (worst > 0) text += QStringLiteral(" ± ") + with_unit(uncertainty_text(worst), found.unit);
  return text;
}

}  // namespace tl::ui
