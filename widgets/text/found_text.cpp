// Found text: writes learned values with uncertainties, and the words for verdicts, methods and outcomes of learning.
#include "widgets/text/found_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/measured.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/typeset.h"

namespace tl::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Learning", text); }
QString with_unit(const QString& number, Unit unit) {
  const QString symbol = unit_text(unit);
  return typeset(symbol.isEmpty() ? number : number + QLatin1Char(' ') + symbol);
}

// An uncertainty alone.
QString uncertainty_text(double sigma) { return QString::fromStdString(measured_value(sigma, sigma)); }

}  // namespace

QString trust_word(learn::Trust trust) {
  switch (trust) {
    case learn::Trust::resolved:
      return tr("resolved");
    case learn::Trust::railed:
      return tr("railed");
    case learn::Trust::ambiguous:
      return tr("ambiguous");
    case learn::Trust::flat:
      return tr("flat");
    case learn::Trust::not_identifiable:
      return tr("not identifiable");
    case learn::Trust::none:
      break;
  }
  return tr("not judged");
}

QString trust_meaning(learn::Trust trust) {
  switch (trust) {
    case learn::Trust::resolved:
      return tr("The data distinguish this value from its neighbours.");
    case learn::Trust::railed:
      return tr("The loss still falls at the end of the range: widen the range.");
    case learn::Trust::ambiguous:
      return tr("Another value fits about as well: look at the landscape.");
    case learn::Trust::flat:
      return tr("The objective hardly depends on this value.");
    case learn::Trust::not_identifiable:
      return tr("These data do not determine this value, or only a combination with others.");
    case learn::Trust::none:
      break;
  }
  return tr("Uncertainty and verdict were switched off.");
}

QString trust_tone(learn::Trust trust) {
  switch (trust) {
    case learn::Trust::resolved:
      return QStringLiteral("good");
    case learn::Trust::railed:
    case learn::Trust::ambiguous:
      return QStringLiteral("warning");
    case learn::Trust::flat:
    case learn::Trust::not_identifiable:
      return QStringLiteral("error");
    case learn::Trust::none:
      break;
  }
  return {};
}

QString method_name(learn::Method method) {
  switch (method) {
    case learn::Method::automatic:
      return tr("Automatic");
    case learn::Method::newton:
      return tr("Newton, trust region");
    case learn::Method::sgd:
      return tr("Gradient descent");
    case learn::Method::nesterov:
      return tr("Nesterov");
    case learn::Method::adam:
      return tr("Adam");
    case learn::Method::lbfgs:
      return tr("L-BFGS");
  }
  return {};
}

QString outcome_word(learn::Outcome outcome) {
  switch (outcome) {
    case learn::Outcome::accepted:
      return tr("accepted");
    case learn::Outcome::rejected:
      return tr("rejected");
    case learn::Outcome::undecided:
      break;
  }
  return tr("undecided");
}

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
  QString text = QCoreApplication::translate("Learning", "%n values, ", nullptr, static_cast<int>(found.value.size())) +
                 with_unit(tr("%1 to %2").arg(text_of(*low), text_of(*high)), found.unit);
  if (worst > 0) text += QStringLiteral(" ± ") + with_unit(uncertainty_text(worst), found.unit);
  return text;
}

}  // namespace tl::ui
