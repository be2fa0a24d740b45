// ExportSession: the choices in an export dialog, and the data available before the export: values, slices, sizes.
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/exports/plan.h"
#include "core/exports/sorted_values.h"
#include "widgets/session/live_session.h"
#include "widgets/views/state/view_state.h"

namespace tl::ui {

// An export that the window draws itself, such as an image of a view.
struct ViewExportFormat {
  exports::Format format;  // without node and source
  // Writes the whole file or nothing; empty: a movie, which takes time.
  std::function<Result<void>(const QString& path)> write;
};

// GUI thread only. Session and state must outlive it.
class ExportSession final : public QObject {
  Q_OBJECT
 public:
  enum class Plane { xy, xz };
  ExportSession(LiveSession& session, ViewState& views, const exports::Source& source, const exports::Settings& last,
                std::vector<ViewExportFormat> view_exports, QObject* parent = nullptr);
  ~ExportSession() override;

  [[nodiscard]] LiveSession& live() const { return session_; }
  [[nodiscard]] const exports::Source& source() const { return source_; }
  [[nodiscard]] const std::vector<exports::Format>& formats() const { return formats_; }
  [[nodiscard]] const exports::Format* format() const;  // nullptr: none is chosen
  [[nodiscard]] const exports::Settings& settings() const { return settings_; }
  void change(const std::function<void(exports::Settings&)>& change);
  void choose_format(const std::string& id);  // also changes the ending of the file

  // The grid of the voxels to write; nullptr: there are none, or it is not known yet.
  [[nodiscard]] const VolumeGrid* grid() const;
  [[nodiscard]] Unit unit() const;
  [[nodiscard]] bool has_labels() const { return !labels_.empty(); }
  [[nodiscard]] bool has_range() const;  // low and high matter

  // Values of the exported voxels, after cropping and binning; nullptr while they are computed.
  [[nodiscard]] const exports::SortedValues* values() const { return values_.get(); }
  [[nodiscard]] bool counts_all() const { return counts_all_; }  // or its middle slice alone
  [[nodiscard]] exports::Clipped clipped() const;
  [[nodiscard]] QString failure() const { return failure_; }  // of computing them
  [[nodiscard]] std::shared_ptr<const live::Image> slice(Plane plane) const;

  // Why the export is impossible now, and what to do; empty: it is possible.
  [[nodiscard]] QString obstacle() const;
  [[nodiscard]] Result<exports::Plan> plan() const;
  // Forecast of time and memory of the export; nullptr: not known yet, or the window itself draws the export.
  [[nodiscard]] const live::Forecast* forecast() const { return forecast_ ? &*forecast_ : nullptr; }
  [[nodiscard]] const ViewExportFormat* view_export() const;  // the chosen format if it exports the view; else nullptr

 Q_SIGNALS:
  void edited();   // by the user; changed() follows
  void changed();  // anything that is shown
  void values_changed();
  void slices_changed();
  void forecast_changed();

 private:
  void request();
  void request(const QString& view, const Region& region, int64_t coarse);
  void take(const QString& view, const live::Picture& picture);
  void sort(const live::Picture& picture);
  void find_range();
  void find_forecast();
  [[nodiscard]] QString view(const char* name) const;

  LiveSession& session_;
  ViewState& views_;
  exports::Source source_, labels_;
  std::vector<ViewExportFormat> view_exports_;
  std::vector<exports::Format> formats_;
  exports::Settings settings_;
  std::shared_ptr<const exports::SortedValues> values_;
  std::map<QString, live::PictureRequest> asked_;
  std::array<std::shared_ptr<const live::Image>, 2> slices_;
  bool counts_all_ = false;
  std::optional<live::Picture> last_values_;  // unbinned
  int64_t values_bin_ = 0;                    // bin of values_, or of the values that are being computed
  QString failure_;
  std::shared_ptr<const Graph> forecast_of_;  // asked for; null: none
  std::optional<live::Forecast> forecast_;
  uint64_t sorting_ = 0;  // the newest
  QThreadPool sorter_;
};

}  // namespace tl::ui
