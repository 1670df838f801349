// RUN: verify --expect "vhlo.add_v9"
// EXIT: 3
%0 = "t.def"() : () -> !vhlo.tensor_v1<!vhlo.f32_v1>
%1 = "vhlo.add_v9"(%0, %0) : (!vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>
