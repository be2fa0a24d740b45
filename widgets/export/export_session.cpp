// ExportSession: asks for slices and values, sorts these on a thread, and keeps the settings consistent.
#include "widgets/export/export_session.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "widgets/text/error_text.h"

namespace tl::ui {
namespace {

constexpr const char *values_view = "values", *xy_view = "xy", *xz_view = "xz";
constexpr int64_t coarse_slices = 4;

const Info* info_of(const LiveSession& session, const exports::Source& source) {
  return session.info(QString::fromStdString(source.node), QString::fromStdString(source.port));
}

}  // namespace

ExportSession::ExportSession(LiveSession& session, ViewState& views, const exports::Source& source,
                             const exports::Settings& last, std::vector<ViewExportFormat> view_exports, QObject* parent)
    : QObject(parent),
      session_(session),
      views_(views),
      source_(source),
      view_exports_(std::move(view_exports)),
      settings_(last) {
  const Document& document = session.document();
  labels_ = exports::related(document.graph(), document.registry(), source, is_labels);
  formats_ = exports::formats_of(document.graph(), document.registry(), source);
  for (const ViewExportFormat& d : view_exports_) formats_.push_back(d.format);
  std::stable_sort(formats_.begin(), formats_.end(),
                   [](const exports::Format& a, const exports::Format& b) { return a.group < b.group; });
  sorter_.setMaxThreadCount(1);
  connect(&session_, &LiveSession::picture_ready, this, &ExportSession::take);
  connect(&session_, &LiveSession::infos_changed, this, [this] {
    request();
    Q_EMIT changed();
  });
  connect(this, &ExportSession::changed, this, &ExportSession::find_forecast);
  connect(&session_, &LiveSession::forecast_ready, this, [this](const live::Forecast& forecast) {
    if (forecast.of != forecast_of_) return;
    forecast_ = forecast;
    Q_EMIT forecast_changed();
  });
  connect(&views_, &ViewState::levels_changed, this, [this] {
    find_range();
    Q_EMIT changed();
  });
  if (format() == nullptr && !formats_.empty()) settings_.format = formats_.front().id;
  if (settings_.box && (grid() == nullptr || !exports::kept_grid(*grid(), settings_).ok())) settings_.box.reset();
  if (format() != nullptr) choose_format(settings_.format);
}

ExportSession::~ExportSession() {
  for (const auto& [view, request] : asked_) session_.forget(view);
  session_.forecast(nullptr);
  sorter_.waitForDone();
}

QString ExportSession::view(const char* name) const {
  return QStringLiteral("export/%1/%2").arg(quintptr(this)).arg(QLatin1String(name));
}

const exports::Format* ExportSession::format() const { return exports::find_format(formats_, settings_.format); }

const ViewExportFormat* ExportSession::view_export() const {
  const auto found = std::find_if(view_exports_.begin(), view_exports_.end(),
                                  [&](const auto& d) { return d.format.id == settings_.format; });
  return found == view_exports_.end() ? nullptr : &*found;
}

const VolumeGrid* ExportSession::grid() const {
  const exports::Format* const f = format();
  if (f == nullptr || !f->has_region) return nullptr;
  const Info* const info = info_of(session_, f->source);
  return info == nullptr ? nullptr : grid_of(*info);
}

Unit ExportSession::unit() const {
  const exports::Format* const f = format();
  const Info* const info = f == nullptr ? nullptr : info_of(session_, f->source);
  const auto* volume = info == nullptr ? nullptr : std::get_if<VolumeInfo>(info);
  return volume == nullptr ? Unit::none : volume->unit;
}

bool ExportSession::has_range() const {
  const exports::Format* const f = format();
  return f != nullptr && f->has_range(settings_.type);
}

void ExportSession::change(const std::function<void(exports::Settings&)>& change) {
  change(settings_);
  find_range();
  request();
  Q_EMIT edited();
  Q_EMIT changed();
}

void ExportSession::choose_format(const std::string& id) {
  change([&](exports::Settings& s) {
    s.format = id;
    const exports::Format* const f = format();
    if (f == nullptr) return;
    s.file = exports::named_for(*f, formats_, s.file);
    if (!f->sample_types.empty() &&
        std::find(f->sample_types.begin(), f->sample_types.end(), s.type) == f->sample_types.end())
      s.type = f->sample_types.front();
  });
}

void ExportSession::request(const QString& view, const Region& region, int64_t coarse) {
  const exports::Format& f = *format();
  live::PictureRequest wanted;
  wanted.node = f.source.node;
  wanted.port = f.source.port;
  wanted.region = region;
  wanted.coarse = coarse;
  const auto before = asked_.find(view);
  if (before != asked_.end() && before->second == wanted) return;
  asked_[view] = wanted;
  session_.request(view, wanted);
}

// The region is inside its slices; values are those of the region only.
void ExportSession::request() {
  const VolumeGrid* const whole = grid();
  const Result<exports::Sample> sample =
      whole == nullptr ? Result<exports::Sample>(invalid("nothing")) : exports::sample_of(*whole, settings_);
  if (!sample.ok()) return;
  const GridBox box = settings_.box.value_or(GridBox{{0, whole->nz}, {0, whole->ny}, {0, whole->nx}});
  const int64_t k = (box.z.begin + box.z.end) / 2, j = (box.y.begin + box.y.end) / 2;
  request(view(xy_view), whole->slab({k, k + 1}), coarse_slices);
  request(view(xz_view), whole->sub({0, whole->nz}, {j, j + 1}, {0, whole->nx}), coarse_slices);
  if (!has_range()) return;
  const QString name = view(values_view);
  const auto before = asked_.find(name);
  const std::optional<live::PictureRequest> last =
      before == asked_.end() ? std::nullopt : std::optional(before->second);
  request(name, sample.value().region, 1);
  const bool is_other = last != asked_.at(name);
  if (!is_other && values_bin_ == settings_.bin) return;
  values_bin_ = settings_.bin;
  values_.reset();
  failure_.clear();
  ++sorting_;
  if (is_other) {
    counts_all_ = sample.value().is_all;
    last_values_.reset();
  } else if (last_values_) {
    sort(*last_values_);  // binned in another way
  }
  Q_EMIT values_changed();
}

void ExportSession::take(const QString& view_name, const live::Picture& picture) {
  const auto asked = asked_.find(view_name);
  if (asked == asked_.end() || !(picture.request == asked->second)) return;
  if (view_name == view(values_view)) {
    if (picture.error) {
      failure_ = error_text(*picture.error);
      Q_EMIT values_changed();
      Q_EMIT changed();
    } else if (picture.image != nullptr && picture.final) {
      counts_all_ = counts_all_ && picture.level == 1;  // the whole region may not fit into memory
      last_values_ = picture;
      sort(picture);
    }
    return;
  }
  if (picture.image == nullptr) return;
  slices_.at(view_name == view(xy_view) ? 0 : 1) = picture.image;
  Q_EMIT slices_changed();
}

void ExportSession::sort(const live::Picture& picture) {
  const uint64_t number = ++sorting_;
  sorter_.start([this, number, image = picture.image, slices = picture.slices, bin = settings_.bin] {
    auto sorted = std::make_shared<const exports::SortedValues>(exports::binned(*image, slices, bin));
    QMetaObject::invokeMethod(
        this,
        [this, number, sorted] {
          if (number != sorting_) return;
          values_ = sorted;
          find_range();
          Q_EMIT values_changed();
          Q_EMIT changed();
        },
        Qt::QueuedConnection);
  });
}

// Computes low and high if they follow from other settings.
void ExportSession::find_range() {
  std::optional<picture::Levels> found;
  if (settings_.range == exports::RangeMode::window && format() != nullptr)
    found =
        views_.levels({QString::fromStdString(format()->source.node), QString::fromStdString(format()->source.port)});
  if (!found && values_ != nullptr && settings_.range == exports::RangeMode::percentiles)
    found = values_->percentiles(settings_.percent_below, settings_.percent_above);
  if (!found && values_ != nullptr && settings_.range != exports::RangeMode::fixed) found = values_->full();
  if (!found) return;
  settings_.low = found->low;
  settings_.high = found->high;
}

exports::Clipped ExportSession::clipped() const {
  if (values_ == nullptr || !has_range()) return {};
  // An image has the grey levels of 8 bits.
  return values_->clipped(format()->is_grey ? "uint8" : settings_.type, {settings_.low, settings_.high});
}

std::shared_ptr<const live::Image> ExportSession::slice(Plane plane) const {
  return slices_.at(plane == Plane::xy ? 0 : 1);
}

Result<exports::Plan> ExportSession::plan() const {
  const Document& document = session_.document();
  return exports::plan(document.graph(), document.registry(), source_, settings_);
}

// The previous forecast is shown until the next one is known.
void ExportSession::find_forecast() {
  std::shared_ptr<const Graph> wanted;
  if (format() != nullptr && view_export() == nullptr && !settings_.file.empty())
    if (Result<exports::Plan> planned = plan(); planned.ok())
      wanted = std::make_shared<const Graph>(std::move(planned.value().graph));
  if (wanted == nullptr) forecast_.reset();
  const bool is_same = wanted != nullptr && forecast_of_ != nullptr && wanted->nodes == forecast_of_->nodes &&
                       wanted->links == forecast_of_->links;
  if (is_same || wanted == forecast_of_) return;
  forecast_of_ = wanted;
  session_.forecast(wanted);
}

QString ExportSession::obstacle() const {
  if (format() == nullptr) return tr("There is nothing to export: select a node with a result.");
  if (settings_.file.empty()) return tr("Give the file a name.");
  if (view_export() != nullptr) return {};
  if (session_.has_run()) return tr("A run is in progress. Export when it has ended, or stop it.");
  if (format()->has_region) {
    if (grid() == nullptr) return tr("The pipeline is not ready: see the states of its nodes.");
    if (const auto kept = exports::kept_grid(*grid(), settings_); !kept.ok()) return reason_text(kept.error());
  }
  if (has_range() && settings_.range != exports::RangeMode::fixed && values_ == nullptr)
    return failure_.isEmpty() ? tr("The histogram of the values is being computed.") : failure_;
  const auto planned = plan();
  return planned.ok() ? QString() : reason_text(planned.error());
}

}  // namespace tl::ui
