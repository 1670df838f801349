// RUN: verify --expect "func.func"
"func.func"() <{function_type = (tensor<f32>) -> (), sym_name = "f"}> ({
^bb0(%arg0: tensor<i32>):
  "func.return"() : () -> ()
}) : () -> ()
