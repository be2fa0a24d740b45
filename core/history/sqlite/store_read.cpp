// Lists the history by filters, and reads rows.
#include <QSqlError>
#include <QStringList>
#include <array>
#include <map>

#include "core/history/sqlite/sql.h"
#include "core/history/sqlite/store_access.h"
#include "core/history/store.h"

namespace tl::history {
namespace {

// "%text%" for LIKE, with wildcard characters in the text escaped.
QString anywhere(const std::string& wanted) {
  QString escaped = text(wanted);
  for (const QChar mark : {QChar('\\'), QChar('%'), QChar('_')}) escaped.replace(mark, QStringLiteral("\\") + mark);
  return QStringLiteral("%") + escaped + QStringLiteral("%");
}

struct Condition {
  QStringList clauses;
  std::vector<QVariant> values;
  void add(const QString& clause, std::initializer_list<QVariant> more) {
    clauses << clause;
    values.insert(values.end(), more);
  }
};

const QString in_files = QStringLiteral("EXISTS (SELECT 1 FROM files f WHERE f.entry = e.id AND %1)"),
              in_parameters = QStringLiteral("EXISTS (SELECT 1 FROM parameters p WHERE p.entry = e.id AND %1)"),
              path_like = QStringLiteral("CAST(f.path AS TEXT) LIKE ? ESCAPE '\\'");

void want_text(Condition& wanted, const std::string& filter) {
  const QString like = anywhere(filter);
  QStringList places;
  for (const char* const column : {"e.title", "e.error", "e.kind", "e.state", "e.digest"})
    places << QStringLiteral("%1 LIKE ? ESCAPE '\\'").arg(QLatin1String(column));
  places << in_files.arg(path_like);
  QStringList parts;
  for (const char* const column : {"p.node", "p.name", "p.value", "p.verdict"})
    parts << QStringLiteral("%1 LIKE ? ESCAPE '\\'").arg(QLatin1String(column));
  places << in_parameters.arg(QStringLiteral("(%1)").arg(parts.join(QStringLiteral(" OR "))));
  wanted.clauses << QStringLiteral("(%1)").arg(places.join(QStringLiteral(" OR ")));
  for (qsizetype i = 0; i < places.size() - 1 + parts.size(); ++i) wanted.values.emplace_back(like);
}

// "axis", "axis.axis", "axis.axis<3", "method = fbp"
Result<void> want_parameter(Condition& wanted, const std::string& filter) {
  static constexpr std::array<const char*, 5> signs = {"<=", ">=", "<", ">", "="};
  const QString whole = text(filter).trimmed();
  QString name = whole, sign, value;
  for (const char* const one : signs) {
    const qsizetype at = whole.indexOf(QLatin1String(one));
    if (at < 0) continue;
    name = whole.left(at).trimmed();
    sign = QLatin1String(one);
    value = whole.mid(at + sign.size()).trimmed();
    break;
  }
  bool is_number = false;
  const double number = value.toDouble(&is_number);
  if (name.isEmpty() || (!sign.isEmpty() && value.isEmpty()) || (!sign.isEmpty() && sign != "=" && !is_number))
    return invalid("the filter of parameters cannot be understood", filter,
                   "Write NAME, NODE.NAME, or with a comparison: cutoff<0.5, method=fbp");
  QString clause = QStringLiteral("(p.name = ? OR p.node || '.' || p.name = ?)");
  std::vector<QVariant> values = {name, name};
  if (!sign.isEmpty()) {
    clause += is_number ? QStringLiteral(" AND p.number %1 ?").arg(sign) : QStringLiteral(" AND p.value = ?");
    values.push_back(is_number ? QVariant(number) : QVariant(value));
  }
  wanted.clauses << in_parameters.arg(clause);
  wanted.values.insert(wanted.values.end(), values.begin(), values.end());
  return ok();
}

Result<Condition> condition_of(const Filter& filter) {
  Condition wanted;
  if (!filter.text.empty()) want_text(wanted, filter.text);
  if (!filter.scan.empty())
    wanted.add(in_files.arg(QStringLiteral("f.role = 'input' AND ") + path_like), {anywhere(filter.scan)});
  if (!filter.parameter.empty()) TL_TRY(want_parameter(wanted, filter.parameter));
  if (!filter.verdict.empty()) wanted.add(in_parameters.arg(QStringLiteral("p.verdict = ?")), {text(filter.verdict)});
  if (!filter.kind.empty()) {
    if (!kind_of(filter.kind))
      return invalid("there is no such kind of entry", filter.kind, "There are: run, learning, training, export");
    wanted.add(QStringLiteral("e.kind = ?"), {text(filter.kind)});
  }
  if (filter.since > 0) wanted.add(QStringLiteral("e.begun >= ?"), {filter.since});
  return wanted;
}

const QString listed_columns = QStringLiteral(
    "e.id, e.kind, e.state, e.begun, e.seconds, e.title, e.digest, e.program, e.version, e.device, e.error, e.process, "
    "e.thumbnail_rows, e.thumbnail_cols, e.thumbnail");

State state_of(const std::string& word, const std::string& process) {
  for (const State state : {State::done, State::failed, State::cancelled, State::interrupted})
    if (to_string(state) == word) return state;
  return is_alive(process) ? State::running : State::interrupted;
}

Entry entry_of(const QSqlQuery& row) {
  const auto string = [&](int column) { return row.value(column).toString().toStdString(); };
  Entry e;
  e.id = row.value(0).toLongLong();
  e.kind = kind_of(string(1)).value_or(Kind::run);
  e.state = state_of(string(2), string(11));
  e.begun = row.value(3).toDouble();
  e.seconds = row.value(4).toDouble();
  e.title = string(5);
  e.digest = string(6);
  e.program = string(7);
  e.version = string(8);
  e.device = string(9);
  e.error = string(10);
  e.thumbnail = {row.value(12).toInt(), row.value(13).toInt(), row.value(14).toByteArray().toStdString()};
  const auto pixels = static_cast<int64_t>(e.thumbnail.pixels.size());
  if (e.thumbnail.rows < 0 || e.thumbnail.cols < 0 || int64_t{e.thumbnail.rows} * e.thumbnail.cols != pixels)
    e.thumbnail = {};
  return e;
}

// Reads files and parameters of these entries: by two queries, however many entries there are.
Result<void> read_parts(const Connection& db, const QString& chosen, const std::vector<QVariant>& values,
                        std::vector<Entry>& entries) {
  std::map<int64_t, Entry*> by_id;
  for (Entry& e : entries) by_id[e.id] = &e;
  TL_TRY(QSqlQuery files,
         db.run(QStringLiteral("SELECT entry, role, path, fingerprint, bytes FROM files WHERE entry IN "
                               "(%1) ORDER BY entry, role, place")
                    .arg(chosen),
                values));
  while (files.next()) {
    const auto entry = by_id.find(files.value(0).toLongLong());
    if (entry == by_id.end()) continue;
    auto& list = files.value(1).toString() == QLatin1String("input") ? entry->second->inputs : entry->second->outputs;
    list.push_back({files.value(2).toByteArray().toStdString(), files.value(3).toString().toStdString(),
                    files.value(4).toLongLong()});
  }
  TL_TRY(QSqlQuery rows, db.run(QStringLiteral("SELECT entry, node, name, value, unit, uncertainty, verdict FROM "
                                               "parameters WHERE entry IN (%1) ORDER BY entry, place")
                                    .arg(chosen),
                                values));
  while (rows.next()) {
    const auto entry = by_id.find(rows.value(0).toLongLong());
    if (entry == by_id.end()) continue;
    const auto string = [&](int column) { return rows.value(column).toString().toStdString(); };
    std::optional<double> uncertainty;
    if (!rows.value(5).isNull()) uncertainty = rows.value(5).toDouble();
    entry->second->values.push_back({string(1), string(2), string(3), string(4), uncertainty, string(6)});
  }
  return ok();
}

}  // namespace

Result<Listing> Store::list(const Filter& filter) const {
  TL_TRY(Condition wanted, condition_of(filter));
  Listing listing;
  if (is_off()) return listing;
  Connection db;
  TL_TRY(const bool there, open_to_read(db, file_));
  if (!there) return listing;
  QString tail = QStringLiteral(" FROM entries e");
  if (!wanted.clauses.isEmpty()) tail += QStringLiteral(" WHERE ") + wanted.clauses.join(QStringLiteral(" AND "));
  tail += QStringLiteral(" ORDER BY e.begun DESC, e.id DESC LIMIT ?");
  wanted.values.push_back(QVariant::fromValue<qlonglong>(filter.limit));
  {
    TL_TRY(QSqlQuery rows, db.run(QStringLiteral("SELECT ") + listed_columns + tail, wanted.values));
    while (rows.next()) listing.entries.push_back(entry_of(rows));
    if (rows.lastError().isValid()) return db.error(rows.lastError());
  }
  TL_TRY(read_parts(db, QStringLiteral("SELECT e.id") + tail, wanted.values, listing.entries));
  TL_TRY(QSqlQuery count, db.run(QStringLiteral("SELECT count(*) FROM entries")));
  if (count.next()) listing.all = count.value(0).toLongLong();
  return listing;
}

Result<Entry> Store::get(int64_t id) const {
  const Error none = invalid("the history has no such entry", std::to_string(id), "list shows the existing entries");
  if (is_off()) return none;
  Connection db;
  TL_TRY(const bool there, open_to_read(db, file_));
  if (!there) return none;
  const std::vector<QVariant> values = {QVariant::fromValue<qlonglong>(id)};
  std::vector<Entry> found;
  {
    TL_TRY(QSqlQuery row, db.run(QStringLiteral("SELECT ") + listed_columns +
                                     QStringLiteral(", e.record FROM entries e WHERE e.id = ?"),
                                 values));
    if (!row.next()) return row.lastError().isValid() ? db.error(row.lastError()) : none;
    found.push_back(entry_of(row));
    found.front().record = row.value(15).toByteArray().toStdString();
  }
  TL_TRY(read_parts(db, QStringLiteral("?"), values, found));
  return found.front();
}

}  // namespace tl::history
