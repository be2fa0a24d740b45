// Implements the bridge to ITK: its threads are ours, so that a run's number of threads holds and cancelling is quick.
#include "core/itk/bridge.h"

#include <itkDiscreteGaussianImageFilter.h>
#include <itkImportImageContainer.h>
#include <itkMultiThreaderBase.h>
#include <itkObjectFactoryBase.h>
#include <itkVersion.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tl::insight {
namespace {

// The call that this thread works for.
thread_local const Call* current = nullptr;

class CurrentCall {
 public:
  explicit CurrentCall(const Call& call) : before_(current) { current = &call; }
  ~CurrentCall() { current = before_; }
  CurrentCall(const CurrentCall&) = delete;
  CurrentCall& operator=(const CurrentCall&) = delete;

 private:
  const Call* before_;
};

// Takes the place of ITK's pool of threads, which only grows and knows no run.
class RunThreads : public itk::MultiThreaderBase {
 public:
  using Self = RunThreads;
  using Superclass = itk::MultiThreaderBase;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);
  itkTypeMacro(RunThreads, MultiThreaderBase);

  void SetSingleMethod(itk::ThreadFunctionType f, void* data) override {
    function_ = f;
    data_ = data;
  }

  void SingleMethodExecute() override {
    const unsigned units = this->GetNumberOfWorkUnits();
    std::atomic<unsigned> next = 0;
    std::exception_ptr failed;
    std::mutex failing;
    const auto work = [&](const Call* call) {
      const Call* before = current;
      current = call;
      try {
        for (unsigned unit = next++; unit < units; unit = next++) {
          if (call != nullptr) call->cancel.check();
          WorkUnitInfo info;
          info.WorkUnitID = unit;
          info.NumberOfWorkUnits = units;
          info.UserData = data_;
          info.ThreadFunction = function_;
          info.ThreadExitCode = WorkUnitInfo::ThreadExitCodeEnum::SUCCESS;
          function_(&info);
        }
      } catch (...) {
        const std::lock_guard lock(failing);
        if (!failed) failed = std::current_exception();
        next = units;
      }
      current = before;
    };
    const auto threads = static_cast<unsigned>(current == nullptr ? 1 : std::max<int64_t>(1, current->threads));
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < std::min(threads, units); ++t) others.emplace_back(work, current);
    work(current);
    others.clear();
    if (failed) std::rethrow_exception(failed);
  }

 protected:
  RunThreads() { this->m_NumberOfWorkUnits = work_units; }

 private:
  itk::ThreadFunctionType function_ = nullptr;
  void* data_ = nullptr;
};

class ThreadsFactory : public itk::ObjectFactoryBase {
 public:
  using Self = ThreadsFactory;
  using Superclass = itk::ObjectFactoryBase;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);
  [[nodiscard]] const char* GetITKSourceVersion() const override { return ITK_SOURCE_VERSION; }
  [[nodiscard]] const char* GetDescription() const override { return "threads of the run"; }

 protected:
  ThreadsFactory() {
    this->RegisterOverride("MultiThreaderBase", "RunThreads", "threads of the run", true,
                           itk::CreateObjectFunction<RunThreads>::New());
  }
};

// ITK makes its singletons and factories at first use, without a lock: two first calls at once crash.
void prepare_itk() {
  static std::once_flag once;
  std::call_once(once, [] {
    itk::ObjectFactoryBase::RegisterFactory(ThreadsFactory::New());
    // Metrics have threads of their own, which add in the order in which they end.
    itk::MultiThreaderBase::SetGlobalMaximumNumberOfThreads(1);
    itk::Object::SetGlobalWarningDisplay(false);  // what matters comes as an exception
    Image::Pointer tiny = Image::New();
    tiny->SetRegions(Image::SizeType{{4, 4, 4}});
    tiny->Allocate(true);
    auto smooth = itk::DiscreteGaussianImageFilter<Image, Image>::New();
    smooth->SetInput(tiny);
    smooth->Update();
  });
}

class Watch : public itk::Command {
 public:
  using Self = Watch;
  using Superclass = itk::Command;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);
  void Execute(itk::Object* caller, const itk::EventObject&) override {
    auto* filter = dynamic_cast<itk::ProcessObject*>(caller);
    if (filter == nullptr) return;
    if (call.cancel.cancelled()) filter->AbortGenerateDataOn();
    if (call.progress && std::this_thread::get_id() == owner)
      call.progress(from + (to - from) * static_cast<double>(filter->GetProgress()));
  }
  void Execute(const itk::Object*, const itk::EventObject&) override {}

  Call call;
  std::thread::id owner = std::this_thread::get_id();
  double from = 0, to = 1;
};

Image::Pointer imported(const VolumeView& volume) {
  const VolumeGrid& g = volume.grid;
  using Container = itk::ImportImageContainer<itk::SizeValueType, float>;
  auto container = Container::New();
  // ITK has no images of constant memory; nothing here writes to the inputs.
  container->SetImportPointer(const_cast<float*>(volume.data), static_cast<itk::SizeValueType>(g.count()), false);
  Image::Pointer image = Image::New();
  image->SetRegions(Image::SizeType{{static_cast<itk::SizeValueType>(g.nx), static_cast<itk::SizeValueType>(g.ny),
                                     static_cast<itk::SizeValueType>(g.nz)}});
  image->SetPixelContainer(container);
  return image;
}

}  // namespace

Image::Pointer image_in_voxels_of(const VolumeGrid& reference, const VolumeView& volume) {
  const double unit = norm(reference.step_x);
  Image::Pointer image = imported(volume);
  const VolumeGrid& g = volume.grid;
  const std::array<Vec3, 3> steps = {g.step_x, g.step_y, g.step_z};
  Image::DirectionType direction;
  Image::SpacingType spacing;
  for (unsigned a = 0; a < 3; ++a) {
    const double length = norm(steps[a]);
    spacing[a] = length / unit;
    direction(0, a) = steps[a].x / length;
    direction(1, a) = steps[a].y / length;
    direction(2, a) = steps[a].z / length;
  }
  image->SetSpacing(spacing);
  image->SetDirection(direction);
  const Vec3 first = g.position(0, 0, 0) - reference.centre;
  Image::PointType origin;
  origin[0] = first.x / unit;
  origin[1] = first.y / unit;
  origin[2] = first.z / unit;
  image->SetOrigin(origin);
  return image;
}

Result<void> run_itk(const Call& call, const std::string& what, const std::function<void()>& f) {
  prepare_itk();
  const CurrentCall guard(call);
  try {
    call.cancel.check();
    f();
    return ok();
  } catch (const itk::ProcessAborted&) {
    throw Failure(cancelled());
  } catch (const itk::MemoryAllocationError&) {
    return Error{ErrorKind::device, "there is not enough memory for " + what, what, "Crop or bin the volumes"};
  } catch (const itk::ExceptionObject& e) {
    call.cancel.check();
    return invalid(std::string("ITK: ") + e.GetDescription(), what);
  }
}

void check_cancelled() {
  if (current != nullptr) current->cancel.check();
}

void watch(itk::ProcessObject& filter, const Call& call, double from, double to) {
  auto command = Watch::New();
  command->call = call;
  command->from = from;
  command->to = to;
  filter.AddObserver(itk::ProgressEvent(), command);
}

}  // namespace tl::insight
