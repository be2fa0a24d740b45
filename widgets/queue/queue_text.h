// Texts of a row of the queue: state, time, values found, notes.
#pragma once

#include <QString>
#include <QStringList>

#include "widgets/queue/queue_session.h"
#include "widgets/theme/tokens.h"

namespace tl::ui {

// Two lines, each in a colour of its own.
struct RowText {
  QString first, second;
  Token first_color = Token::text, second_color = Token::text_second;
};

RowText scan_text(const QueueSession& queue, const tl::ScanRow& row);
RowText pipeline_text(const tl::ScanRow& row);
// "fbp.cutoff 0.8"; "as the pipeline".
RowText changed_text(const tl::ScanRow& row);
QString changes_to_edit(const tl::ScanRow& row);  // "fbp.cutoff=0.8; axis.axis=3"
// Glyph, word and colour.
RowText row_state_text(const QueueSession& queue, const tl::ScanRow& row);
RowText time_text(const QueueSession& queue, const tl::ScanRow& row);
RowText notes_text(const QueueSession& queue, const tl::ScanRow& row);
QStringList all_notes(const QueueSession& queue, const tl::ScanRow& row);

// A value that the run found: "axis.axis" with its number, standard deviation, unit and verdict from the table.
struct FoundValue {
  QString name, text, verdict;
  Token color = Token::text_second;  // of the verdict
};
std::vector<FoundValue> found_values_of(const tl::ScanRow& row);
// The axis if one was found, else the first value.
RowText found_value_text(const tl::ScanRow& row);

}  // namespace tl::ui
