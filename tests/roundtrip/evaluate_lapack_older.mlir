// RUN: eval
// Older targets take sizes and options as operands, and return workspaces as well. Everything else is as for the newer
// targets; the matrices are asymmetric, so that each option matters.
func.func @main() {
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %i1 = stablehlo.constant dense<1> : tensor<i32>
  %i2 = stablehlo.constant dense<2> : tensor<i32>
  %i3 = stablehlo.constant dense<3> : tensor<i32>
  %i9 = stablehlo.constant dense<9> : tensor<i32>
  %i78 = stablehlo.constant dense<78> : tensor<i32>
  %i86 = stablehlo.constant dense<86> : tensor<i32>
  %ms = stablehlo.constant dense<[[4.0, 1.0, 2.0], [1.5, 5.0, -1.0], [0.5, 2.5, 6.0]]> : tensor<3x3xf32>
  %ts = stablehlo.constant dense<[[4.0, 1.0], [1.5, 5.0], [0.5, 2.5]]> : tensor<3x2xf32>
  %us = stablehlo.constant dense<0.5> : tensor<2xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<f32>
  %mc = stablehlo.constant dense<[[(4.0, 0.0), (1.0, 0.25), (2.0, 0.5)], [(1.5, -0.25), (5.0, 0.0), (-1.0, 0.25)], [(0.5, -0.5), (2.5, -0.25), (6.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %tc = stablehlo.constant dense<[[(4.0, 0.0), (1.0, 0.25)], [(1.5, -0.25), (5.0, 0.0)], [(0.5, -0.5), (2.5, -0.25)]]> : tensor<3x2xcomplex<f32>>
  %uc = stablehlo.constant dense<(0.5, 0.25)> : tensor<2xcomplex<f32>>
  %onec = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %c1:1 = stablehlo.custom_call @lapack_strsm_ffi(%ms, %ts) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  %c2:1 = stablehlo.custom_call @blas_strsm(%i1, %i1, %i0, %i0, %i3, %i2, %i1, %ones, %ms, %ts) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<3x3xf32>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq %c2#0, %c1#0 : tensor<3x2xf32>
  %c3:1 = stablehlo.custom_call @lapack_strsm_ffi(%ms, %ts) {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}} : (tensor<3x3xf32>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  %c4:1 = stablehlo.custom_call @blas_strsm(%i1, %i0, %i1, %i1, %i3, %i2, %i1, %ones, %ms, %ts) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<3x3xf32>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq %c4#0, %c3#0 : tensor<3x2xf32>
  %c5:1 = stablehlo.custom_call @lapack_strsm_ffi(%ms, %ts) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  %c6:1 = stablehlo.custom_call @blas_strsm(%i1, %i1, %i2, %i0, %i3, %i2, %i1, %ones, %ms, %ts) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<3x3xf32>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq %c6#0, %c5#0 : tensor<3x2xf32>
  %c7:1 = stablehlo.custom_call @lapack_strsm_ffi(%ms, %ms) {mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>, tensor<3x3xf32>) -> (tensor<3x3xf32>)
  %c8:1 = stablehlo.custom_call @blas_strsm(%i0, %i1, %i0, %i0, %i3, %i3, %i1, %ones, %ms, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<3x3xf32>, tensor<3x3xf32>) -> (tensor<3x3xf32>)
  check.expect_eq %c8#0, %c7#0 : tensor<3x3xf32>
  %c9:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%ts) {mhlo.backend_config = {}} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xi32>, tensor<i32>)
  %c10:3 = stablehlo.custom_call @lapack_sgetrf(%i1, %i3, %i2, %ts) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xi32>, tensor<i32>)
  check.expect_eq %c10#0, %c9#0 : tensor<3x2xf32>
  check.expect_eq %c10#1, %c9#1 : tensor<2xi32>
  check.expect_eq %c10#2, %c9#2 : tensor<i32>
  %c11:2 = stablehlo.custom_call @lapack_spotrf_ffi(%ms) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  %c12:2 = stablehlo.custom_call @lapack_spotrf(%i0, %i1, %i3, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  check.expect_eq %c12#0, %c11#0 : tensor<3x3xf32>
  check.expect_eq %c12#1, %c11#1 : tensor<i32>
  %c13:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%ms) {mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<i32>)
  %c14:4 = stablehlo.custom_call @lapack_ssyevd(%i0, %i1, %i3, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c14#0, %c13#0 : tensor<3x3xf32>
  check.expect_eq %c14#1, %c13#1 : tensor<3xf32>
  check.expect_eq %c14#2, %c13#2 : tensor<i32>
  %c15:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%ms) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>)
  %c16:6 = stablehlo.custom_call @lapack_ssytrd(%i3, %i0, %i3, %i1, %i9, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c16#0, %c15#0 : tensor<3x3xf32>
  check.expect_eq %c16#1, %c15#1 : tensor<3xf32>
  check.expect_eq %c16#2, %c15#2 : tensor<2xf32>
  check.expect_eq %c16#3, %c15#3 : tensor<2xf32>
  check.expect_eq %c16#4, %c15#4 : tensor<i32>
  %c17:2 = stablehlo.custom_call @lapack_spotrf_ffi(%ms) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  %c18:2 = stablehlo.custom_call @lapack_spotrf(%i1, %i1, %i3, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  check.expect_eq %c18#0, %c17#0 : tensor<3x3xf32>
  check.expect_eq %c18#1, %c17#1 : tensor<i32>
  %c19:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%ms) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<i32>)
  %c20:4 = stablehlo.custom_call @lapack_ssyevd(%i1, %i1, %i3, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c20#0, %c19#0 : tensor<3x3xf32>
  check.expect_eq %c20#1, %c19#1 : tensor<3xf32>
  check.expect_eq %c20#2, %c19#2 : tensor<i32>
  %c21:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%ms) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>)
  %c22:6 = stablehlo.custom_call @lapack_ssytrd(%i3, %i1, %i3, %i1, %i9, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c22#0, %c21#0 : tensor<3x3xf32>
  check.expect_eq %c22#1, %c21#1 : tensor<3xf32>
  check.expect_eq %c22#2, %c21#2 : tensor<2xf32>
  check.expect_eq %c22#3, %c21#3 : tensor<2xf32>
  check.expect_eq %c22#4, %c21#4 : tensor<i32>
  %c23:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%ts) {mhlo.backend_config = {}} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  %c24:4 = stablehlo.custom_call @lapack_sgeqrf(%i1, %i3, %i2, %i9, %ts) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c24#0, %c23#0 : tensor<3x2xf32>
  check.expect_eq %c24#1, %c23#1 : tensor<2xf32>
  %c25:1 = stablehlo.custom_call @lapack_sorgqr_ffi(%ts, %us) {mhlo.backend_config = {}} : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>)
  %c26:3 = stablehlo.custom_call @lapack_sorgqr(%i1, %i3, %i2, %i2, %i9, %ts, %us) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c26#0, %c25#0 : tensor<3x2xf32>
  %c27:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%ts) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x3xf32>, tensor<2x2xf32>, tensor<i32>)
  %c28:6 = stablehlo.custom_call @lapack_sgesdd(%i1, %i1, %i1, %i3, %i2, %i9, %ts) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x3xf32>, tensor<2x2xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c28#0, %c27#0 : tensor<3x2xf32>
  check.expect_eq %c28#1, %c27#1 : tensor<2xf32>
  check.expect_eq %c28#2, %c27#2 : tensor<3x3xf32>
  check.expect_eq %c28#3, %c27#3 : tensor<2x2xf32>
  check.expect_eq %c28#4, %c27#4 : tensor<i32>
  %c29:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%ts) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<i32>)
  %c30:6 = stablehlo.custom_call @lapack_sgesdd(%i0, %i1, %i1, %i3, %i2, %i9, %ts) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c30#0, %c29#0 : tensor<3x2xf32>
  check.expect_eq %c30#1, %c29#1 : tensor<2xf32>
  check.expect_eq %c30#2, %c29#2 : tensor<3x2xf32>
  check.expect_eq %c30#3, %c29#3 : tensor<2x2xf32>
  check.expect_eq %c30#4, %c29#4 : tensor<i32>
  %c31:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%ts) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x3xf32>, tensor<2x2xf32>, tensor<i32>)
  %c32:6 = stablehlo.custom_call @lapack_sgesdd(%i1, %i0, %i1, %i3, %i2, %i9, %ts) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x3xf32>, tensor<2x2xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c32#0, %c31#0 : tensor<3x2xf32>
  check.expect_eq %c32#1, %c31#1 : tensor<2xf32>
  check.expect_eq %c32#2, %c31#2 : tensor<3x3xf32>
  check.expect_eq %c32#3, %c31#3 : tensor<2x2xf32>
  check.expect_eq %c32#4, %c31#4 : tensor<i32>
  %c33:5 = stablehlo.custom_call @lapack_sgeev_ffi(%ms) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 78 : ui8}} : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  %c34:8 = stablehlo.custom_call @lapack_sgeev(%i1, %i3, %i86, %i78, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  check.expect_eq %c34#3, %c33#0 : tensor<3xf32>
  check.expect_eq %c34#4, %c33#1 : tensor<3xf32>
  check.expect_eq %c34#5, %c33#2 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c34#6, %c33#3 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c34#7, %c33#4 : tensor<i32>
  %c35:5 = stablehlo.custom_call @lapack_sgeev_ffi(%ms) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}} : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  %c36:8 = stablehlo.custom_call @lapack_sgeev(%i1, %i3, %i78, %i86, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  check.expect_eq %c36#3, %c35#0 : tensor<3xf32>
  check.expect_eq %c36#4, %c35#1 : tensor<3xf32>
  check.expect_eq %c36#5, %c35#2 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c36#6, %c35#3 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c36#7, %c35#4 : tensor<i32>
  %c37:6 = stablehlo.custom_call @lapack_sgees_ffi(%ms) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<i32>, tensor<i32>)
  %c38:6 = stablehlo.custom_call @lapack_sgees(%i1, %i3, %i86, %i78, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<i32>, tensor<i32>)
  check.expect_eq %c38#0, %c37#0 : tensor<3x3xf32>
  check.expect_eq %c38#1, %c37#2 : tensor<3xf32>
  check.expect_eq %c38#2, %c37#3 : tensor<3xf32>
  check.expect_eq %c38#3, %c37#1 : tensor<3x3xf32>
  check.expect_eq %c38#4, %c37#4 : tensor<i32>
  check.expect_eq %c38#5, %c37#5 : tensor<i32>
  %c39:6 = stablehlo.custom_call @lapack_sgees_ffi(%ms) {mhlo.backend_config = {mode = 78 : ui8, sort = 78 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<i32>, tensor<i32>)
  %c40:6 = stablehlo.custom_call @lapack_sgees(%i1, %i3, %i78, %i78, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<i32>, tensor<i32>)
  check.expect_eq %c40#0, %c39#0 : tensor<3x3xf32>
  check.expect_eq %c40#1, %c39#2 : tensor<3xf32>
  check.expect_eq %c40#2, %c39#3 : tensor<3xf32>
  check.expect_eq %c40#3, %c39#1 : tensor<3x3xf32>
  check.expect_eq %c40#4, %c39#4 : tensor<i32>
  check.expect_eq %c40#5, %c39#5 : tensor<i32>
  %c41:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%ms) {mhlo.backend_config = {high = 3 : i32, low = 1 : i32}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)
  %c42:4 = stablehlo.custom_call @lapack_sgehrd(%i3, %i1, %i3, %i3, %i1, %i9, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c42#0, %c41#0 : tensor<3x3xf32>
  check.expect_eq %c42#1, %c41#1 : tensor<2xf32>
  check.expect_eq %c42#2, %c41#2 : tensor<i32>
  %c43:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%ms) {mhlo.backend_config = {high = 2 : i32, low = 1 : i32}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)
  %c44:4 = stablehlo.custom_call @lapack_sgehrd(%i3, %i1, %i2, %i3, %i1, %i9, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c44#0, %c43#0 : tensor<3x3xf32>
  check.expect_eq %c44#1, %c43#1 : tensor<2xf32>
  check.expect_eq %c44#2, %c43#2 : tensor<i32>
  %c45:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%ms) {mhlo.backend_config = {high = 3 : i32, low = 2 : i32}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)
  %c46:4 = stablehlo.custom_call @lapack_sgehrd(%i3, %i2, %i3, %i3, %i1, %i9, %ms) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c46#0, %c45#0 : tensor<3x3xf32>
  check.expect_eq %c46#1, %c45#1 : tensor<2xf32>
  check.expect_eq %c46#2, %c45#2 : tensor<i32>
  %c47:1 = stablehlo.custom_call @lapack_ctrsm_ffi(%mc, %tc) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>)
  %c48:1 = stablehlo.custom_call @blas_ctrsm(%i1, %i1, %i0, %i0, %i3, %i2, %i1, %onec, %mc, %tc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<complex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>)
  check.expect_eq %c48#0, %c47#0 : tensor<3x2xcomplex<f32>>
  %c49:1 = stablehlo.custom_call @lapack_ctrsm_ffi(%mc, %tc) {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}} : (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>)
  %c50:1 = stablehlo.custom_call @blas_ctrsm(%i1, %i0, %i1, %i1, %i3, %i2, %i1, %onec, %mc, %tc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<complex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>)
  check.expect_eq %c50#0, %c49#0 : tensor<3x2xcomplex<f32>>
  %c51:1 = stablehlo.custom_call @lapack_ctrsm_ffi(%mc, %tc) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}} : (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>)
  %c52:1 = stablehlo.custom_call @blas_ctrsm(%i1, %i1, %i2, %i0, %i3, %i2, %i1, %onec, %mc, %tc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<complex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>)
  check.expect_eq %c52#0, %c51#0 : tensor<3x2xcomplex<f32>>
  %c53:1 = stablehlo.custom_call @lapack_ctrsm_ffi(%mc, %mc) {mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>)
  %c54:1 = stablehlo.custom_call @blas_ctrsm(%i0, %i1, %i0, %i0, %i3, %i3, %i1, %onec, %mc, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<complex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>)
  check.expect_eq %c54#0, %c53#0 : tensor<3x3xcomplex<f32>>
  %c55:3 = stablehlo.custom_call @lapack_cgetrf_ffi(%tc) {mhlo.backend_config = {}} : (tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xi32>, tensor<i32>)
  %c56:3 = stablehlo.custom_call @lapack_cgetrf(%i1, %i3, %i2, %tc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xi32>, tensor<i32>)
  check.expect_eq %c56#0, %c55#0 : tensor<3x2xcomplex<f32>>
  check.expect_eq %c56#1, %c55#1 : tensor<2xi32>
  check.expect_eq %c56#2, %c55#2 : tensor<i32>
  %c57:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%mc) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<i32>)
  %c58:2 = stablehlo.custom_call @lapack_cpotrf(%i0, %i1, %i3, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<i32>)
  check.expect_eq %c58#0, %c57#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c58#1, %c57#1 : tensor<i32>
  %c59:3 = stablehlo.custom_call @lapack_cheevd_ffi(%mc) {mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<i32>)
  %c60:4 = stablehlo.custom_call @lapack_cheevd(%i0, %i1, %i3, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c60#0, %c59#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c60#1, %c59#1 : tensor<3xf32>
  check.expect_eq %c60#2, %c59#2 : tensor<i32>
  %c61:5 = stablehlo.custom_call @lapack_chetrd_ffi(%mc) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>, tensor<i32>)
  %c62:6 = stablehlo.custom_call @lapack_chetrd(%i3, %i0, %i3, %i1, %i9, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c62#0, %c61#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c62#1, %c61#1 : tensor<3xf32>
  check.expect_eq %c62#2, %c61#2 : tensor<2xf32>
  check.expect_eq %c62#3, %c61#3 : tensor<2xcomplex<f32>>
  check.expect_eq %c62#4, %c61#4 : tensor<i32>
  %c63:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%mc) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<i32>)
  %c64:2 = stablehlo.custom_call @lapack_cpotrf(%i1, %i1, %i3, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<i32>)
  check.expect_eq %c64#0, %c63#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c64#1, %c63#1 : tensor<i32>
  %c65:3 = stablehlo.custom_call @lapack_cheevd_ffi(%mc) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<i32>)
  %c66:4 = stablehlo.custom_call @lapack_cheevd(%i1, %i1, %i3, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c66#0, %c65#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c66#1, %c65#1 : tensor<3xf32>
  check.expect_eq %c66#2, %c65#2 : tensor<i32>
  %c67:5 = stablehlo.custom_call @lapack_chetrd_ffi(%mc) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>, tensor<i32>)
  %c68:6 = stablehlo.custom_call @lapack_chetrd(%i3, %i1, %i3, %i1, %i9, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c68#0, %c67#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c68#1, %c67#1 : tensor<3xf32>
  check.expect_eq %c68#2, %c67#2 : tensor<2xf32>
  check.expect_eq %c68#3, %c67#3 : tensor<2xcomplex<f32>>
  check.expect_eq %c68#4, %c67#4 : tensor<i32>
  %c69:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%tc) {mhlo.backend_config = {}} : (tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xcomplex<f32>>)
  %c70:4 = stablehlo.custom_call @lapack_cgeqrf(%i1, %i3, %i2, %i9, %tc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c70#0, %c69#0 : tensor<3x2xcomplex<f32>>
  check.expect_eq %c70#1, %c69#1 : tensor<2xcomplex<f32>>
  %c71:1 = stablehlo.custom_call @lapack_cungqr_ffi(%tc, %uc) {mhlo.backend_config = {}} : (tensor<3x2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>)
  %c72:3 = stablehlo.custom_call @lapack_cungqr(%i1, %i3, %i2, %i2, %i9, %tc, %uc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c72#0, %c71#0 : tensor<3x2xcomplex<f32>>
  %c73:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%tc) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xf32>, tensor<3x3xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<i32>)
  %c74:6 = stablehlo.custom_call @lapack_cgesdd(%i1, %i1, %i1, %i3, %i2, %i9, %tc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xf32>, tensor<3x3xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c74#0, %c73#0 : tensor<3x2xcomplex<f32>>
  check.expect_eq %c74#1, %c73#1 : tensor<2xf32>
  check.expect_eq %c74#2, %c73#2 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c74#3, %c73#3 : tensor<2x2xcomplex<f32>>
  check.expect_eq %c74#4, %c73#4 : tensor<i32>
  %c75:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%tc) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xf32>, tensor<3x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<i32>)
  %c76:6 = stablehlo.custom_call @lapack_cgesdd(%i0, %i1, %i1, %i3, %i2, %i9, %tc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xf32>, tensor<3x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c76#0, %c75#0 : tensor<3x2xcomplex<f32>>
  check.expect_eq %c76#1, %c75#1 : tensor<2xf32>
  check.expect_eq %c76#2, %c75#2 : tensor<3x2xcomplex<f32>>
  check.expect_eq %c76#3, %c75#3 : tensor<2x2xcomplex<f32>>
  check.expect_eq %c76#4, %c75#4 : tensor<i32>
  %c77:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%tc) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xf32>, tensor<3x3xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<i32>)
  %c78:6 = stablehlo.custom_call @lapack_cgesdd(%i1, %i0, %i1, %i3, %i2, %i9, %tc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xf32>, tensor<3x3xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c78#0, %c77#0 : tensor<3x2xcomplex<f32>>
  check.expect_eq %c78#1, %c77#1 : tensor<2xf32>
  check.expect_eq %c78#2, %c77#2 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c78#3, %c77#3 : tensor<2x2xcomplex<f32>>
  check.expect_eq %c78#4, %c77#4 : tensor<i32>
  %c79:4 = stablehlo.custom_call @lapack_cgeev_ffi(%mc) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 78 : ui8}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  %c80:6 = stablehlo.custom_call @lapack_cgeev(%i1, %i3, %i86, %i78, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<1xf32>, tensor<1xf32>, tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  check.expect_eq %c80#2, %c79#0 : tensor<3xcomplex<f32>>
  check.expect_eq %c80#3, %c79#1 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c80#4, %c79#2 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c80#5, %c79#3 : tensor<i32>
  %c81:4 = stablehlo.custom_call @lapack_cgeev_ffi(%mc) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  %c82:6 = stablehlo.custom_call @lapack_cgeev(%i1, %i3, %i78, %i86, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<1xf32>, tensor<1xf32>, tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  check.expect_eq %c82#2, %c81#0 : tensor<3xcomplex<f32>>
  check.expect_eq %c82#3, %c81#1 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c82#4, %c81#2 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c82#5, %c81#3 : tensor<i32>
  %c83:5 = stablehlo.custom_call @lapack_cgees_ffi(%mc) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<i32>, tensor<i32>)
  %c84:6 = stablehlo.custom_call @lapack_cgees(%i1, %i3, %i86, %i78, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<1xf32>, tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>, tensor<i32>)
  check.expect_eq %c84#0, %c83#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c84#2, %c83#2 : tensor<3xcomplex<f32>>
  check.expect_eq %c84#3, %c83#1 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c84#4, %c83#3 : tensor<i32>
  check.expect_eq %c84#5, %c83#4 : tensor<i32>
  %c85:5 = stablehlo.custom_call @lapack_cgees_ffi(%mc) {mhlo.backend_config = {mode = 78 : ui8, sort = 78 : ui8}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<i32>, tensor<i32>)
  %c86:6 = stablehlo.custom_call @lapack_cgees(%i1, %i3, %i78, %i78, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<1xf32>, tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>, tensor<i32>)
  check.expect_eq %c86#0, %c85#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c86#2, %c85#2 : tensor<3xcomplex<f32>>
  check.expect_eq %c86#3, %c85#1 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c86#4, %c85#3 : tensor<i32>
  check.expect_eq %c86#5, %c85#4 : tensor<i32>
  %c87:3 = stablehlo.custom_call @lapack_cgehrd_ffi(%mc) {mhlo.backend_config = {high = 3 : i32, low = 1 : i32}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>)
  %c88:4 = stablehlo.custom_call @lapack_cgehrd(%i3, %i1, %i3, %i3, %i1, %i9, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c88#0, %c87#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c88#1, %c87#1 : tensor<2xcomplex<f32>>
  check.expect_eq %c88#2, %c87#2 : tensor<i32>
  %c89:3 = stablehlo.custom_call @lapack_cgehrd_ffi(%mc) {mhlo.backend_config = {high = 2 : i32, low = 1 : i32}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>)
  %c90:4 = stablehlo.custom_call @lapack_cgehrd(%i3, %i1, %i2, %i3, %i1, %i9, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c90#0, %c89#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c90#1, %c89#1 : tensor<2xcomplex<f32>>
  check.expect_eq %c90#2, %c89#2 : tensor<i32>
  %c91:3 = stablehlo.custom_call @lapack_cgehrd_ffi(%mc) {mhlo.backend_config = {high = 3 : i32, low = 2 : i32}} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>)
  %c92:4 = stablehlo.custom_call @lapack_cgehrd(%i3, %i2, %i3, %i3, %i1, %i9, %mc) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>, tensor<1xf32>)
  check.expect_eq %c92#0, %c91#0 : tensor<3x3xcomplex<f32>>
  check.expect_eq %c92#1, %c91#1 : tensor<2xcomplex<f32>>
  check.expect_eq %c92#2, %c91#2 : tensor<i32>
  return
}
