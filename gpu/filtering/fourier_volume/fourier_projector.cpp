// Makes the projector through Fourier space, a LinearOperator.
#include "gpu/filtering/fourier_volume/fourier_projector.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include "core/base/units.h"
#include "gpu/filtering/fourier_volume/insertion.h"
#include "gpu/filtering/fourier_volume/stacks.h"
#include "gpu/filtering/fourier_volume/transforms.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

class FourierProjector final : public LinearOperator {
 public:
  FourierProjector(FourierSampling sampling, const FourierSizes& sizes)
      : s_(std::move(sampling)), sizes_(sizes), planes_(fourier_planes(s_, sizes_)) {
    for (const FourierPlane& p : planes_) scales_.push_back(p.area * s_.grid.voxel_volume());
  }
  [[nodiscard]] std::string name() const override { return "Fourier projector"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {s_.grid.nz, s_.grid.ny, s_.grid.nx}; }
  [[nodiscard]] std::vector<int64_t> range() const override {
    const DetectorShape& d = s_.geometry.detector();
    return {s_.geometry.views(), d.rows, d.cols};
  }

  [[nodiscard]] at::Tensor apply(const at::Tensor& volume) const override {
    require(volume, domain(), "volume");
    at::Tensor views = at::empty(range(), volume.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "fourier_project", [&] {
      const at::Tensor grid = transformed(volume);
      for (const Stack& stack : stacks<scalar_t>()) {
        const at::Tensor spectra = at::zeros({stack.count, sizes_.rows, sizes_.half_cols()}, grid.options());
        slice_grid<scalar_t>(sizes_, data<scalar_t>(grid), of<scalar_t>(spectra, stack), blob_, s_.cancel);
        views.narrow(0, stack.first, stack.count)
            .copy_(views_of_spectra(spectra, planes(stack), sizes_, s_.geometry.detector(), scales(stack)));
      }
    });
    return views;
  }

  [[nodiscard]] at::Tensor adjoint(const at::Tensor& views) const override {
    require(views, range(), "projections");
    at::Tensor volume;
    AT_DISPATCH_FLOATING_TYPES(views.scalar_type(), "fourier_adjoint", [&] {
      at::Tensor grid = at::zeros({sizes_.cells[0], sizes_.cells[1], sizes_.half_x()},
                                  views.options().requires_grad(false).dtype(complex_type<scalar_t>()));
      for (const Stack& stack : stacks<scalar_t>()) {
        const at::Tensor spectra = spectra_of(views, stack);
        insert_views<scalar_t>(sizes_, {planes(stack), data<scalar_t>(spectra)}, std::span(&identity_, 1),
                               {data<scalar_t>(grid)}, blob_, s_.cancel);
      }
      volume = volume_of_grid(std::move(grid), sizes_, s_.grid, s_.cancel)
                   .mul_(correction(1 / samples(), views.options().requires_grad(false)));
    });
    return volume;
  }

  [[nodiscard]] std::shared_ptr<const LinearOperator> with_vectors(const at::Tensor& vectors) const override {
    FourierSampling moved = s_;
    moved.geometry = ops::with_vectors(s_.geometry, vectors).or_throw();
    return make_fourier_projector(std::move(moved)).or_throw();
  }

  [[nodiscard]] at::Tensor vectors_gradient(const at::Tensor& volume, const at::Tensor& views) const override {
    require(volume, domain(), "volume");
    require(views, range(), "projections");
    TL_CHECK(volume.scalar_type() == views.scalar_type(), "one type for both sides");
    at::Tensor gradient = at::zeros({s_.geometry.views(), 12}, at::kDouble);
    AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "fourier_gradient", [&] {
      const at::Tensor grid = transformed(volume);
      for (const Stack& stack : stacks<scalar_t>()) {
        const at::Tensor spectra = spectra_of(views, stack);
        const auto sums =
            slice_sums<scalar_t>(sizes_, data<scalar_t>(grid), of<scalar_t>(spectra, stack), blob_, s_.cancel);
        for (int64_t i = 0; i < stack.count; ++i)
          add_gradient(stack.first + i, sums[static_cast<std::size_t>(i)],
                       gradient.mutable_data_ptr<double>() + 12 * (stack.first + i));
      }
    });
    return gradient;
  }

 private:
  [[nodiscard]] double samples() const { return static_cast<double>(sizes_.rows) * static_cast<double>(sizes_.cols); }
  void require(const at::Tensor& x, const std::vector<int64_t>& shape, const std::string& what) const {
    require_tensor(x, shape, name() + ", " + what);
    require_cpu(x, name());
  }
  [[nodiscard]] at::Tensor correction(double factor, const at::TensorOptions& options) const {
    return blob_correction(s_.grid, sizes_, factor, options);
  }
  [[nodiscard]] at::Tensor transformed(const at::Tensor& volume) const {
    return grid_of_volume(volume.detach() * correction(1, volume.options().requires_grad(false)), sizes_, s_.cancel);
  }
  [[nodiscard]] at::Tensor spectra_of(const at::Tensor& views, const Stack& stack) const {
    return spectra_of_views(views.detach().narrow(0, stack.first, stack.count), planes(stack), sizes_, scales(stack));
  }
  template <class T>
  [[nodiscard]] std::vector<Stack> stacks() const {
    return stacks_of_views(s_.geometry.views(), 2 * static_cast<int64_t>(sizeof(T)) * sizes_.rows * sizes_.half_cols());
  }
  [[nodiscard]] std::span<const FourierPlane> planes(const Stack& s) const { return part_of(planes_, s); }
  [[nodiscard]] std::span<const double> scales(const Stack& s) const { return part_of(scales_, s); }
  template <class T>
  [[nodiscard]] Spectra<T> of(const at::Tensor& spectra, const Stack& stack) const {
    return {data<T>(spectra), planes(stack)};
  }
  template <class T>
  static c10::complex<T>* data(const at::Tensor& x) {
    return x.mutable_data_ptr<c10::complex<T>>();
  }

  // Of <y, A x>: slices move with the plane, their phases with the pixel of the centre, their scale with the area.
  void add_gradient(int64_t view, const SliceSums& sum, double* to) const {
    const double factor = 1 / samples();
    std::array<double, 9> by{};
    for (std::size_t i = 0; i < 6; ++i) by[i] = factor * sum.position[i];
    by[6] = factor * 2 * pi / static_cast<double>(sizes_.cols) * sum.phase_a;
    by[7] = factor * 2 * pi / static_cast<double>(sizes_.rows) * sum.phase_b;
    by[8] = factor * sum.value / planes_[static_cast<std::size_t>(view)].area;
    const auto slopes = plane_slopes(s_, sizes_, view);
    for (std::size_t i = 0; i < by.size(); ++i)
      for (std::size_t n = 0; n < 12; ++n) to[n] += by[i] * slopes[i][n];
  }

  FourierSampling s_;
  FourierSizes sizes_;
  std::vector<FourierPlane> planes_;
  std::vector<double> scales_;
  BlobTable blob_;
  Rotation identity_{1, 0, 0, 0, 1, 0, 0, 0, 1};
};

}  // namespace

Result<OperatorPtr> make_fourier_projector(FourierSampling sampling) {
  TL_TRY(const FourierSizes sizes, fourier_sizes(sampling));
  return OperatorPtr(std::make_shared<FourierProjector>(std::move(sampling), sizes));
}

}  // namespace tl::ops
