// VolumePicture: ray casting and iso-surfaces in an offscreen OpenGL context, read back as pixels.
#include "widgets/views/volume/volume_picture.h"

#include <vtkAutoInit.h>
#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkColorTransferFunction.h>
#include <vtkFlyingEdges3D.h>
#include <vtkGPUVolumeRayCastMapper.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkImageData.h>
#include <vtkImageShrink3D.h>
#include <vtkNew.h>
#include <vtkOutlineSource.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPlane.h>
#include <vtkPlaneCollection.h>
#include <vtkPointData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <algorithm>
#include <cmath>

#include "widgets/views/volume/volume_camera.h"

VTK_MODULE_INIT(vtkRenderingOpenGL2);
VTK_MODULE_INIT(vtkRenderingVolumeOpenGL2);

namespace tl::ui {
namespace {

constexpr unsigned gl_max_3d_texture_size = 0x8073;

// Voxels in VTK's order: x fastest, y and z upwards. NaN is replaced by the lowest value.
vtkSmartPointer<vtkImageData> to_vtk(const VolumeVoxels& voxels) {
  const VolumeGrid& g = voxels.grid;
  auto data = vtkSmartPointer<vtkImageData>::New();
  data->SetDimensions(static_cast<int>(g.nx), static_cast<int>(g.ny), static_cast<int>(g.nz));
  data->SetSpacing(norm(g.step_x), norm(g.step_y), norm(g.step_z));
  data->SetOrigin(-0.5 * static_cast<double>(g.nx - 1) * norm(g.step_x),
                  -0.5 * static_cast<double>(g.ny - 1) * norm(g.step_y),
                  -0.5 * static_cast<double>(g.nz - 1) * norm(g.step_z));
  data->AllocateScalars(VTK_FLOAT, 1);
  auto* to = static_cast<float*>(data->GetScalarPointer());
  const float lowest = static_cast<float>(picture::full_levels(*voxels.image).low);
  for (int64_t k = 0; k < g.nz; ++k)
    for (int64_t j = 0; j < g.ny; ++j) {
      const float* from = voxels.image->pixels.data() + (k * g.ny + (g.ny - 1 - j)) * g.nx;
      to = std::transform(from, from + g.nx, to, [lowest](float v) { return std::isfinite(v) ? v : lowest; });
    }
  return data;
}

}  // namespace

struct VolumePicture::Impl {
  explicit Impl(QOffscreenSurface& s) : surface(s) {}
  bool start();
  void watch_window();
  void apply(const VolumeScene& scene);
  void apply_clip(const VolumeScene& scene);
  void apply_camera(const VolumeScene& scene);

  QOffscreenSurface& surface;
  QOpenGLContext context;
  bool started = false;
  QString problem;
  int largest = 0, binning = 1;
  vtkNew<vtkGenericOpenGLRenderWindow> window;
  vtkNew<vtkRenderer> renderer;
  vtkNew<vtkCallbackCommand> events;
  vtkSmartPointer<vtkImageData> data;
  vtkNew<vtkGPUVolumeRayCastMapper> rays;
  vtkNew<vtkVolume> cloud;
  vtkNew<vtkColorTransferFunction> colors;
  vtkNew<vtkPiecewiseFunction> opacity;
  vtkNew<vtkFlyingEdges3D> surface_of;
  vtkNew<vtkPolyDataMapper> surface_mapper;
  vtkNew<vtkActor> surface_actor;
  vtkNew<vtkOutlineSource> outline;
  vtkNew<vtkPolyDataMapper> outline_mapper;
  vtkNew<vtkActor> outline_actor;
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
  window->SetFrameBlitModeToNoBlit();
  window->OpenGLInitContext();
  window->AddRenderer(renderer);
  rays->SetAutoAdjustSampleDistances(0);
  cloud->SetMapper(rays);
  cloud->GetProperty()->SetColor(colors);
  cloud->GetProperty()->SetScalarOpacity(opacity);
  cloud->GetProperty()->SetInterpolationTypeToLinear();
  cloud->GetProperty()->ShadeOn();
  cloud->GetProperty()->SetAmbient(0.35);
  cloud->GetProperty()->SetDiffuse(0.75);
  surface_mapper->SetInputConnection(surface_of->GetOutputPort());
  surface_mapper->ScalarVisibilityOff();
  surface_of->ComputeNormalsOn();
  surface_actor->SetMapper(surface_mapper);
  surface_actor->GetProperty()->SetSpecular(0.25);
  surface_actor->GetProperty()->SetSpecularPower(20);
  outline_mapper->SetInputConnection(outline->GetOutputPort());
  outline_actor->SetMapper(outline_mapper);
  outline_actor->GetProperty()->LightingOff();
  renderer->AddActor(outline_actor);
  renderer->GetActiveCamera()->SetViewAngle(VolumeCamera::view_angle);
  renderer->SetAutomaticLightCreation(1);
  started = true;
  return true;
}

void VolumePicture::Impl::apply(const VolumeScene& scene) {
  const double low = scene.levels.low, span = scene.levels.high - scene.levels.low;
  colors->RemoveAllPoints();
  for (std::size_t i = 0; i < scene.colors.size(); ++i) {
    const QRgb c = scene.colors[i];
    colors->AddRGBPoint(low + span * static_cast<double>(i) / static_cast<double>(scene.colors.size() - 1),
                        qRed(c) / 255.0, qGreen(c) / 255.0, qBlue(c) / 255.0);
  }
  opacity->RemoveAllPoints();
  for (const auto& [at, value] : scene.opacity) opacity->AddPoint(low + span * at, value);
  renderer->RemoveViewProp(cloud);
  renderer->RemoveViewProp(surface_actor);
  if (scene.style == VolumeStyle::cloud) {
    renderer->AddViewProp(cloud);
  } else {
    surface_of->SetValue(0, low + span * scene.surface_at);
    const QRgb c = scene.colors[static_cast<std::size_t>(static_cast<double>(scene.colors.size() - 1) * 0.85)];
    surface_actor->GetProperty()->SetColor(qRed(c) / 255.0, qGreen(c) / 255.0, qBlue(c) / 255.0);
    renderer->AddViewProp(surface_actor);
  }
  const double voxel = *std::min_element(data->GetSpacing(), data->GetSpacing() + 3);
  const bool still = scene.detail == VolumeDetail::still;
  rays->SetSampleDistance(static_cast<float>(voxel * (still ? 0.7 : 1.6)));
  rays->SetImageSampleDistance(still ? 1.0F : 3.0F);
  cloud->GetProperty()->SetScalarOpacityUnitDistance(2 * voxel);
  renderer->SetBackground(scene.background.redF(), scene.background.greenF(), scene.background.blueF());
  outline_actor->GetProperty()->SetColor(scene.frame.redF(), scene.frame.greenF(), scene.frame.blueF());
}

void VolumePicture::Impl::apply_clip(const VolumeScene& scene) {
  std::array<double, 6> box{};
  data->GetBounds(box.data());
  std::array<double, 6> kept = box;
  vtkNew<vtkPlaneCollection> planes;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t side = 0; side < 2; ++side) {
      const double part = scene.clip[2 * axis + side];
      const double at = box[2 * axis] + part * (box[2 * axis + 1] - box[2 * axis]);
      kept[2 * axis + side] = at;
      if (part == static_cast<double>(side)) continue;
      std::array<double, 3> origin{}, normal{};
      origin[axis] = at;
      normal[axis] = side == 0 ? 1 : -1;
      vtkNew<vtkPlane> plane;
      plane->SetOrigin(origin.data());
      plane->SetNormal(normal.data());
      planes->AddItem(plane);
    }
  rays->SetClippingPlanes(planes);
  surface_mapper->SetClippingPlanes(planes);
  outline->SetBounds(kept.data());
}

void VolumePicture::Impl::apply_camera(const VolumeScene& scene) {
  std::array<double, 6> box{};
  data->GetBounds(box.data());
  const VolumeCamera wanted = VolumeCamera::of(scene, {box[1] - box[0], box[3] - box[2], box[5] - box[4]});
  vtkCamera* camera = renderer->GetActiveCamera();
  camera->SetFocalPoint(wanted.focus.x, wanted.focus.y, wanted.focus.z);
  camera->SetPosition(wanted.eye.x, wanted.eye.y, wanted.eye.z);
  camera->SetViewUp(wanted.up.x, wanted.up.y, wanted.up.z);
  renderer->ResetCameraClippingRange();
}

VolumePicture::VolumePicture(QOffscreenSurface& surface) : impl_(std::make_unique<Impl>(surface)) {}
VolumePicture::~VolumePicture() {
  if (!impl_->started) return;
  impl_->context.makeCurrent(&impl_->surface);
  impl_->renderer->ReleaseGraphicsResources(impl_->window);
  impl_->window->Finalize();
  impl_->window->RemoveRenderer(impl_->renderer);
  impl_->window->RemoveAllObservers();
  impl_->context.doneCurrent();
}

QString VolumePicture::problem() const { return impl_->problem; }
int VolumePicture::binning() const { return impl_->binning; }

void VolumePicture::set_voxels(const VolumeVoxels& voxels) {
  if (!impl_->start()) return;
  impl_->context.makeCurrent(&impl_->surface);
  impl_->data = to_vtk(voxels);
  const auto widest = static_cast<int>(std::max({voxels.grid.nx, voxels.grid.ny, voxels.grid.nz}));
  impl_->binning = impl_->largest > 0 ? (widest + impl_->largest - 1) / impl_->largest : 1;
  if (impl_->binning > 1) {
    vtkNew<vtkImageShrink3D> shrink;
    shrink->SetInputData(impl_->data);
    shrink->SetShrinkFactors(impl_->binning, impl_->binning, impl_->binning);
    shrink->MeanOn();
    shrink->Update();
    impl_->data = shrink->GetOutput();
  }
  impl_->rays->SetInputData(impl_->data);
  impl_->surface_of->SetInputData(impl_->data);
}

QImage VolumePicture::paint(const VolumeScene& scene) {
  if (!impl_->start() || impl_->data == nullptr || scene.size.isEmpty() || scene.colors.size() < 2) return {};
  impl_->context.makeCurrent(&impl_->surface);
  impl_->window->SetSize(scene.size.width(), scene.size.height());
  impl_->apply(scene);
  impl_->apply_clip(scene);
  impl_->apply_camera(scene);
  impl_->window->Render();
  vtkNew<vtkUnsignedCharArray> pixels;
  const int last_x = scene.size.width() - 1, last_y = scene.size.height() - 1;
  impl_->window->GetPixelData(0, 0, last_x, last_y, 0, pixels, 0);
  const QImage raw(pixels->GetPointer(0), scene.size.width(), scene.size.height(), 3 * scene.size.width(),
                   QImage::Format_RGB888);
  return raw.mirrored().convertToFormat(QImage::Format_RGB32);
}

}  // namespace tl::ui
