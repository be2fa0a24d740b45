// Pipelines as other programs write them.
#pragma once

namespace tl::test {

// As HTTomo's own examples are written.
inline constexpr const char* httomo_list = R"(# A comment.
- method: standard_tomo
  module_path: httomo.data.hdf.loaders
  parameters:
    data_path: entry1/tomo_entry/data/data
    image_key_path: entry1/tomo_entry/instrument/detector/image_key
    rotation_angles:
      user_defined:
        start_angle: 0
        stop_angle: 180
        angles_total: 1801
    preview:
      detector_y:
        start: 30
        stop: 60
    darks:
      file: dark_field.h5
      data_path: /1-NoProcessPlugin-tomo/data
    flats: null
- method: dark_flat_field_correction
  module_path: httomolibgpu.prep.normalize
  parameters:
    flats_multiplier: 1.0
    darks_multiplier: 1.0
    upper_bound: null
    lower_bound: null
- method: minus_log
  module_path: httomolibgpu.prep.normalize
  parameters: {}
- method: find_center_vo
  module_path: httomolibgpu.recon.rotation
  parameters:
    ind: mid
    smin: -20
    smax: 60
    srad: 6.0
    step: 0.25
    ratio: 0.4
    drop: 20
  id: centering
  side_outputs:
    cor: centre_of_rotation
- method: remove_stripe_ti
  module_path: httomolibgpu.prep.stripe
  parameters:
    beta: 0.1
- method: remove_stripe_based_sorting
  module_path: httomolibgpu.prep.stripe
  parameters:
    size: 11
    dim: 1
- method: FBP2d_astra
  module_path: httomolibgpu.recon.algorithm
  parameters:
    center: ${{centering.side_outputs.centre_of_rotation}}
    detector_pad: true
    filter_type: hann
    filter_parameter: null
    filter_d: 0.8
    recon_size: null
    recon_mask_radius: 0.95
    gpu_id: 0
  save_result: true
- method: save_to_images
  module_path: httomolib.misc.images
  parameters:
    subfolder_name: images
    axis: auto
    file_format: tif
    jpeg_quality: 95
)";

// As nabu-config and tomwer write them.
inline constexpr const char* nabu_conf = R"([dataset]
; Dataset location, either a directory or a HDF5-Nexus file.
location = /data/bone.nx
binning = 2   # of columns
binning_z = 1
projections_subsampling = 2:1
overwrite_metadata = energy = 19 kev; pixel_size = 1.6 um
flip_lr = 1

[preproc]
flatfield = 1
normalize_srcurrent = 0
take_logarithm = 1
log_min_clip = 1e-6
sino_rings_correction = vo
sino_rings_options = snr=2.5; la_size=51; sm_size=21; dim=1
tilt_correction = 0.2

[phase]
method = Paganin
delta_beta = 150.0
unsharp_coeff = 3.
unsharp_sigma = 0.8

[reconstruction]
method = FBP
rotation_axis_position = 1290.5
fbp_filter_type = shepp-logan
fbp_filter_cutoff = 0.75
padding_type = zeros
clip_outer_circle = 1

[output]
location = /results
file_prefix = bone
file_format = tiff

[resources]
gpus = 1
workers = 1
)";

}  // namespace tl::test
