// RUN: convert --emit=mlirbc --target=0.15.0 --allow-outside-window -o %t --expect "'builtin.module': attribute kind 'chlo.precision' in attribute 'a.a' does not exist in version 0.15.0" --expect "'builtin.module': type 'f4E2M1FN' in attribute 'a.b' does not exist in version 0.15.0" --expect "'func.func': type 'i2' in attribute 'a.c' does not exist in version 0.15.0" %s
// EXIT: 1
// Readers of that release know neither the attributes of CHLO nor newer float types, and VHLO had no i2.
module attributes {a.a = #chlo<precision HIGH>, a.b = 1.0 : f4E2M1FN} {
  func.func @main(%arg0: tensor<f32>) -> tensor<f32> attributes {a.c = 1 : i2} {
    return %arg0 : tensor<f32>
  }
}
