// VolumePicture: ray casting and iso-surfaces in an offscreen OpenGL context, read back with their coverage, so that
// the box can be painted below and over the object.
#include "widgets/views/scene/volume_picture.h"

#include <vtkAutoInit.h>
#include <vtkBox.h>
#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkClipPolyData.h>
#include <vtkColorTransferFunction.h>
#include <vtkFlyingEdges3D.h>
#include <vtkGPUVolumeRayCastMapper.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPlane.h>
#include <vtkPlaneCollection.h>
#include <vtkProperty.h>
#include <vtkRenderStepsPass.h>
#include <vtkRenderer.h>
#include <vtkSSAOPass.h>
#include <vtkUnsignedCharArray.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "widgets/views/scene/class_surfaces.h"
#include "widgets/views/scene/volume_box.h"
#include "widgets/views/scene/volume_presets.h"
#include "widgets/views/scene/volume_slices.h"
#include "widgets/views/scene/volume_transfer.h"

VTK_MODULE_INIT(vtkRenderingOpenGL2);
VTK_MODULE_INIT(vtkRenderingVolumeOpenGL2);

namespace tl::ui {
namespace {

constexpr unsigned gl_max_3d_texture_size = 0x8073;
constexpr double still_step = 0.4, moving_step = 1.5;  // voxels between the samples of a ray
constexpr double look_seconds = 0.1;                   // [s] interval of the test whether an image is superseded
constexpr int max_bands = 16;
constexpr int coarsest = 4;                                        // image pixels per ray while moving
constexpr double too_slow = 0.08, quick_enough = 0.02;             // s per image while moving
constexpr double occlusion_reach = 0.05;                           // of the diagonal
constexpr int all_but_the_middle_region = 0x7ffffff & ~(1 << 13);  // of vtkVolumeMapper's cropping

bool is_empty(const VolumeBounds& box) { return box[0] >= box[1] || box[2] >= box[3] || box[4] >= box[5]; }

}  // namespace

struct VolumePicture::Impl {
  explicit Impl(QOffscreenSurface& s) : surface(s) {}
  bool start();
  // False, with `problem`, if the driver has lost the context.
  bool make_current();
  void watch_window();
  void set_up_actors();
  [[nodiscard]] VolumeBounds kept(const VolumeScene& scene) const;
  void apply(const VolumeScene& scene, const VolumeCamera& camera);
  void apply_cloud(const VolumeScene& scene, const VolumeBounds& box, const VolumeCamera& camera);
  void apply_surface(const VolumeScene& scene, const VolumeBounds& box, const VolumeCamera& camera);
  void apply_camera(const VolumeCamera& wanted);
  // The image without background, with its coverage as alpha. Null if superseded.
  [[nodiscard]] QImage object(QSize size, const VolumeScene& scene, const Superseded& superseded);
  [[nodiscard]] QImage band(QSize size, int first_row, int rows);

  QOffscreenSurface& surface;
  QOpenGLContext context;
  bool started = false;
  QString problem;
  int largest = 0;
  int moving_scale = 3;      // image pixels per ray while moving
  double still_seconds = 0;  // seconds per megapixel for the last still image of the volume
  VolumeData data;
  vtkNew<vtkGenericOpenGLRenderWindow> window;
  vtkNew<vtkRenderer> renderer;
  vtkNew<vtkCallbackCommand> events;
  vtkNew<vtkGPUVolumeRayCastMapper> rays;
  vtkNew<vtkVolume> cloud;
  vtkNew<vtkColorTransferFunction> colors;
  vtkNew<vtkPiecewiseFunction> opacity;
  vtkNew<vtkFlyingEdges3D> surface_of;
  vtkNew<vtkBox> cut_box;
  vtkNew<vtkClipPolyData> cut_surface;
  vtkNew<vtkPolyDataMapper> surface_mapper;
  vtkNew<vtkActor> surface_actor;
  vtkNew<vtkRenderStepsPass> steps;
  vtkNew<vtkSSAOPass> occlusion;
  SliceActors slices;
  ClassSurfaces classes;
};

void VolumePicture::Impl::watch_window() {
  events->SetClientData(this);
  events->SetCallback([](vtkObject*, unsigned long event, void* self, void* answer) {
    auto& me = *static_cast<Impl*>(self);
    const bool current = QOpenGLContext::currentContext() == &me.context;
    // Making the context current again would flush pending work; done only if it is not current.
    if (event == vtkCommand::WindowMakeCurrentEvent && !current) me.context.makeCurrent(&me.surface);
    if (event == vtkCommand::WindowIsCurrentEvent) *static_cast<bool*>(answer) = current;
    if (event == vtkCommand::WindowSupportsOpenGLEvent) *static_cast<int*>(answer) = 1;
    if (event == vtkCommand::WindowIsDirectEvent) *static_cast<int*>(answer) = 1;
  });
  for (const auto event : {vtkCommand::WindowMakeCurrentEvent, vtkCommand::WindowIsCurrentEvent,
                           vtkCommand::WindowSupportsOpenGLEvent, vtkCommand::WindowIsDirectEvent})
    window->AddObserver(event, events);
}

bool VolumePicture::Impl::start() {
  if (started || !problem.isEmpty()) return started;
  context.setFormat(surface.format());
  if (!context.create() || !context.makeCurrent(&surface)) {
    problem = QCoreApplication::translate("VolumePicture", "This display has no OpenGL, so volumes cannot be shown.");
    return false;
  }
  context.functions()->glGetIntegerv(gl_max_3d_texture_size, &largest);
  watch_window();
  window->SetReadyForRendering(true);
  window->SetOwnContext(0);
  window->SetMultiSamples(0);
  window->SetAlphaBitPlanes(1);
  window->SetFrameBlitModeToNoBlit();
  window->OpenGLInitContext();
  window->AddRenderer(renderer);
  set_up_actors();
  started = true;
  return true;
}

bool VolumePicture::Impl::make_current() {
  if (problem.isEmpty() && !context.makeCurrent(&surface))
    problem = QCoreApplication::translate("VolumePicture", "The graphics driver has stopped.");
  return problem.isEmpty();
}

void VolumePicture::Impl::set_up_actors() {
  rays->SetAutoAdjustSampleDistances(0);
  // Without it all rays sample at equal depths below the box's faces, which shows as moiré.
  rays->UseJitteringOn();
  cloud->SetMapper(rays);
  cloud->GetProperty()->SetColor(colors);
  cloud->GetProperty()->SetScalarOpacity(opacity);
  cloud->GetProperty()->SetInterpolationTypeToLinear();
  cloud->GetProperty()->ShadeOn();
  cloud->GetProperty()->SetAmbient(0.3);
  cloud->GetProperty()->SetDiffuse(0.75);
  cloud->GetProperty()->SetSpecular(0.15);
  cloud->GetProperty()->SetSpecularPower(25);
  surface_of->ComputeNormalsOn();
  cut_surface->SetInputConnection(surface_of->GetOutputPort());
  cut_surface->SetClipFunction(cut_box);
  surface_mapper->ScalarVisibilityOff();
  surface_actor->SetMapper(surface_mapper);
  surface_actor->GetProperty()->SetSpecular(0.2);
  surface_actor->GetProperty()->SetSpecularPower(25);
  occlusion->SetDelegatePass(steps);
  occlusion->SetKernelSize(32);
  occlusion->BlurOn();
  // What nothing covers stays transparent.
  renderer->SetBackground(0, 0, 0);
  renderer->SetBackgroundAlpha(0);
  renderer->GetActiveCamera()->SetViewAngle(VolumeCamera::view_angle);
  renderer->SetAutomaticLightCreation(1);
}

VolumeBounds VolumePicture::Impl::kept(const VolumeScene& scene) const {
  const VolumeBounds& box = data.bounds();
  VolumeBounds out = box;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double low = box.at(i - i % 2), high = box.at(i - i % 2 + 1);
    out[i] = low + scene.clip.at(i) * (high - low);
  }
  return out;
}

void VolumePicture::Impl::apply(const VolumeScene& scene, const VolumeCamera& camera) {
  renderer->RemoveViewProp(cloud);
  renderer->RemoveViewProp(surface_actor);
  renderer->SetPass(nullptr);
  const VolumeBounds box = kept(scene);
  if (scene.style == VolumeStyle::cloud)
    apply_cloud(scene, box, camera);
  else
    apply_surface(scene, box, camera);
  slices.apply(scene, data, box, camera.eye, *renderer);
  classes.apply(scene, data, *renderer);
  apply_camera(camera);
}

void VolumePicture::Impl::apply_cloud(const VolumeScene& scene, const VolumeBounds& box, const VolumeCamera& camera) {
  const VolumeTransfer transfer = transfer_of(scene, data.values(), data.size());
  // Rays skip empty space, which would otherwise take most of the time.
  const VolumeBounds filled = data.filled(transfer.visible(), box);
  if (is_empty(filled)) return;
  colors->RemoveAllPoints();
  for (const auto& [at, c] : transfer.colors)
    colors->AddRGBPoint(at, qRed(c) / 255.0, qGreen(c) / 255.0, qBlue(c) / 255.0);
  opacity->RemoveAllPoints();
  for (const auto& [at, value] : transfer.opacity) opacity->AddPoint(at, value);
  vtkNew<vtkPlaneCollection> planes;
  for (std::size_t i = 0; i < filled.size(); ++i) {
    std::array<double, 3> origin{}, normal{};
    origin[i / 2] = filled[i];
    normal[i / 2] = i % 2 == 0 ? 1 : -1;
    vtkNew<vtkPlane> plane;
    plane->SetOrigin(origin.data());
    plane->SetNormal(normal.data());
    planes->AddItem(plane);
  }
  rays->SetClippingPlanes(planes);
  rays->SetCropping(scene.slices == VolumeSlices::cut ? 1 : 0);
  if (scene.slices == VolumeSlices::cut) {
    // The octant is the middle one of the 27 regions between six planes; it reaches beyond the box.
    VolumeBounds wide = data.bounds();
    for (std::size_t k = 0; k < wide.size(); ++k) wide[k] += (k % 2 == 0 ? -1 : 1) * norm(data.edges());
    const VolumeBounds octant = CutOctant::of(scene, data.bounds(), camera.eye).box(wide);
    rays->SetCroppingRegionPlanes(octant.data());
    rays->SetCroppingRegionFlags(all_but_the_middle_region);
  }
  const double voxel = data.voxel();
  const bool still = scene.detail == VolumeDetail::still;
  rays->SetSampleDistance(static_cast<float>(voxel * (still ? still_step : moving_step)));
  cloud->GetProperty()->SetScalarOpacityUnitDistance(opacity_length * voxel);
  renderer->AddViewProp(cloud);
}

void VolumePicture::Impl::apply_surface(const VolumeScene& scene, const VolumeBounds& box, const VolumeCamera& camera) {
  vtkNew<vtkPlaneCollection> planes;
  const VolumeBounds& all = data.bounds();
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (box.at(i) == all.at(i)) continue;
    std::array<double, 3> origin{}, normal{};
    origin[i / 2] = box.at(i);
    normal[i / 2] = i % 2 == 0 ? 1 : -1;
    vtkNew<vtkPlane> plane;
    plane->SetOrigin(origin.data());
    plane->SetNormal(normal.data());
    planes->AddItem(plane);
  }
  surface_mapper->SetClippingPlanes(planes);
  surface_of->SetValue(0, scene.surface_value.value_or(data.values().threshold));
  if (scene.slices == VolumeSlices::cut) {
    const VolumeBounds octant = CutOctant::of(scene, all, camera.eye).box(all);
    cut_box->SetBounds(octant.data());
    surface_mapper->SetInputConnection(cut_surface->GetOutputPort());
  } else {
    surface_mapper->SetInputConnection(surface_of->GetOutputPort());
  }
  const VolumePreset* preset = find_volume_preset(scene.preset);
  const auto light = static_cast<std::size_t>(static_cast<double>(scene.colors.size() - 1) * 0.85);
  const QRgb c = preset != nullptr ? preset->points[preset->points.size() - 2].color : scene.colors[light];
  surface_actor->GetProperty()->SetColor(qRed(c) / 255.0, qGreen(c) / 255.0, qBlue(c) / 255.0);
  renderer->AddViewProp(surface_actor);
  if (scene.detail == VolumeDetail::moving) return;
  occlusion->SetRadius(occlusion_reach * norm(data.edges()));
  occlusion->SetBias(0.5 * data.voxel());
  renderer->SetPass(occlusion);
}

void VolumePicture::Impl::apply_camera(const VolumeCamera& wanted) {
  vtkCamera* camera = renderer->GetActiveCamera();
  camera->SetFocalPoint(wanted.focus.x, wanted.focus.y, wanted.focus.z);
  camera->SetPosition(wanted.eye.x, wanted.eye.y, wanted.eye.z);
  camera->SetViewUp(wanted.up.x, wanted.up.y, wanted.up.z);
  renderer->ResetCameraClippingRange(data.bounds().data());
}

// Rows are counted from the bottom, as OpenGL does. The band is the part of the whole image with the same
// perspective.
QImage VolumePicture::Impl::band(QSize size, int first_row, int rows) {
  vtkCamera* camera = renderer->GetActiveCamera();
  const double part = static_cast<double>(rows) / size.height();
  const double middle = (first_row + 0.5 * rows) / size.height();  // 0 to 1
  const double half_angle = 0.5 * VolumeCamera::view_angle * pi / 180;
  camera->SetViewAngle(2 * std::atan(part * std::tan(half_angle)) * 180 / pi);
  camera->SetWindowCenter(0, (2 * middle - 1) / part);
  window->SetSize(size.width(), rows);
  window->Render();
  vtkNew<vtkUnsignedCharArray> pixels;
  window->GetRGBACharPixelData(0, 0, size.width() - 1, rows - 1, 0, pixels, 0);
  const QImage raw(pixels->GetPointer(0), size.width(), rows, 4 * size.width(), QImage::Format_RGBA8888_Premultiplied);
  return raw.mirrored().convertToFormat(QImage::Format_ARGB32_Premultiplied);
}

QImage VolumePicture::Impl::object(QSize size, const VolumeScene& scene, const Superseded& superseded) {
  QElapsedTimer timer;
  timer.start();
  const double megapixels = 1e-6 * size.width() * size.height();
  const bool splits = scene.style == VolumeStyle::cloud && scene.detail == VolumeDetail::still && superseded;
  const int bands =
      splits ? std::clamp(static_cast<int>(std::ceil(still_seconds * megapixels / look_seconds)), 1, max_bands) : 1;
  QImage out(size, QImage::Format_ARGB32_Premultiplied);
  QPainter painter(&out);
  painter.setCompositionMode(QPainter::CompositionMode_Source);
  for (int i = 0; i < bands; ++i) {
    if (i > 0 && superseded()) return {};
    const int first = size.height() * i / bands, last = size.height() * (i + 1) / bands;
    if (last > first) painter.drawImage(0, size.height() - last, band(size, first, last - first));
  }
  const double seconds = static_cast<double>(timer.nsecsElapsed()) * 1e-9;
  if (scene.detail == VolumeDetail::still) {
    if (scene.style == VolumeStyle::cloud) still_seconds = seconds / megapixels;
  } else if (seconds > too_slow) {
    moving_scale = std::min(moving_scale + 1, coarsest);
  } else if (seconds < quick_enough) {
    moving_scale = std::max(moving_scale - 1, 1);
  }
  return out;
}

VolumePicture::VolumePicture(QOffscreenSurface& surface) : impl_(std::make_unique<Impl>(surface)) {}
VolumePicture::~VolumePicture() {
  if (!impl_->started) return;
  if (!impl_->context.makeCurrent(&impl_->surface)) {
    // VTK's GPU objects were lost with the context: nothing is released there.
    impl_->window->RemoveAllObservers();
    impl_->window->SetReadyForRendering(false);
    return;
  }
  impl_->renderer->SetPass(nullptr);
  impl_->occlusion->ReleaseGraphicsResources(impl_->window);
  impl_->renderer->ReleaseGraphicsResources(impl_->window);
  impl_->window->Finalize();
  impl_->window->RemoveRenderer(impl_->renderer);
  impl_->window->RemoveAllObservers();
  impl_->context.doneCurrent();
}

QString VolumePicture::problem() const { return impl_->problem; }
int VolumePicture::binning() const { return impl_->data.binning(); }
const picture::ObjectValues& VolumePicture::values() const { return impl_->data.values(); }
std::array<double, 6> VolumePicture::object() const {
  std::array<double, 6> part = whole_box;
  if (impl_->data.empty()) return part;
  const VolumeBounds& all = impl_->data.bounds();
  const VolumeBounds found = impl_->data.filled({impl_->data.values().threshold, impl_->data.values().range.high}, all);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = all[2 * axis], edge = all[2 * axis + 1] - low;
    if (!(edge > 0) || found[2 * axis] >= found[2 * axis + 1]) return whole_box;
    part[2 * axis] = (found[2 * axis] - low) / edge;
    part[2 * axis + 1] = (found[2 * axis + 1] - low) / edge;
  }
  return part;
}

void VolumePicture::set_voxels(const VolumeVoxels& voxels) {
  if (!impl_->start() || !impl_->make_current()) return;
  impl_->data = VolumeData(voxels, impl_->largest);
  impl_->rays->SetInputData(impl_->data.smooth());
  impl_->surface_of->SetInputData(impl_->data.smooth());
}

QImage VolumePicture::paint(const VolumeScene& scene, const Superseded& superseded) {
  if (!impl_->start() || impl_->data.empty() || scene.size.isEmpty() || scene.colors.size() < 2) return {};
  if (!impl_->make_current()) return {};
  const VolumeCamera camera = VolumeCamera::of(scene, impl_->data.edges());
  impl_->apply(scene, camera);
  const int scale = scene.detail == VolumeDetail::moving ? impl_->moving_scale : 1;
  const QSize size = (scene.size / scale).expandedTo({2, 2});
  const QImage object = impl_->object(size, scene, superseded);
  if (object.isNull()) return {};
  QImage out(scene.size, QImage::Format_RGB32);
  out.fill(scene.background);
  QPainter painter(&out);
  const BoxEdges edges{camera, impl_->kept(scene), scene.frame, scene.line_width, scene.size};
  edges.paint_behind(painter);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(QRect({}, scene.size), object);
  edges.paint_in_front(painter);
  return out;
}

}  // namespace tl::ui
